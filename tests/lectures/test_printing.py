"""How numbers are printed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.lectures import printing


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (1.0, "1"),
        (0.0, "0"),
        (-0.0, "0"),
        (-3.0, "−3"),
        (0.65, "0.650"),
        (-0.0055604633989294605, "−0.006"),
        (0.9999800006, "1.000"),
        (2 - 1e-15, "2"),
        (1 + 2e-16, "1"),
        (1e-14, "0"),
        (0.1 + 0.2 - 0.3, "0"),
        (1e-4, "0.000"),
        (-1e-4, "0.000"),
        (12345678.0, "12345678"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "NaN"),
        (1.5e300, "1.500×10³⁰⁰"),
        (-2e10, "−2.000×10¹⁰"),
    ],
)
def test_a_row_has_three_decimals_and_whole_numbers_bare(value: float, printed: str) -> None:
    assert printing.in_row(value) == printed


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        ([1, 0, 1, 0], "(1, 0, 1, 0)"),
        ([1, 1.5988879, -0.1977758], "(1.000000, 1.598888, −0.197776)"),
        ([0.5, 0, -0.0], "(0.500000, 0, 0)"),
        ([-2.0, 3.0], "(−2, 3)"),
    ],
)
def test_text_has_six_decimals_unless_the_whole_row_is_whole(values: list[float], printed: str) -> None:
    assert printing.in_text(values) == printed


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        ([1e-5], "10⁻⁵"),
        ([2e-5], "2×10⁻⁵"),
        ([-1e-5], "−10⁻⁵"),
        ([0.1], "0.1"),
        ([0.01], "0.01"),
        ([1, 1, 1, 1], "1"),
        ([2, 1, 1, 1], "(2, 1, 1, 1)"),
        ([0], "0"),
        ([1500.5], "1500.5"),
        ([2.5e-7], "2.5×10⁻⁷"),
        ([-0.25], "−0.25"),
    ],
)
def test_a_setting_is_written_as_by_hand(values: list[float], printed: str) -> None:
    assert printing.shortest(values) == printed


@pytest.mark.parametrize(
    ("column", "printed"),
    [
        ([1, 0], "u₁"),
        ([1, -1], "u₁−u₂"),
        ([-1, 1], "u₂−u₁"),
        ([0.5, 0.25], "0.5u₁+0.25u₂"),
        ([0, -2], "−2u₂"),
        ([0, 0], "0"),
    ],
)
def test_a_column_of_a_matrix_is_told_as_what_it_makes_of_a_row(column: list[float], printed: str) -> None:
    assert printing.combinations([column], "u") == [printed]


def test_a_sentence_quotes_of_a_long_row_its_beginning_and_its_end() -> None:
    printed = printing.in_text([float(i) for i in range(100)])
    assert printed.startswith("(0, 1, ")
    assert printed.endswith(", …, 98, 99)")
    assert printing.in_text([1.0] * 16).count("1") == 16


@given(st.floats(width=64))
def test_any_number_has_a_short_printed_form_without_a_hyphen(value: float) -> None:
    for printed in (printing.in_row(value), printing.in_text([value]), printing.shortest([value])):
        assert printed
        assert "-" not in printed
        assert len(printed) < 40


@given(st.floats(min_value=-1e6, max_value=1e6))
def test_a_printed_row_is_within_half_of_its_last_digit(value: float) -> None:
    printed = float(printing.in_row(value).replace(printing.MINUS, "-"))
    assert abs(printed - value) <= 0.0005 + 1e-9
