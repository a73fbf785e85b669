"""What one core carries: `python -m tests.deployment.capacity` prints the table of deploy/README.md.

A request costs the processor time that a worker spends on it, read from the kernel, so that the figures hold
however busy the machine is otherwise; what nginx and the client take is not in them.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from tests.deployment.load import GRADIENT, LIVE, PAGE, ROW, STATE, TRACE, Load, Request
from tests.deployment.stack import PATIENT, wait_for_workers, workers
from tests.serving import Served, serving

REQUESTS = 2000
COMMONEST: dict[str, Request] = {
    "a state of a lecture": STATE,
    "a lecture page": PAGE,
    "a state recomputed (a slider moved)": LIVE,
    "one row of a trace": ROW,
    "a whole trace, 2 tokens": TRACE,
    "a gradient": GRADIENT,
}


def processor_seconds(served: Served) -> float:
    """What the workers have spent so far."""
    ticks = 0
    for pid in workers(served):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def mebibytes(pid: int, name: str) -> float:
    found = re.search(
        rf"^{name}:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), flags=re.MULTILINE
    )
    assert found
    return int(found[1]) / 1024


def per_core(served: Served, request: Request) -> float:
    """Requests a second that one core answers."""
    with Load(served.port, [request], threads=2) as load:
        load.wait_for(200)
    before = processor_seconds(served)
    with Load(served.port, [request], threads=2, seconds=120) as load:
        load.wait_for(REQUESTS, seconds=120)
    assert load.lost == load.refusals == []
    return load.answered / (processor_seconds(served) - before)


def main() -> None:
    """Print the table."""
    say = sys.stdout.write
    say("| request | a second and core |\n|---|---|\n")
    with serving(workers=2, **PATIENT | {"log_level": "info"}) as served:
        wait_for_workers(served, 2)
        for name, request in COMMONEST.items():
            say(f"| {name}: `{request.method} {request.path}` | {per_core(served, request):.0f} |\n")
            sys.stdout.flush()
        sizes = [(mebibytes(pid, "Pss"), mebibytes(pid, "Rss")) for pid in workers(served)]
        say(f"\nmemory of a worker: {max(pss for pss, _ in sizes):.0f} MiB, ")
        say(f"{max(rss for _, rss in sizes):.0f} MiB with what it shares; ")
        say(f"the parent: {mebibytes(served.pid, 'Pss'):.0f} MiB\n")


if __name__ == "__main__":
    main()
