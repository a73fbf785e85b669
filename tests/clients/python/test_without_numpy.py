"""The client where NumPy is not installed gives the same numbers in lists.

It runs in a process in which NumPy cannot be imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from blockwalk_client import Client

SOURCE = Path(__file__).parents[3] / "clients" / "python" / "src"
PROGRAM = """
import json, sys
sys.modules["numpy"] = None
from blockwalk_client import Client
import blockwalk_client.arrays
assert blockwalk_client.arrays.np is None
request, binary = json.loads(sys.argv[2]), sys.argv[3] == "binary"
with Client(sys.argv[1]) as client:
    trace = client.trace(request, binary=binary)
assert type(trace.output.value) is list
assert trace["x"][0] == trace["x"].value[0]
print(json.dumps({
    "trace": trace.to_dict(),
    "html": trace._repr_html_(),
    "repr": repr(trace),
    "first head": trace["attention.weights"].at(head=0, key=1) if "attention.weights" in trace else None,
    "masked": repr(trace["attention.masked_scores"].at(head=0, query=0, key=2)),
}))
"""


def run(base_url: str, request: dict[str, Any], transfer: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, base_url, json.dumps(request), transfer],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("transfer", ["binary", "json"])
def test_lists_hold_the_same_numbers_as_arrays(
    client: Client, base_url: str, dtype: str, transfer: str
) -> None:
    request = client.example("lecture-05-causal")
    request["block"] |= {"dtype": dtype}
    request["parameters"]["norm_1.gamma"] = [0.1, 0.2, 0.3, 1]
    expected = client.trace(request)
    answer = run(base_url, request, transfer)
    assert answer["trace"] == expected.to_dict()
    assert answer["html"] == expected._repr_html_()
    assert answer["repr"] == repr(expected)
    assert answer["first head"] == expected["attention.weights"].at(head=0, key=1).tolist()
    assert answer["masked"] == "-inf"
