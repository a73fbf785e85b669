"""Named examples: complete bodies, merged by patch, with closed forms for numbers."""

from __future__ import annotations

from math import exp, sqrt
from pathlib import Path

import pytest

from service import engine
from service.engine.closed_form import evaluate
from service.engine.examples import PRESENTATION, get, names, register
from service.errors import NotFound

NO_CLOSED_FORMS = [
    *("", "w", "'a'", "True", "[1]", "(1).real", "1/0", "sqrt(-1)", "9**9**9**9", "1" * 300),
    *("1 if 1 else 2", "__import__('os')"),
]


@pytest.mark.parametrize("name", names())
def test_an_example_is_a_complete_request(name: str) -> None:
    trace = engine.trace(engine.TraceRequest.from_data(get(name).request))
    assert trace.steps
    assert set(get(name).title) == {"zh", "en"}


def test_the_courses_four_examples_are_there() -> None:
    assert names() == ["lecture-05", "lecture-05-causal", "lecture-05-pre-norm", "lecture-05-reconstructed"]


def test_an_unknown_example_is_not_found_and_the_known_are_named() -> None:
    with pytest.raises(NotFound, match="lecture-05-causal"):
        get("lecture-06")


def test_fields_of_the_request_override_the_example_and_null_removes() -> None:
    changed = engine.TraceRequest.from_data(
        {"example": "lecture-05-causal", "block": {"mask": None, "epsilon": 0.1}}
    )
    assert changed.block.mask is None
    assert changed.block.epsilon == 0.1
    assert changed.block.n_heads == 2
    assert changed.provenance == "modified"


def test_choosing_what_is_shown_leaves_the_provenance() -> None:
    shown = {"select": ["output"], "tokens": [0], "include_parameters": True}
    assert set(shown) == PRESENTATION
    assert engine.TraceRequest.from_data({"example": "lecture-05", **shown}).provenance == "published"


def test_an_example_handed_out_is_a_copy() -> None:
    got = get("lecture-05")
    got.request["x"][0][0] = 99
    assert get("lecture-05").request["x"][0][0] == 1


def test_a_file_can_be_registered_once_and_is_then_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('extends = "lecture-05"\n[request.block]\nepsilon = 0.5\n')
    register("own-example", file)
    register("own-example", file)
    try:
        assert get("own-example").request["block"]["epsilon"] == 0.5
        with pytest.raises(ValueError, match="already"):
            register("own-example", tmp_path / "other.toml")
        with pytest.raises(ValueError, match="already"):
            register("lecture-05", file)
    finally:
        engine.examples._extra.clear()
        engine.examples._load.cache_clear()


def test_closed_forms_are_worked_out_and_nothing_else_is() -> None:
    w = evaluate("1 / (2 + exp(-1 / sqrt(2)))")
    assert w == 1 / (2 + exp(-1 / sqrt(2)))
    assert evaluate("2 - 5*w", {"w": w}) == 2 - 5 * w
    assert evaluate("-2**3 + pi - pi") == -8
    for text in NO_CLOSED_FORMS:
        with pytest.raises(ValueError, match="closed form"):
            evaluate(text)
