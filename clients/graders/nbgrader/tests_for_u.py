# The "Autograder tests" cell after one in which the student computes `u`. Its last line is the points.
import os

from blockwalk_client import Client

client = Client(os.environ.get("BLOCKWALK_URL", "http://127.0.0.1:8000"), lang="en")
verdict = client.check("lecture-05", "norm_1.output", u)
for diagnosis in verdict["diagnoses"]:
    print(diagnosis["explanation"])
4 * verdict["score"]  # out of 4 points
