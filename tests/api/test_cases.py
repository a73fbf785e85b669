"""Inputs on which other implementations were reported wrong, with the right answers, worked out by hand.

Each file under `tests/cases` is one member of a kind and says what goes wrong elsewhere, and where.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from flask.testing import FlaskClient

FOLDER = Path(__file__).parents[1] / "cases"
REQUESTS = [
    pytest.param(request, id=f"{path.stem}-{i}")
    for path in sorted(FOLDER.glob("*.json"))
    for i, request in enumerate(json.loads(path.read_text())["requests"])
]


def numbers(value: Any) -> np.ndarray[Any, Any]:
    """A value of the wire as an array; the words for infinity are read as Python reads them."""
    return np.array(value, dtype=float)


@pytest.mark.parametrize("request_", REQUESTS)
def test_the_service_gives_the_right_answer_where_others_were_wrong(
    client: FlaskClient, request_: dict[str, Any]
) -> None:
    expected = request_["expect"]
    answer = client.open(request_["path"], method=request_["method"], json=request_["body"])
    assert answer.status_code == expected["status"]
    body = answer.get_json()
    for word in expected.get("mentions", []):
        assert word in answer.get_data(as_text=True)
    steps = {step["name"]: step for step in body.get("steps", [])}
    gradients = {each["name"]: each for each in body.get("gradients", [])}
    for found, right in ((steps, expected.get("steps", {})), (gradients, expected.get("gradients", {}))):
        for name, value in right.items():
            np.testing.assert_allclose(
                numbers(found[name]["value"]), numbers(value), atol=expected["tolerance"], rtol=0
            )
    for name, shape in expected.get("shapes", {}).items():
        assert steps[name]["shape"] == shape
    for name, dtype in expected.get("dtypes", {}).items():
        assert steps[name]["dtype"] == dtype
    if "matrix" in expected:
        np.testing.assert_allclose(body["matrix"]["value"], expected["matrix"], atol=expected["tolerance"])
    assert set(expected.get("warnings", [])) <= {each["code"] for each in body.get("warnings", [])}
    if expected.get("finite"):
        assert all(np.isfinite(numbers(each["value"])).all() for each in gradients.values())
