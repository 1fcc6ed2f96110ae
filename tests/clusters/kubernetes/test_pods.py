"""How a pod ended, told apart by states and events as well as by its log."""

import pytest

from schedmate import diagnose
from schedmate.clusters.kubernetes.diagnosing import diagnose_pod
from schedmate.clusters.managed import Refused, Unreachable
from schedmate.errors import InputError
from tests.clusters.kubernetes.conftest import PODS, ended, event, node, pod

STEPS = "".join(f"step {n}/900 loss {2 - n / 900:.3f}\n" for n in range(1, 40))
TRACEBACK = 'Traceback (most recent call last):\n  File "train.py", line 7, in <module>\nIndexError: out of range\n'


def read(path, exited):
    return diagnose(path, engine="built-in", exited=exited)


def told(world, **more):
    return diagnose_pod(world.api(), "ml/w-0", read)


def test_the_error_of_its_own_code_is_in_its_log(world):
    world.hold([pod("w-0", containers=[ended(1, "Error")])], logs={"ml/w-0/main": STEPS + TRACEBACK})
    found = told(world)
    assert (found.category, found.failure_id) == ("script", "python.index_error")
    assert (found.log, found.root_path, found.root_line) == ("ml/w-0/main", "ml/w-0/main", 42)
    assert found.root_pod == "ml/w-0"
    assert "kubernetes" in found.systems


def test_the_log_before_the_restart_is_read(world):
    crash = ended(1, "Error", restarts=4, again={"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}})
    logs = {"ml/w-0/main/previous": STEPS + TRACEBACK, "ml/w-0/main": "starting\n"}
    world.hold([pod("w-0", "Running", [crash])], logs=logs)
    found = told(world)
    assert (found.failure_id, found.log) == ("python.index_error", "ml/w-0/main (previous)")
    assert "its containers were started again 4 times" in found.notes


def disrupted(reason):
    told = {"type": "DisruptionTarget", "status": "True", "reason": reason, "message": "as the controller puts it"}
    return pod("w-0", containers=[ended(137, "Error")], conditions=[told])


def queued(reason):
    """A pod that Kueue stops, as its pod controller says it."""
    message = "Preempted to accommodate a workload (UID: 4b1f, JobUID: 77aa) due to prioritization in the ClusterQueue"
    told = {"type": "TerminationTarget", "status": "True", "reason": reason, "message": message}
    return pod("w-0", containers=[ended(143, "Error")], conditions=[told])


def waits(reason, message="", **more):
    state = {"waiting": {"reason": reason, "message": message}}
    return pod("w-0", "Pending", [{"name": "main", "state": state}], **more)


RUNS = [{"name": "main", "state": {"running": {"startedAt": "2026-06-01T00:00:00Z"}}}]
LOW = "The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi"
FULL = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
FULL["message"] = "0/8 nodes are available: 8 Insufficient nvidia.com/gpu."
LATE = "Pod was active on the node longer than the specified deadline"
MOUNT = ("FailedMount", 'MountVolume.SetUp failed for volume "data" : mount failed: exit status 32')
WAYS = {
    "killed for memory": (pod("w-0", containers=[ended(137, "OOMKilled")]), STEPS, "exit.memory_limit"),
    "evicted": (pod("w-0", reason="Evicted", message=LOW), None, "scheduler.k8s_evicted"),
    "evicted with a log": (
        pod("w-0", containers=[ended(137, "Error")], reason="Evicted", message=LOW),
        STEPS,
        "exit.evicted",
    ),
    "preempted": (disrupted("PreemptionByScheduler"), STEPS, "exit.preempted"),
    "its queue took its place": (queued("WorkloadEvictedDueToPreempted"), STEPS, "exit.preempted"),
    "its node is gone": (pod("w-0", "Running", RUNS), STEPS, "exit.node_failed"),
    "taken off a node that is gone": (disrupted("DeletionByTaintManager"), STEPS, "exit.node_failed"),
    "no image": (waits("ImagePullBackOff", "Back-off pulling image"), None, "scheduler.k8s_image_pull"),
    "no room": (pod("w-0", "Pending", node="", conditions=[FULL]), None, "scheduler.k8s_unschedulable"),
    "its time was over": (pod("w-0", reason="DeadlineExceeded", message=LATE), None, "scheduler.k8s_deadline"),
    "a mount that hangs": (waits("ContainerCreating"), None, "scheduler.k8s_volume_mount"),
}
CATEGORY = {"its time was over": "other"}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_end_are_told_apart(world, way):
    item, log, failure_id = WAYS[way]
    events = [event(item, *MOUNT)] if "mount" in way else []
    world.hold([item], events, [node(ready="Unknown" if way == "its node is gone" else "True")],
               {} if log is None else {"ml/w-0/main": log})  # fmt: skip
    found = told(world)
    assert (found.category, found.failure_id) == (CATEGORY.get(way, "infrastructure"), failure_id)
    assert bool([one.quote for one in found.evidence if one.note == "Kubernetes"]) == (log is not None)
    if "node" in way:
        assert found.faulty_components == ("gpu-7",)
    if "memory" in way:
        assert (found.subcategory, found.faulty_components, found.should_restart) == ("node", (), "no")


def test_a_pod_that_is_well_is_not_blamed(world):
    world.hold([pod("w-0", "Running", [{"name": "main", "state": {"running": {}}}])], logs={"ml/w-0/main": STEPS})
    assert told(world).category == "none"


def test_events_and_nodes_that_may_not_be_read_are_missed_and_said(world):
    item = pod("w-0", containers=[ended(1, "Error")])
    refused = ["/api/v1/namespaces/ml/events", "/api/v1/nodes/gpu-7"]
    world.hold([item], logs={"ml/w-0/main": TRACEBACK}, refused=refused)
    found = told(world)
    assert found.failure_id == "python.index_error"
    assert sum("could not be read" in note for note in found.notes) == 2


def test_a_pod_that_may_not_be_read_or_is_not_there(world):
    world.hold([pod("w-0")], refused=["/api/v1/namespaces/ml/pods/w-0"])
    with pytest.raises(Refused, match="forbidden"):
        told(world)
    with pytest.raises(Refused, match="not found"):
        diagnose_pod(world.api(), "ml/other", read)
    for name in ("w-0", "/w-0", "ml/../x", "ml/w-0/x", "ml/w?0"):
        with pytest.raises(InputError):
            diagnose_pod(world.api(), name, read)


def test_a_server_that_is_silent_is_said(world):
    world.hold([pod("w-0")], silent=["/api/v1/namespaces/ml/pods/w-0"])
    with pytest.raises(Unreachable, match="no answer within"):
        diagnose_pod(world.api(0.2), "ml/w-0", read)


def test_lists_come_in_pages_and_begin_anew_where_the_server_forgot(world):
    world.hold([pod(f"w-{n}") for n in range(25)], page=10, expired=[PODS])
    names = [item["metadata"]["name"] for item in world.api().items(PODS)]
    assert names == [f"w-{n}" for n in range(25)]
    asked = [more.get("continue") for path, more in world.server.seen if path == PODS]
    assert asked == [None, "10", None, "10", "20"]
