"""How a trace looks in a notebook."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from blockwalk_client import Client, Tensor, Trace
from blockwalk_client.html import MOST_COLUMNS, MOST_GRIDS, MOST_ROWS, Look

TENSOR = Tensor("t", "T", ("token", "d_model"), (2, 3), "float64", "add", ("x",), "x + O", np.eye(2, 3))


def grids(of: Tensor) -> list[list[list[str]]]:
    """The cells of every heat map."""
    page = ET.fromstring(of._repr_html_().partition("</style>")[2])
    return [
        [["".join(cell.itertext()) for cell in row.iter("td")] for row in table.iter("tr")]
        for table in page.iter("table")
        if table.get("class") == "grid"
    ]


def test_every_step_has_a_row_with_formula_axes_and_numbers(causal: Trace) -> None:
    page = ET.fromstring(causal._repr_html_().partition("</style>")[2])
    body = page.find("table/tbody")
    assert body is not None
    assert ["".join(row[0].itertext()) for row in body] == list(causal)
    assert all(row[1].find(".//math") is not None for row in body)
    assert all(row[3].find(".//td") is not None for row in body)


def test_every_answer_with_tensors_is_a_well_formed_page(client: Client, causal: Trace) -> None:
    for each in (
        causal.attention,
        causal.output,
        client.gradient("lecture-05", of="output", wrt="x"),
        client.jacobian("lecture-05", of="output", wrt="x"),
    ):
        assert ET.fromstring(each._repr_html_().partition("</style>")[2]).find(".//math") is not None


def test_a_formula_is_shown_once_whether_or_not_the_style_sheet_survives() -> None:
    sheet, _, page = TENSOR._repr_html_().partition("</style>")
    assert ".mathml{display:inline!important}" in sheet
    assert ".latex{display:none}" in sheet
    drawn, typeset = ET.fromstring(page).findall(".//td/span")
    assert (drawn.get("class"), drawn.get("style"), drawn[0].tag) == ("mathml", "display:none", "math")
    assert (typeset.get("class"), typeset.get("style"), typeset.text) == ("latex", None, "$T = x + O$")


def test_a_formula_that_is_not_known_is_left_to_jupyter() -> None:
    page = replace(TENSOR, formula=r"\unheardof{a} < b")._repr_html_()
    assert r"$T = \unheardof{a} &lt; b$" in page


def test_heads_stand_side_by_side(causal: Trace) -> None:
    page = causal["attention.weights"]._repr_html_()
    assert re.findall("<caption style=[^>]*>(head.*?)</caption>", page) == ["head 0", "head 1"]
    assert len(grids(causal["attention.weights"])) == 2


@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (2, 1, 3)])
def test_small_arrays_are_shown_whole(shape: tuple[int, ...]) -> None:
    value = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    shown = grids(replace(TENSOR, axes=("a",) * len(shape), shape=shape, value=value))
    assert [n for grid in shown for row in grid for n in row] == [str(n) for n in value.flatten()]


def test_large_arrays_show_a_corner_and_that_there_is_more() -> None:
    shape = (3, 4, 50, 60)
    tensor = replace(TENSOR, axes=("batch", "head", "query", "key"), shape=shape, value=np.zeros(shape))
    shown = grids(tensor)
    assert len(shown) == MOST_GRIDS
    assert all(len(grid) == MOST_ROWS + 1 for grid in shown)
    assert all(row == ["0"] * MOST_COLUMNS + ["…"] for grid in shown for row in grid[:-1])
    assert "… 12 in all" in tensor._repr_html_()
    assert "no numbers" in replace(tensor, shape=(0, 4, 50, 60), value=np.zeros((0, 4, 50, 60)))._repr_html_()


@pytest.mark.parametrize(
    ("numbers", "printed"),
    [
        ([1, -2, 0], ["1", "−2", "0"]),
        ([0.5, -0.25], ["0.5000", "−0.2500"]),
        ([1e-7, 0], ["1.000e−07", "0"]),
        ([1e9, 2], ["1.000e+09", "2.000e+00"]),
    ],
)
def test_numbers_of_one_tensor_are_printed_alike(numbers: list[float], printed: list[str]) -> None:
    assert [Look(numbers).printed(n) for n in numbers] == printed


def test_the_larger_the_number_the_stronger_its_tint() -> None:
    look = Look([-2.0, 1.0])
    alphas = [re.findall(r",([0-9.]+)\)", look.cell(n)) for n in (-2.0, 1.0, 0.0, -np.inf)]
    assert alphas == [["0.55"], ["0.28"], [], []]
    assert 'title="-inf">−∞<' in look.cell(-np.inf)
