"""An Otter test file: the notebook's `u` is judged by Blockwalk, which says why it is wrong."""

import os

from blockwalk_client import Client
from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 2


@test_case(points=2)
def test_u(u):
    client = Client(os.environ.get("BLOCKWALK_URL", "http://127.0.0.1:8000"), lang="en")
    verdict = client.check("lecture-05", "norm_1.output", u)
    why = "\n".join(each["explanation"] for each in verdict["diagnoses"])
    assert verdict["correct"], f"{verdict['score']:.0%} of the numbers are right.\n{why}"
