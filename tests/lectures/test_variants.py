"""Other words for another block: in pre-norm a page says what is true of pre-norm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from service import engine
from service.lectures import Catalogue, pages, printing
from service.lectures.loading import load

from .conftest import State
from .test_authoring import START, started, written  # noqa: F401  # started is a fixture
from .test_course import STATES
from .test_live import PRE_NORM

LANGS = ["zh", "en"]
EXAMPLES: dict[str, Any] = {
    "published": PRE_NORM,
    "reconstructed": {"example": "lecture-05-reconstructed", **PRE_NORM},
    "pre_norm": {"example": "lecture-05-pre-norm"},
}
POST_NORM_ONLY = {
    "zh": ["post-norm", "接上页", "u₁ 接着", "把 u 加回来", "相加之后才是 LayerNorm", "u+f", "→ z", "u₁ ="],
    "en": [
        "post-norm",
        "From the previous",
        "u₁ goes",
        "u is added",
        "comes after the sum",
        "u+f",
        "→ z",
        "u₁ =",
    ],
}


def everything(state: dict[str, Any]) -> str:
    """Every word of a state that is no remark about what was changed."""
    figure = state["figure"]
    shown = [each for part in ("rows", "statistics", "nodes") for each in figure[part]]
    words = [state["label"], state["caption"], figure["heading"], *figure["notes"]]
    words += [each["label"] for each in shown] + [each.get("symbol", "") for each in shown]
    return "\n".join(each for each in words if not each.startswith(("已改动", "Changed", "接线", "Wired")))


def values(patch: dict[str, Any]) -> dict[str, list[float]]:
    """The first token's row of every step, from the engine alone."""
    wanted = ["x", "residual_1", "norm_1.output", "norm_2.output", "ffn.output"]
    data = {"example": "lecture-05", **patch, "select": wanted}
    traced = engine.trace(engine.TraceRequest.from_data(data))
    return {name: np.atleast_1d(array[0]).tolist() for name, array in traced.values.items()}


def row(numbers: list[float]) -> str:
    return printing.row(map(printing.in_row, numbers))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("patch", EXAMPLES.values(), ids=EXAMPLES)
@pytest.mark.parametrize(("lecture", "name"), STATES)
def test_in_pre_norm_nothing_says_what_is_true_of_post_norm_alone(
    state: State, lecture: str, name: str, patch: Any, lang: str
) -> None:
    said = everything(state(lecture, name, lang, patch))
    assert not [words for words in POST_NORM_ONLY[lang] if words in said]


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_looked_for_there_is_said_in_post_norm(state: State, lang: str) -> None:
    said = "\n".join(everything(state(lecture, name, lang)) for lecture, name in STATES)
    assert [words for words in POST_NORM_ONLY[lang] if words in said] == POST_NORM_ONLY[lang]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("patch", EXAMPLES.values(), ids=EXAMPLES)
def test_the_heading_holds_the_u_that_the_hidden_values_are_computed_from(
    state: State, patch: Any, lang: str
) -> None:
    of = values(patch)
    u = np.array(of["norm_2.output"])
    w_1 = np.array(engine.examples.get("lecture-05").request["parameters"]["ffn.w_1"])
    for name in ("b0", "b1", "b2", "b3"):
        shown = state("R45", name, lang, patch)
        assert f"u = LN(r₁) = {row(of['norm_2.output'])}" in shown["figure"]["heading"]
        (hidden,) = (each["value"] for each in shown["figure"]["rows"] if each["id"] == "hidden")
        assert hidden == pytest.approx(np.maximum(u @ w_1, 0))


@pytest.mark.parametrize("patch", EXAMPLES.values(), ids=EXAMPLES)
def test_the_second_residual_adds_the_first_and_ends_the_block(state: State, patch: Any) -> None:
    of = values(patch)
    ends = np.array(of["residual_1"]) + of["ffn.output"]
    for name, words in (("b2", "not u: r₁+f = "), ("b3", "at the end r₁+f = ")):
        shown = state("R45", name, "en", patch)
        assert f"{words}{row(ends.tolist())}" in shown["caption"]
        labels = {each["id"]: each["label"] for each in shown["figure"]["rows"]}
        assert labels["residual_2"] == "second residual r₁+f"


