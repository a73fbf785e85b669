"""Numbers inside prose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.lectures.template import Unfillable, fill, holes


class Numbers:
    """A few names."""

    known: dict[str, Any] = {  # noqa: RUF012  # never changed
        "u": np.array([1.1707049, -0.5, 0.0]),
        "mean": np.array(1.0988879),
        "block.epsilon": 1e-5,
        "block.dropout": 0.0,
        "block.activation": "relu",
        "block.mask": None,
        "block.d_model": 4,
        "block.n_heads": 2,
        "block.d_ff": 1,
        "block.window": 13,
        "ffn.w_1": np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]]),
    }

    def named(self, name: str) -> Any:
        return self.known[name]


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("u = {u}", "u = (1.170705, −0.500000, 0)", None),
        ("u = {u | row}", "u = (1.171, −0.500, 0)", None),
        ("{ u|3 }", "(1.171, −0.500, 0)", None),
        ("{u[1]} and {u[0] | row}", "−0.500000 and 1.171", None),
        ("{u[0] | addend} + {u[1] | addend}", "1.171 + (−0.500)", None),
        ("μ = {mean}", "μ = 1.098888", None),
        ("ε = {block.epsilon | short}", "ε = 10⁻⁵", None),
        ("dropout {block.dropout | word}", "dropout 关闭", "dropout off"),
        ("{block.activation | word}, {block.mask | word}", "ReLU, 无", "ReLU, none"),
        ("{block.activation | effect}", "负值变0", "negatives become 0"),
        ("({ffn.w_1 | terms u})", "(u₁, u₂, u₁−u₂)", None),
        ("{ffn.w_1[0][2]}", "1", None),
        ("{block.d_model | count 个特征}", "四个特征", "four 个特征s"),
        ("{block.d_model | count feature}", "四feature", "four features"),
        ("{block.d_ff | count feature}", "一feature", "one feature"),
        ("{block.window | count feature}", "13feature", "13 features"),
        (
            "{block.n_heads | count 个头}，{block.n_heads | count 头}输出",
            "两个头，双头输出",
            "two 个头s，two 头s输出",
        ),
        ("no numbers", "no numbers", None),
    ],
)
def test_a_place_in_prose_is_filled(text: str, zh: str, en: str | None) -> None:
    assert fill(text, Numbers(), "zh") == zh
    assert fill(text, Numbers(), "en") == (en or zh)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{u + 1}",
        "{u | nothing}",
        "{u | terms}",
        "{u | row now}",
        "{__class__}",
        "{u.__class__}",
        "{u[-1]}",
        "{u!r}",
        "{u",
        "u}",
        "{{u}}",
        "{u | 99}",
        "{u | 16}",
        "{u | ٣}",
        "{u | count}",
    ],
)
def test_a_place_that_is_not_a_name_and_a_format_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"[{}]"):
        list(holes(text))


@pytest.mark.parametrize(
    "text",
    [
        *("{u[9]}", "{mean[0]}", "{ffn.w_1}", "{u | terms h}", "{block.activation}", "{block.mask | effect}"),
        *(
            "{block.mask | count mask}",
            "{u | count feature}",
            "{block.activation[0]}",
            "{u[99999999999999999999]}",
        ),
    ],
)
def test_a_number_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(Unfillable, match=r"u|mean|ffn|block|effect"):
        fill(text, Numbers(), "zh")


@pytest.mark.parametrize("name", ["nothing", "U", "block.nothing"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(Unfillable, match=name):
        fill(f"{{{name}}}", Numbers(), "zh")


def test_an_element_too_far_says_how_many_there_are() -> None:
    with pytest.raises(
        Unfillable, match=r"the caption quotes \{u\[9\] \| row\}: row 'u' has no element"
    ) as refusal:
        fill("{u[9] | row}", Numbers(), "en", "the caption")
    assert (refusal.value.status, refusal.value.faults[0].expected, refusal.value.faults[0].got) == (
        422,
        "element 0 to 2",
        9,
    )
