"""`python -m benchmarks`: measure every row as a ratio, print a table, write JSON."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from . import machine, report
from .row import Effort, Row, Unavailable

FULL, TINY = Effort(seconds=2.0, rounds=9), Effort(seconds=0.01, rounds=2, tiny=True)


def main() -> None:
    arguments = parser().parse_args()
    for name in machine.SLOWING:  # read when a BLAS is loaded: too late for this process
        if os.environ.pop(name, None) is not None:
            os.execv(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]])
    effort = TINY if arguments.tiny else FULL
    found: list[report.Found] = []
    for row in rows(arguments.peers):
        if arguments.only in f"{row.name} {row.against}":
            print(f"measuring {row.name} / {row.against} ...", file=sys.stderr, flush=True)
            try:
                found.append((row, row.measure(effort)))
            except Unavailable as why:
                found.append((row, str(why)))
    print(*report.lines(found, tiny=arguments.tiny), sep="\n")
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    data = {"machine": machine.describe(), "tiny": arguments.tiny, "rows": report.to_data(found)}
    arguments.json.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def rows(peers: bool) -> list[Row]:
    """The peers' environment holds no web framework, and ours no peers."""
    if peers:
        from .rows_peers import ROWS

        return ROWS
    from . import rows_engine, rows_serving, rows_tensors

    return [*rows_engine.ROWS, *rows_tensors.ROWS, *rows_serving.ROWS]


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    made.add_argument("--peers", action="store_true", help="measure against PyTorch and TransformerLens")
    made.add_argument("--only", default="", metavar="TEXT", help="rows whose words contain this text")
    made.add_argument("--tiny", action="store_true", help="only see that every row runs, at a tiny size")
    made.add_argument("--json", type=Path, default=Path("build/benchmarks.json"), help="where figures go")
    return made


if __name__ == "__main__":
    main()
