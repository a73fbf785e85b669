"""A student's numbers: what is read, what is refused and with which advice, what counts as near enough."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import InvalidRequest
from service.grading import Tolerance, read_numbers, typed_number
from service.grading.answers import half_digit, significant_digits


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("-0.198", -0.198),
        ("−0.198", -0.198),  # U+2212, as the lecture prints it
        ("–0.198", -0.198),  # an en dash, as a word processor makes it
        ("－０．１９８", -0.198),  # full width, as an input method makes it
        ("+3", 3),
        (" 2.5 ", 2.5),
        (".5", 0.5),
        ("5.", 5),
        ("1e-3", 0.001),
        ("1/2", 0.5),
        ("-1 / 3", -1 / 3),
        ("½", 0.5),
        ("−∞", -np.inf),
        ("-Infinity", -np.inf),
    ],
)
def test_a_number_is_read_as_a_student_types_it(typed: str, number: float) -> None:
    assert typed_number(typed) == number


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("1,5", "1.5"),
        ("-0,198", "-0.198"),
        ("", "empty"),
        ("   ", "empty"),
        ("1/0", "denominator"),
        ("two", "such as"),
        ("NaN", "such as"),
        ("1e999", "such as"),
        ("1/2/3", "such as"),
        ("0x10", "such as"),
        ("1_000", "such as"),
        ("2**9", "such as"),
        ("__import__('os').getcwd()", "such as"),
        ("9" * 400, "40 characters"),
    ],
)
def test_what_is_no_number_is_refused_with_advice(typed: str, advice: str) -> None:
    with pytest.raises(InvalidRequest, match=advice) as refusal:
        read_numbers([[1, typed]], "/answer")
    assert refusal.value.faults[0].pointer == "/answer/0/1"


@given(st.text(max_size=30))
def test_whatever_is_typed_gives_a_number_or_a_refusal(typed: str) -> None:
    with suppress(InvalidRequest):
        assert isinstance(typed_number(typed), float)


@given(st.fractions(max_denominator=1000))
def test_a_fraction_is_its_quotient(fraction: Fraction) -> None:
    assert typed_number(str(fraction)) == fraction.numerator / fraction.denominator


@pytest.mark.parametrize("data", [[[1, 2], [3]], [1, True], [1, None], [1, {}], [float("nan")], [], [[]]])
def test_what_is_no_array_of_numbers_is_refused(data: object) -> None:
    with pytest.raises(InvalidRequest):
        read_numbers(data, "/answer")


def test_near_enough_is_measured_from_the_right_value() -> None:
    tolerance = Tolerance(absolute=0.01, relative=0.1)
    answer, expected = np.array([1.10, 1.12, 0.005, 0.02]), np.array([1.0, 1.0, 0.0, 0.0])
    assert tolerance.holds(answer, expected).tolist() == [True, False, True, False]


def test_an_infinity_is_right_only_where_it_is_expected() -> None:
    answer = np.array([-np.inf, 5.0, -np.inf, np.inf])
    expected = np.array([-np.inf, -np.inf, 5.0, -np.inf])
    assert Tolerance(relative=0.5).holds(answer, expected).tolist() == [True, False, False, False]


@given(st.floats(-100, 100).filter(lambda number: abs(number) > 1e-6))
def test_a_number_rounded_to_the_digits_written_lies_within_half_a_digit(number: float) -> None:
    for digits in range(3, 12):
        written = float(f"{number:.{digits}g}")
        assert abs(number - written) <= half_digit(written) * (1 + 1e-9)


def test_plain_numbers_have_few_digits() -> None:
    assert [significant_digits(number) for number in (0, 1, -0.5, 0.25, 10, 0.707107)] == [0, 1, 1, 2, 1, 6]
