"""A Flask route that returns bytes it was given at the start: the least that serving a state can cost.

Run by the same gunicorn with the same settings as the service, next to it.
"""

from __future__ import annotations

import os
from pathlib import Path

from flask import Flask, Response

app = Flask("bare", static_folder=None)
BODY = Path(os.environ["BENCH_BODY"]).read_bytes()


@app.get("/")
def same() -> Response:
    return Response(BODY, mimetype="application/json")
