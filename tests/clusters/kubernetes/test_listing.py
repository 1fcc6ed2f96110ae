"""What the cluster remembers of jobs becomes one file that the history reads."""

import json

import pytest

from schedmate.clusters.kubernetes.listing import write_objects
from schedmate.clusters.managed import Refused
from schedmate.history.importers.reading import open_history_file
from tests.clusters.kubernetes.conftest import PODS, ended, pod


def groups(*names):
    return [{"name": name.partition("/")[0], "preferredVersion": {"groupVersion": name}} for name in names]


def job(name, uid):
    template = {"spec": {"containers": [{"name": "main", "command": ["python"], "image": "x"}]}}
    status = {"startTime": "2026-06-01T00:00:00Z", "conditions": [{"type": "Complete", "status": "True"}]}
    return {
        "metadata": {"name": name, "namespace": "ml", "uid": uid},
        "spec": {"template": template},
        "status": status | {"completionTime": "2026-06-01T01:00:00Z"},
    }


def imported(world, tmp_path, namespace=""):
    path = tmp_path / "objects.json"
    with path.open("w") as file:
        notes = write_objects(world.api(), namespace, file, lambda done, total: None)
    assert json.loads(path.read_text())["kind"] == "List"
    with open_history_file(f"{path}:kubernetes") as (reading, jobs):
        found = {past.job.name: past.job.status for past in jobs}
    assert reading.bad.count == 0, reading.bad.shown
    return found, notes


def test_jobs_of_all_kinds_that_are_served_and_pods_of_none(world, tmp_path):
    own = pod("alone", containers=[ended(1, "Error", startedAt="2026-06-01T01:00:00Z")])
    part = pod("idx-0") | {"metadata": {**pod("idx-0")["metadata"], "ownerReferences": [{"kind": "Job", "uid": "u1"}]}}
    items = [{key: value for key, value in one.items() if key not in {"kind", "apiVersion"}} for one in (own, part)]
    world.told["lists"] |= {"/apis/batch/v1/jobs": [job("idx", "u1"), job("other", "u2")]}
    world.hold(items, groups=groups("batch/v1", "kubeflow.org/v1", "apps/v1"), page=1)
    found, notes = imported(world, tmp_path)
    assert found == {"idx": "completed", "other": "completed", "alone": "failed"}
    assert notes == ()
    asked = {path for path, _ in world.server.seen}
    assert "/apis/kubeflow.org/v1/pytorchjobs" in asked
    assert not any("ray.io" in path for path in asked)


def test_what_may_not_be_listed_is_said_and_no_pods_at_all_is_an_error(world, tmp_path):
    world.told["lists"] |= {"/apis/batch/v1/jobs": []}
    world.hold(
        [pod("alone", containers=[ended(1, "Error")])], groups=groups("batch/v1"), refused=["/apis/batch/v1/jobs"]
    )
    found, notes = imported(world, tmp_path)
    assert list(found) == ["alone"]
    assert "forbidden" in notes[0]
    world.hold([], groups=groups("batch/v1"), refused=["/apis/batch/v1/jobs", PODS])
    with pytest.raises(Refused, match="forbidden"):
        imported(world, tmp_path)
