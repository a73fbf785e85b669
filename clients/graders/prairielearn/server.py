"""A PrairieLearn question: every variant is another exercise, and Blockwalk says why an answer is wrong.

The service's address stands in BLOCKWALK_URL; PrairieLearn must be allowed to reach it. Choose topic,
difficulty and language below.
"""

import json
import os
from urllib.request import Request, urlopen

import numpy as np
import prairielearn as pl

URL = os.environ.get("BLOCKWALK_URL", "http://127.0.0.1:8000")
EXERCISE = {"topic": "add_and_norm", "difficulty": 1, "lang": "en"}


def post(path, body):
    """Send JSON, receive JSON."""
    request = Request(
        URL + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Accept-Language": EXERCISE["lang"]},
    )
    with urlopen(request, timeout=20) as answer:
        return json.load(answer)


def generate(data):
    """Make the variant's exercise; its seed gives the same one again."""
    exercise = post("/exercises", {**EXERCISE, "seed": int(data["variant_seed"])})
    data["params"]["statement"] = exercise["statement"]
    data["params"]["given"] = [
        {"symbol": each["symbol"], "latex": latex(np.array(each["value"]))} for each in exercise["given"]
    ]
    data["params"]["asked"] = [
        {
            "name": f"answer{i}",
            "label": each["label"],
            "symbol": each["symbol"],
            "rows": int(np.prod(each["shape"][:-1])),
            "columns": each["shape"][-1],
            "shape": each["shape"],
            "check": each["check"],
        }
        for i, each in enumerate(exercise["asked"])
    ]


def grade(data):
    """Judge every part, each on the student's own numbers for the parts before it."""
    carried, reasons = {}, []
    for part in data["params"]["asked"]:
        check = part["check"]
        numbers = pl.from_json(data["submitted_answers"][part["name"]])
        answer = np.asarray(numbers).reshape(part["shape"]).tolist()
        own = carried.setdefault(json.dumps(check["trace"]), {})
        verdict = post("/checks", {**check, "answer": answer, "carried": dict(own)})
        if "jacobian" not in check:
            own[check["step"]] = answer
        data["partial_scores"][part["name"]] = {"score": verdict["score"]}
        reasons += [f"{part['label']}: {each['explanation']}" for each in verdict["diagnoses"][:1]]
    data["feedback"]["why"] = reasons
    pl.set_weighted_score_data(data)


def latex(value):
    """A matrix; a stack of matrices, one after the other."""
    if value.ndim > 2:
        return r"\quad ".join(latex(each) for each in value)
    body = r" \\ ".join(" & ".join(f"{number:g}" for number in row) for row in np.atleast_2d(value))
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
