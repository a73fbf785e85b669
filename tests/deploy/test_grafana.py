"""The dashboard asks for metrics that there are."""

from __future__ import annotations

import json
import re

import pytest

from service.observe.metrics import Counts
from tests.deploy.files import DEPLOY

DASHBOARD = json.loads((DEPLOY / "grafana" / "blockwalk.json").read_text())
METRICS = {name: metric for name, metric in vars(Counts()).items() if name != "on"}
SAMPLES = {
    f"{metric._name}_{suffix}": {*metric._labelnames, "le"}
    for metric in METRICS.values()
    for suffix in (("total",) if metric._type == "counter" else ("bucket", "count", "sum"))
}
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_names_metrics_and_labels_that_exist(query: str) -> None:
    asked = re.findall(r"blockwalk_\w+", query)
    assert asked
    assert set(asked) <= SAMPLES.keys()
    labels = {each.strip() for group in re.findall(r"by \(([^)]*)\)", query) for each in group.split(",")}
    assert labels <= set.union(*(SAMPLES[name] for name in asked))


def test_every_metric_is_on_the_dashboard() -> None:
    shown = set(re.findall(r"blockwalk_\w+", " ".join(QUERIES)))
    assert {metric._name for metric in METRICS.values()} <= {
        re.sub(r"_(total|bucket|count|sum)$", "", name) for name in shown
    }


def test_panels_do_not_overlap() -> None:
    cells = [
        (x, y)
        for panel in DASHBOARD["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
