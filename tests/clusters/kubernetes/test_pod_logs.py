"""Pods' logs as files: what is new comes once, each run of a container by itself, ends as Kubernetes tells them."""

import pytest

from schedmate.clusters.kubernetes.pod_logs import PodLogs
from schedmate.clusters.log_ends import LogEnd
from schedmate.clusters.managed import Refused
from tests.clusters.kubernetes.conftest import PODS, ended, pod

RUNS = [{"name": "main", "restartCount": 0, "state": {"running": {"startedAt": "2026-06-01T00:00:00Z"}}}]


def lines(first, last, year=2026):
    stamps = (f"{year}-06-01T00:{n // 60:02}:{n % 60:02}.{n:09}Z step {n}/900 loss 1.0\n" for n in range(first, last))
    return "".join(stamps)


def listed(world):
    """Give an API, and the pods that it lists."""
    api = world.api()
    return api, api.items(PODS)


def text(folder, name="w-0", run="main-0"):
    return (folder / "ml" / name / f"{run}.log").read_text()


def test_what_is_new_is_appended_once_and_after_a_restart_of_ours_too(world, tmp_path):
    folder = tmp_path / "pods"
    for last in (10, 10, 25):
        world.hold([pod("w-0", "Running", RUNS)], logs={"ml/w-0/main": lines(0, last)})
        PodLogs(folder).take(*listed(world))
        assert text(folder) == lines(0, last)
    assert [more.get("sinceTime") for path, more in world.server.seen if path.endswith("/log")] == [
        None, "2026-06-01T00:00:09Z", "2026-06-01T00:00:09Z",
    ]  # fmt: skip


def test_ends_are_known_and_a_run_that_is_over_is_read_once(world, tmp_path):
    logs = PodLogs(tmp_path)
    failed = pod("w-0", containers=[ended(137, "OOMKilled")])
    world.hold([failed, pod("w-1", "Succeeded", [ended(0, "Completed")])], logs={"ml/w-0/main": lines(0, 9)})
    logs.take(*listed(world))
    logs.take(*listed(world))
    assert logs.end_of(str(tmp_path / "ml/w-0/main-0.log")) == LogEnd("OOMKilled 137")
    assert logs.end_of(str(tmp_path / "ml/w-1/main-0.log")).well
    assert sum(path.endswith("w-0/log") for path, _ in world.server.seen) == 1


def test_a_restart_begins_a_file_of_its_own(world, tmp_path):
    logs = PodLogs(tmp_path)
    again = ended(1, "Error", restarts=1, again={"running": {"startedAt": "2026-06-01T03:00:00Z"}})
    world.hold([pod("w-0", "Running", [again])], logs={"ml/w-0/main/previous": lines(0, 5), "ml/w-0/main": lines(7, 9)})
    logs.take(*listed(world))
    assert (text(tmp_path), text(tmp_path, run="main-1")) == (lines(0, 5), lines(7, 9))
    assert logs.end_of(str(tmp_path / "ml/w-0/main-0.log")) == LogEnd("Error 1")
    assert logs.end_of(str(tmp_path / "ml/w-0/main-1.log")) is None


@pytest.mark.parametrize(("year", "is_kept"), [(2999, True), (1999, False)])
def test_a_pod_that_is_deleted_is_over_and_its_log_goes_after_an_hour(world, tmp_path, year, is_kept):
    logs = PodLogs(tmp_path)
    world.hold([pod("w-0", "Running", RUNS)], logs={"ml/w-0/main": lines(0, 5, year)})
    logs.take(*listed(world))
    world.hold([])
    logs.take(*listed(world))
    path = tmp_path / "ml/w-0/main-0.log"
    assert logs.end_of(str(path)) == (LogEnd(is_meant=True) if is_kept else None)
    assert path.exists() == is_kept


def test_names_that_are_none_reach_no_file(world, tmp_path):
    odd = pod("w-0", "Running", [{**RUNS[0], "name": "../../../x"}])
    world.hold([odd], logs={})
    PodLogs(tmp_path / "pods").take(*listed(world))
    assert not (tmp_path / "pods").exists()


def test_logs_that_may_not_be_read_are_passed_over_and_pods_that_may_not_are_said(world, tmp_path):
    logs = PodLogs(tmp_path)
    pods = [pod("w-0", "Running", RUNS), pod("w-1", "Running", RUNS)]
    world.hold(pods, logs={"ml/w-1/main": lines(0, 5)}, refused=["/api/v1/namespaces/ml/pods/w-0/log"])
    logs.take(*listed(world))
    assert text(tmp_path, "w-1") == lines(0, 5)
    world.hold([], refused=[PODS])
    with pytest.raises(Refused):
        logs.take(*listed(world))
