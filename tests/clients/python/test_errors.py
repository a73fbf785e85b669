"""The error tree: which class, and what it says."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from blockwalk_client import (
    BlockwalkError,
    InvalidRequest,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    TooCostly,
)
from blockwalk_client.errors import error_class

PROBLEM = {
    "type": "/problems/shape-mismatch",
    "title": "Sizes do not fit",
    "status": 422,
    "detail": "attention.w_q: d_model should be 4, got 3",
    "request_id": "abc",
    "errors": [
        {"pointer": "", "detail": "the first", "expected": None, "got": None},
        {"pointer": "/parameters/attention.w_q", "detail": "rows", "expected": [4, 5], "got": 3},
        {"pointer": "/x/0", "detail": "ragged", "expected": None, "got": None},
    ],
}


@pytest.mark.parametrize(
    ("status", "kind", "expected"),
    [
        (400, "not-json", InvalidRequest),
        (404, "not-found", NotFound),
        (405, "method-not-allowed", InvalidRequest),
        (413, "body-too-large", InvalidRequest),
        (422, "shape-mismatch", InvalidRequest),
        (422, "cost-limit", TooCostly),
        (429, "too-many-requests", RateLimited),
        (500, "internal-error", BlockwalkError),
        (502, "", ServiceUnavailable),
        (503, "unavailable", ServiceUnavailable),
        (504, "", ServiceUnavailable),
    ],
)
def test_an_answer_s_status_and_kind_choose_the_class(
    status: int, kind: str, expected: type[BlockwalkError]
) -> None:
    assert error_class(status, kind) is expected


def test_all_errors_are_blockwalk_errors() -> None:
    for each in (InvalidRequest, NotFound, TooCostly, RateLimited, ServiceUnavailable):
        assert each.__bases__ == (BlockwalkError,)


def made(**more: Any) -> InvalidRequest:
    return InvalidRequest(PROBLEM["detail"], problem=PROBLEM, status=422, request_id="abc", **more)


def test_an_error_carries_problem_pointers_and_request_id() -> None:
    error = made()
    assert error.type == "shape-mismatch"
    assert error.pointer == "/parameters/attention.w_q"
    assert error.pointers == ["/parameters/attention.w_q", "/x/0"]
    assert error.problem["title"] == "Sizes do not fit"
    assert error.request_id == "abc"


def test_an_error_reads_as_what_where_expected_and_got() -> None:
    assert str(made()).splitlines() == [
        "attention.w_q: d_model should be 4, got 3",
        "  the first",
        "  at /parameters/attention.w_q: rows",
        "  expected 4 or 5, got 3",
        "  at /x/0: ragged",
        "  request id: abc",
    ]


def test_nothing_is_said_twice() -> None:
    fault = {"pointer": "/x", "detail": "x should be 4, got 3", "expected": 4, "got": 3}
    error = InvalidRequest("x should be 4, got 3", problem={"errors": [fault]})
    assert str(error) == "x should be 4, got 3\n  at /x"


def test_an_error_travels_between_processes() -> None:
    again = pickle.loads(pickle.dumps(made(retry_after=2.0)))
    assert type(again) is InvalidRequest
    assert str(again) == str(made())
    assert again.retry_after == 2.0
