"""A state with other numbers: everything printed follows, and what was changed is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service import engine
from service.errors import InvalidRequest
from service.lectures import Catalogue
from service.lectures.run import Vanished
from service.lectures.template import Unfillable

from .conftest import State
from .test_course import STATES

ANOTHER_X = {"x": [[0, 2, 0, 1]]}
LARGE_EPSILON = {"block": {"epsilon": 0.1}}
GAMMA = {"parameters": {"norm_1.gamma": [2, 1, 1, 1]}}
PRE_NORM = {"block": {"norm_placement": "pre"}}
NO_ATTENTION = {"interventions": [{"step": "attention.output", "set": 0}]}
NO_PROJECTION = {
    "example": "lecture-05-reconstructed",
    "parameters": {"attention.w_o": np.zeros((4, 4)).tolist()},
}
CAUSAL = {"example": "lecture-05-reconstructed", "block": {"mask": "causal"}}
PATCHES = {
    "another_x": ANOTHER_X,
    "large_epsilon": LARGE_EPSILON,
    "gamma": GAMMA,
    "pre_norm": PRE_NORM,
    "no_attention": NO_ATTENTION,
    "no_projection": NO_PROJECTION,
    "causal": CAUSAL,
    "causal_example": {"example": "lecture-05-causal"},
}


def printed(state: dict[str, Any], row: str) -> list[str]:
    (found,) = (each["printed"] for each in state["figure"]["rows"] if each["id"] == row)
    return list(found)


def told(state: dict[str, Any]) -> Any:
    """Everything printed."""
    figure = state["figure"]
    return [
        state["caption"],
        figure["notes"],
        *(each["printed"] for each in [*figure["rows"], *figure["statistics"]]),
    ]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize(("lecture", "name"), STATES)
def test_every_state_can_be_recomputed(state: State, lecture: str, name: str, lang: str, patch: Any) -> None:
    shown = state(lecture, name, lang, patch)
    assert shown["modified"]
    assert shown["changes"]
    assert any(("已改动" if lang == "zh" else "Changed") in note for note in shown["figure"]["notes"])


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize(("lecture", "name"), [("R44", "b3"), ("R45", "b3")])
def test_a_changed_row_is_what_the_trace_request_of_the_state_gives(
    state: State, lecture: str, name: str, patch: Any
) -> None:
    shown = state(lecture, name, "zh", patch)
    traced = engine.trace(engine.TraceRequest.from_data(shown["trace_request"]))
    for row in [*shown["figure"]["rows"], *shown["figure"]["statistics"]]:
        assert np.array_equal(traced.values[row["step"]][row["token"]], row["value"])


def test_a_caption_quotes_the_changed_numbers(state: State) -> None:
    own, changed = state("R44", "b3"), state("R44", "b3", "zh", LARGE_EPSILON)
    for shown in (own, changed):
        assert f"({', '.join(printed(shown, 'norm_1_output'))})" in shown["caption"]
    assert own["caption"] != changed["caption"]


def test_a_heading_quotes_the_changed_numbers(state: State) -> None:
    own, changed = state("R45", "b0"), state("R45", "b0", "zh", LARGE_EPSILON)
    assert own["figure"]["heading"] != changed["figure"]["heading"]
    assert changed["figure"]["heading"].startswith("接上页 u = (1.083, ")


def test_a_label_follows_the_weights_that_it_speaks_of(state: State) -> None:
    w_1 = [[1, 0, 0, 0, 2, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 3], [0, 0, 0, 1, 0, -1]]
    shown = state("R45", "b0", "zh", {"parameters": {"ffn.w_1": w_1}})
    assert "隐藏项：u₁, u₂, u₃, u₄, 2u₁, 3u₃−u₄；负值变0" in shown["figure"]["notes"]


def test_what_the_activation_does_is_told_of_the_one_in_force(state: State) -> None:
    shown = state("R45", "b0", "en", {"block": {"activation": "gelu"}})
    assert "then comes GELU: negatives shrink towards 0" in shown["caption"]
    assert "then comes ReLU: negatives become 0" in state("R45", "b0", "en")["caption"]


def test_the_note_tells_the_settings_in_force(state: State) -> None:
    notes = state("R44", "b0", "zh", {**LARGE_EPSILON, **GAMMA})["figure"]["notes"]
    assert "本例：ε=0.1，γ=(2, 1, 1, 1)，β=0；dropout 关闭" in notes


def test_without_attention_the_residual_still_carries_x(state: State) -> None:
    for patch in (NO_ATTENTION, NO_PROJECTION):
        shown = state("R44", "b1", "zh", patch)
        assert printed(shown, "attention_output") == ["0", "0", "0", "0"]
        assert printed(shown, "residual_1") == printed(shown, "x") == ["1", "0", "1", "0"]


def test_under_a_causal_mask_the_first_token_reads_itself_alone(state: State) -> None:
    assert printed(state("R44", "b0", "zh", CAUSAL), "attention_output") == ["1", "1", "0", "−1"]


def test_a_part_that_reads_something_else_is_named(state: State) -> None:
    notes = state("R44", "b3", "en", PRE_NORM)["figure"]["notes"]
    assert any("norm_1 reads x (the page: residual_1)" in note for note in notes)
    unchanged = state("R44", "b3", "en", LARGE_EPSILON)["figure"]["notes"]
    assert not any("Wired differently" in note for note in unchanged)


def test_what_was_changed_is_listed_with_both_values(state: State) -> None:
    shown = state("R44", "b2", "zh", {**LARGE_EPSILON, **ANOTHER_X})
    assert shown["changes"] == [
        {"pointer": "/x", "before": [[1, 0, 1, 0]], "after": [[0, 2, 0, 1]]},
        {"pointer": "/block/epsilon", "before": 1e-5, "after": 0.1},
    ]


def test_another_example_is_one_change_and_the_patch_on_top_of_it_others(state: State) -> None:
    pointers = [each["pointer"] for each in state("R44", "b2", "zh", CAUSAL)["changes"]]
    assert pointers == ["/example", "/block/mask"]


@pytest.mark.parametrize(
    "patch", [{}, {"block": {"epsilon": 1e-5}}, {"x": [[1.0, 0, 1, 0]]}, {"x": np.array([[1, 0, 1, 0]])}]
)
def test_a_patch_that_changes_nothing_leaves_the_state_unmodified(state: State, patch: Any) -> None:
    shown = state("R44", "b3", "zh", patch)
    assert not shown["modified"]
    assert told(shown) == told(state("R44", "b3"))


@pytest.mark.parametrize(
    ("patch", "provenance"),
    [
        ({}, "published"),
        (LARGE_EPSILON, "modified"),
        ({"example": "lecture-05-reconstructed"}, "reconstructed"),
        (CAUSAL, "modified"),
        ({"block": {"epsilon": 1e-5}}, "published"),
        ({"example": "lecture-05-reconstructed", "block": {"mask": None}}, "reconstructed"),
    ],
)
def test_the_provenance_is_that_of_the_numbers_shown(state: State, patch: Any, provenance: str) -> None:
    assert state("R44", "b3", "zh", patch)["provenance"] == provenance


@pytest.mark.parametrize(
    ("lecture", "name", "patch", "row"),
    [
        ("R44", "b2", {"block": {"norm": "rms_norm"}}, "mean"),
        ("R44", "b0", {"x": [[[1, 0, 1, 0]]]}, "attention_output"),
        ("R45", "b1", {"block": {"activation": "swiglu"}, "seed": 1}, "hidden"),
    ],
)
def test_a_row_that_vanishes_is_named(state: State, lecture: str, name: str, patch: Any, row: str) -> None:
    with pytest.raises(Vanished, match=f"'{row}'"):
        state(lecture, name, "zh", patch)


EYE = np.eye(4).tolist()
NARROW = {
    "block": {"d_ff": 4},
    "parameters": {"ffn.w_1": EYE, "ffn.b_1": [0, 0, 0, 0], "ffn.w_2": EYE},
}


def test_a_caption_that_quotes_a_number_that_vanished_names_its_row(state: State) -> None:
    with pytest.raises(
        Unfillable, match=r"state b0 of lecture R45 .*row 'hidden' has no element \[4\]"
    ) as refusal:
        state("R45", "b0", "zh", NARROW)
    assert (refusal.value.faults[0].expected, refusal.value.faults[0].got) == ("element 0 to 3", 4)


WIDE = {
    "x": [[1, 0, 1, 0, 1, 0]],
    "block": {"d_model": 6},
    "interventions": [{"step": "attention.output", "set": [[0, 2, 0, 1, 0, 0]]}],
    "parameters": {
        **{f"{norm}.{name}": None for norm in ("norm_1", "norm_2") for name in ("gamma", "beta")},
        **dict.fromkeys(("ffn.w_1", "ffn.w_2", "ffn.b_2")),
    },
}


@pytest.mark.parametrize(
    ("lang", "label", "words"),
    [
        ("zh", "同一行六个特征", "这一行的六个特征"),
        ("en", "the six features of this row", "the six features of this row"),
    ],
)
def test_how_many_features_there_are_is_counted(state: State, lang: str, label: str, words: str) -> None:
    shown = state("R44", "b2", lang, WIDE)
    assert {each["label"] for each in shown["figure"]["statistics"]} == {label}
    assert words in shown["caption"]


def test_how_many_heads_there_are_is_counted(state: State) -> None:
    assert state("R44", "b0", "zh", {"block": {"n_heads": 4}})["figure"]["rows"][0]["label"] == "四头输出 O₁"
    assert "是：四个头、" in state("R45", "b3", "zh", {"block": {"n_heads": 4}})["caption"]


def test_a_row_that_no_page_could_show_is_refused(state: State) -> None:
    patch = {
        "x": [[1.5] * 20_000],
        "block": {"d_model": None},
        "parameters": dict.fromkeys(
            ("norm_1.gamma", "norm_1.beta", "norm_2.gamma", "norm_2.beta", "ffn.w_1", "ffn.w_2", "ffn.b_2")
        ),
        **NO_ATTENTION,
    }
    with pytest.raises(Vanished, match="20,000 numbers"):
        state("R44", "b1", "zh", patch)


def test_parameters_that_another_kind_of_block_has_no_use_for_are_let_go(state: State) -> None:
    patch = {"block": {"norm": "rms_norm"}, "parameters": {"norm_1.gamma": [1, 1, 1, 2]}}
    with pytest.raises(Vanished):
        state("R44", "b0", "zh", patch)  # the note quotes β, which this norm does not have
    shown = state("R45", "b1", "zh", {"block": {"norm": "rms_norm"}})
    traced = engine.trace(engine.TraceRequest.from_data(shown["trace_request"]))
    assert printed(shown, "ffn_output")
    assert traced.block["norm"] == "rms_norm"


@pytest.mark.parametrize(
    ("patch", "pointer"),
    [
        ({"select": ["x"]}, "/select"),
        ({"tokens": [0]}, "/tokens"),
        ({"include_parameters": True}, "/include_parameters"),
        ({"x": [[1, 0]]}, "/x"),
        ({"x": None}, "/x"),
        ({"block": {"epsilon": -1}}, "/block/epsilon"),
        ({"example": "lecture-99"}, "/example"),
        ({"parameters": {"norm_1.gamma": [1, 1]}}, "/parameters/norm_1.gamma"),
        ({"parameters": {"norm_7.gamma": [1, 1, 1, 1]}}, "/parameters/norm_7.gamma"),
        ({"block": []}, "/block"),
        ({"parameters": 3}, "/parameters"),
        ([], ""),
        ("x", ""),
    ],
)
def test_a_patch_that_cannot_be_is_refused_with_its_place(state: State, patch: Any, pointer: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        state("R44", "b3", "zh", patch)
    assert refusal.value.faults[0].pointer.startswith(pointer)


def test_recomputing_leaves_the_lecture_s_own_numbers_alone(catalogue: Catalogue, state: State) -> None:
    before = told(state("R44", "b3"))
    state("R44", "b3", "zh", ANOTHER_X)
    assert told(state("R44", "b3")) == before
    assert not catalogue.own("R44").modified
