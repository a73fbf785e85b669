"""The manifests, against Kubernetes' own schemas and against the service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.deploy.files import DEPLOY, documents, settings_from

BASE = DEPLOY / "kubernetes" / "base"
OVERLAY = DEPLOY / "kubernetes" / "overlays" / "department"
VERSION = "1.30"  # the oldest that the manifests are written for: preStop sleep
(BUILD,) = documents(BASE / "kustomization.yaml")
SETTINGS = dict(line.split("=", 1) for line in (BASE / "settings.env").read_text().splitlines())


def generated() -> list[dict[str, Any]]:
    """What kustomize makes of the generators."""
    return [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": each["name"]}, "data": SETTINGS}
        for each in BUILD["configMapGenerator"]
    ]


OBJECTS = [
    *(each for name in BUILD["resources"] for each in documents(BASE / name)),
    *generated(),
]


def one(kind: str, name: str = "blockwalk") -> dict[str, Any]:
    (found,) = (each for each in OBJECTS if (each["kind"], each["metadata"]["name"]) == (kind, name))
    return found


POD = one("Deployment")["spec"]["template"]
CONTAINER = POD["spec"]["containers"][0]


@pytest.mark.parametrize("each", OBJECTS, ids=lambda each: f"{each['kind']}/{each['metadata']['name']}")
def test_every_object_is_valid_by_the_schema_of_kubernetes(each: dict[str, Any]) -> None:
    kubernetes_validate.validate(each, VERSION, strict=True)


def test_the_validator_sees_a_wrong_word() -> None:
    wrong = yaml.safe_load(yaml.safe_dump(one("Deployment")))
    wrong["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSION, strict=True)


def test_every_file_is_listed_and_every_listed_file_exists() -> None:
    generators = {name for each in BUILD["configMapGenerator"] for name in each["envs"]}
    assert {path.name for path in BASE.iterdir()} == {*BUILD["resources"], *generators, "kustomization.yaml"}


def test_all_that_a_department_needs_is_there() -> None:
    kinds = {each["kind"] for each in OBJECTS}
    assert kinds >= {
        "ConfigMap", "Deployment", "HorizontalPodAutoscaler", "Ingress", "NetworkPolicy",
        "PodDisruptionBudget", "Service",
    }  # fmt: skip


def test_the_service_starts_with_the_settings_of_the_config_map(monkeypatch: pytest.MonkeyPatch) -> None:
    of = settings_from(SETTINGS, monkeypatch)
    ports = {each["name"]: each["containerPort"] for each in CONTAINER["ports"]}
    assert ports == {"http": of.port, "metrics": of.metrics_port}
    assert POD["metadata"]["annotations"]["prometheus.io/port"] == str(of.metrics_port)
    assert of.rate_store == f"redis://{one('Service', 'blockwalk-valkey')['metadata']['name']}:6379"


def test_the_department_s_settings_are_settings_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (overlay,) = documents(OVERLAY / "kustomization.yaml")
    said = dict(line.split("=", 1) for each in overlay["configMapGenerator"] for line in each["literals"])
    of = settings_from(SETTINGS | said, monkeypatch)
    mounts = {each["name"]: each["mountPath"] for each in CONTAINER["volumeMounts"]}
    assert str(Path(of.keys_file).parent) == mounts["keys"]
    assert (OVERLAY / Path(of.keys_file).name).exists()


def test_a_stopping_pod_has_time_to_end_what_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    of = settings_from(SETTINGS, monkeypatch)
    wait = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert POD["spec"]["terminationGracePeriodSeconds"] > wait + of.graceful_seconds


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_probes_ask_what_the_service_answers(probe: str, client: Any) -> None:
    assert client.get(CONTAINER[probe]["httpGet"]["path"]).status_code == 200


@pytest.mark.parametrize("name", ["blockwalk", "blockwalk-valkey"])
def test_containers_have_no_rights_that_they_do_not_need(name: str) -> None:
    spec = one("Deployment", name)["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"]["memory"]


def test_selectors_select_the_pods_that_there_are() -> None:
    for name in ("blockwalk", "blockwalk-valkey"):
        labels = one("Deployment", name)["spec"]["template"]["metadata"]["labels"]
        assert one("Deployment", name)["spec"]["selector"]["matchLabels"] == labels
        assert one("Service", name)["spec"]["selector"] == labels
        assert one("NetworkPolicy", name)["spec"]["podSelector"]["matchLabels"] == labels
    assert one("PodDisruptionBudget")["spec"]["selector"] == one("Deployment")["spec"]["selector"]
    assert one("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]["name"] == "blockwalk"


def test_the_autoscaler_keeps_more_than_the_disruption_budget_takes() -> None:
    least = one("HorizontalPodAutoscaler")["spec"]["minReplicas"]
    assert least > one("PodDisruptionBudget")["spec"]["minAvailable"]
