"""Numbers inside prose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.lectures.template import fill, holes


class Numbers:
    """A few names."""

    known: dict[str, Any] = {  # noqa: RUF012  # never changed
        "u": np.array([1.1707049, -0.5, 0.0]),
        "mean": np.array(1.0988879),
        "block.epsilon": 1e-5,
        "block.dropout": 0.0,
        "block.activation": "relu",
        "block.mask": None,
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
    ],
)
def test_a_place_that_is_not_a_name_and_a_format_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\{"):
        list(holes(text))


@pytest.mark.parametrize(
    "text",
    ["{u[9]}", "{mean[0]}", "{ffn.w_1}", "{u | terms h}", "{block.activation}", "{block.mask | effect}"],
)
def test_a_number_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"u|mean|ffn|block|effect"):
        fill(text, Numbers(), "zh")


@pytest.mark.parametrize("name", ["nothing", "U", "block.nothing"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        fill(f"{{{name}}}", Numbers(), "zh")