@pytest.mark.parametrize("patch", EXAMPLES.values(), ids=EXAMPLES)
def test_what_goes_to_the_ffn_is_the_second_norm_of_the_sum(state: State, patch: Any) -> None:
    of = values(patch)
    shown = state("R44", "b3", "en", patch)
    assert shown["figure"]["heading"] == "Pre-norm · still following the first token"
    assert f"n₁ = {row(of['norm_1.output'])}" in shown["caption"]
    assert f"what the FFN reads is {row(of['norm_2.output'])}" in shown["caption"]
    mean = np.mean(of["x"])
    assert shown["figure"]["statistics"][0]["value"] == pytest.approx(mean)
    assert shown["figure"]["statistics"][0]["label"] == "the four features of x₁"


@pytest.mark.parametrize("name", ["b4", "b5"])
@pytest.mark.parametrize("lecture", ["R44", "R45"])
def test_a_concept_picture_says_how_the_block_is_wired_now(state: State, lecture: str, name: str) -> None:
    notes = state(lecture, name, "en", PRE_NORM)["figure"]["notes"]
    assert any(
        "Wired differently" in note and "residual_2 reads residual_1, ffn.output" in note for note in notes
    )
    assert not any("Wired" in note for note in state(lecture, name, "en")["figure"]["notes"])


@pytest.mark.parametrize("placement", ["post", "pre"])
def test_a_wiring_without_words_of_its_own_says_whose_words_these_are(state: State, placement: str) -> None:
    own = "the words speak of the page's own wiring"
    block = {"kind": "decoder", "norm_placement": placement}
    decoder = {"block": block, "memory": [[0, 0, 0, 1]], "seed": 1}
    assert own in "".join(state("R45", "b0", "en", decoder)["figure"]["notes"])
    assert own not in "".join(state("R45", "b0", "en", PRE_NORM)["figure"]["notes"])


# -- writing them -------------------------------------------------------------------------------------------

B1, WHEN = "[variants.pre.states.b1]", '{ norm_placement = "pre" }'
MISTAKES = [
    (f"when = {WHEN}", "", "when", "is missing"),
    (WHEN, '{ norm_placement = "post" }', "when", "own block"),
    (WHEN, '{ norm_placement = "in" }', "when.norm_placement", "post"),
    (WHEN, '{ placement = "pre" }', "when.placement", "no field"),
    (B1, "[variants.pre.states.b7]", "states.b7", "b0, b1"),
    (B1, f'{B1}\ndrawing = "pie"', "states.b1.drawing", "heat_map"),
    (B1, f'{B1}\ndrawing = "sum"', "states.b1", "numbers"),
    (B1, f"[variants.pre.colours]\na = 1\n{B1}", "colours", "no such key"),
    ('label.en = "mean of x₁"\n', "", "statistics.mean.label.en", "missing"),
    ('label.zh = "x₁ 的均值"', 'step = "n"\nlabel.zh = "x₁"', "statistics.mean.step", "norm_1"),
    ("x₁：{mean}", "x₁：{median}", "states.b1.caption.zh", "median"),
    ("x₁：{mean}", "x₁：{residual_1[9]}", "states.b1.caption.zh", "no element"),
    ("x₁：{mean}", "x₁：{mean", "states.b1.caption.zh", "brace"),
]


@pytest.mark.parametrize(("old", "new", "key", "word"), MISTAKES, ids=[f"{m[2]} {m[3]}" for m in MISTAKES])
def test_a_mistake_in_a_variant_is_named_with_its_key_and_its_line(
    tmp_path: Path,
    started: str,  # noqa: F811  # the fixture
    old: str,
    new: str,
    key: str,
    word: str,
) -> None:
    assert old in started
    text = started.replace(old, new, 1)
    lecture, problems = load(written(tmp_path / START, text))
    assert lecture is None
    found = [problem for problem in problems if problem.key == f"variants.pre.{key}"]
    assert any(word in problem.detail for problem in found)
    first = text[: text.index("[variants.pre]")].count("\n") + 1
    assert all(first <= problem.line <= first + 16 for problem in found)


def test_a_variant_that_an_author_wrote_is_what_a_reader_of_pre_norm_sees(
    tmp_path: Path,
    started: str,  # noqa: F811  # the fixture
) -> None:
    written(tmp_path / START, started)
    catalogue = Catalogue.load([tmp_path])
    own, pre = (
        pages.changed_state(catalogue, START, "b1", "en", patch, engine.UNLIMITED) for patch in ({}, PRE_NORM)
    )
    assert own["caption"].startswith("After the sum")
    assert pre["caption"] == "LayerNorm stands before attention, and its mean is that of x₁: 0.500000."
    assert pre["figure"]["statistics"][0]["label"] == "mean of x₁"
    assert own["figure"]["formulas"] != pre["figure"]["formulas"]
