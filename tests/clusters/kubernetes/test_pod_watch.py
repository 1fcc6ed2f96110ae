"""The list of pods follows the server's watch; what the server has forgotten is listed anew."""

import threading

import pytest

from schedmate.clusters.kubernetes.pod_logs import PodLogs
from schedmate.clusters.kubernetes.pod_watch import PodWatch
from schedmate.clusters.managed import Refused, Unreachable
from tests.clusters.kubernetes.conftest import PODS, pod
from tests.clusters.kubernetes.test_pod_logs import RUNS, lines, text

FAULT = {"code": 500, "message": "etcdserver: leader changed", "metadata": {"resourceVersion": "101"}}


def change(kind, version, name="w-0", phase="Running"):
    item = pod(name, phase)
    item["metadata"]["resourceVersion"] = f"{version}"
    return {"type": kind, "object": item}


def bookmark(version):
    return {"type": "BOOKMARK", "object": {"kind": "Pod", "metadata": {"resourceVersion": f"{version}"}}}


def watched(world):
    return PodWatch(world.api(), PODS, {}, threading.Event())


def phases(watch):
    return {item["metadata"]["name"]: item["status"]["phase"] for item in watch.pods.values()}


def asked(world):
    """Give the version each watch began from; None for a list."""
    return [more.get("resourceVersion") for path, more in world.server.seen if path == PODS]


def test_changes_come_and_a_bookmark_moves_the_version_on(world):
    changes = [
        change("MODIFIED", 101, phase="Failed"), change("ADDED", 102, "w-2"), change("DELETED", 103, "w-1"),
        bookmark(150),
    ]  # fmt: skip
    world.hold([pod("w-0", "Running"), pod("w-1", "Running")], watches={PODS: changes})
    watch = watched(world)
    watch.list()
    watch.watch()
    assert phases(watch) == {"w-0": "Failed", "w-2": "Running"}
    world.hold([], watches={PODS: [*changes, change("DELETED", 151, "w-2")]})
    watch.watch()
    assert phases(watch) == {"w-0": "Failed"}
    assert asked(world) == [None, "100", "150"]


@pytest.mark.parametrize("tells_late", [False, True])
def test_what_the_server_has_forgotten_is_listed_anew(world, tells_late):
    world.hold([pod("w-0", "Running")])
    watch = watched(world)
    watch.list()
    world.hold([pod("w-1", "Running")], forgotten=400, version=500, tells_late=tells_late)
    watch.watch_on()  # it gives way to a list
    watch.list()
    assert phases(watch) == {"w-1": "Running"}
    assert asked(world) == [None, "100", None]


def test_who_may_list_and_not_watch_lists_again(world, monkeypatch):
    monkeypatch.setattr("schedmate.clusters.kubernetes.pod_watch.EVERY_S", 0.01)
    world.hold([pod("w-0", "Running")], unwatched=[PODS])
    watch = watched(world)
    watch.start()
    assert [item["metadata"]["name"] for item in watch.now()] == ["w-0"]
    world.hold([pod("w-1", "Running")], unwatched=[PODS])
    while "w-1" not in phases(watch):
        assert watch.error is None
    watch.over.set()


def test_why_nothing_is_heard_is_said_to_who_asks(world):
    world.hold([], refused=[PODS])
    refused = watched(world)
    refused.start()
    with pytest.raises(Refused, match="cannot list"):
        refused.now()
    world.hold([pod("w-0")], refused=[], watches={PODS: [{"type": "ERROR", "object": {**FAULT}}]})
    odd = watched(world)
    odd.list()
    with pytest.raises(Unreachable, match="etcd"):
        odd.watch()


def test_logs_follow_what_is_watched(world, tmp_path):
    """The whole: a pod that comes while others are watched has its log read."""
    world.hold([], watches={PODS: [{**change("ADDED", 101), "object": late()}]}, logs={"ml/w-0/main": lines(0, 5)})
    logs, over = PodLogs(tmp_path), threading.Event()
    watch = PodWatch(world.api(), PODS, {}, over)
    watch.start()
    while not watch.now():
        assert watch.error is None
    logs.take(world.api(), watch.now())
    over.set()
    assert text(tmp_path) == lines(0, 5)


def late():
    item = pod("w-0", "Running", RUNS)
    item["metadata"]["resourceVersion"] = "101"
    return item
