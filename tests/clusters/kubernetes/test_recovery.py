"""A dead pod's recovery: the steps and guard rails of every other, on nodes and pods of the tests' own API."""

import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from schedmate.answers import adapters
from schedmate.clusters.kubernetes.site import AT, BACK, SIGN, KubernetesSite
from schedmate.clusters.managed import Refused
from schedmate.errors import InputError, SchedMateError
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.pod_failures import open_pod_failures
from schedmate.schemas import Diagnosis
from tests.clusters.kubernetes.conftest import ended, kubectl_config, node, pod

NODES = [node(f"gpu-{n}") for n in range(8)]
OWNER = [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "llm", "uid": "s", "controller": True}]
GPU = {"category": "infrastructure", "subcategory": "gpu", "failure_id": "gpu.xid_79", "root_host": "gpu-7"}
XID = Diagnosis(**GPU, should_restart="elsewhere", confidence=0.9)
KEY_ERROR = Diagnosis(category="script", failure_id="python.key_error", should_restart="no", confidence=0.9)


def dead(name="w-0", owner=OWNER, **more):
    made = pod(name, containers=[ended(1, "Error")], **more)
    made["metadata"]["ownerReferences"] = owner or []
    return made


def ill(name="gpu-7", **spec):
    made = node(name)
    made["status"]["conditions"].append({"type": "XidErrors", "status": "True", "message": "Xid 79"})
    made["spec"] |= spec
    return made


class Bench:
    """Recoveries on the tests' cluster; each call opens the files anew, as each command does."""

    def __init__(self, world, folder, rules):
        self.world, self.folder, self.rules = world, folder, rules
        self.site, self.said = KubernetesSite(world.api()), []

    def begin(self, mode, diagnosis=XID, name="ml/w-0"):
        with open_pod_failures(self.folder, self.rules, self.said.append) as failures:
            return failures.begin(self.site, self.site.look_up(name), diagnosis, mode)[1]

    def answer(self, action, word="approve", name="ml/w-0"):
        with open_pod_failures(self.folder, self.rules, self.said.append) as failures:
            return failures.answer(self.site, name, action, word, "ann")

    def undo(self, action, name="ml/w-0"):
        with open_pod_failures(self.folder, self.rules, self.said.append) as failures:
            return failures.undo(self.site, name, action, "ann")

    def node(self, name="gpu-7"):
        found = self.world.now()["/api/v1/nodes"]
        return next(one for one in found if one["metadata"]["name"] == name)

    def is_cordoned(self, name="gpu-7"):
        return bool(self.node(name)["spec"].get("unschedulable"))

    @property
    def pods(self):
        return [one["metadata"]["name"] for one in self.world.now()["/api/v1/pods"]]

    @property
    def changes(self):
        return [seen for seen in self.world.server.seen if seen[0] in {"PATCH", "DELETE", "POST", "PUT"}]


@pytest.fixture
def bench(world, tmp_path):
    world.hold([dead()], nodes=[*NODES[:7], ill()], writes=True)
    return Bench(world, tmp_path / "kubernetes", Rules())


def step(told, kind):
    return next(one for one in told["steps"] if one["kind"] == kind)


def test_whoever_observes_changes_nothing(bench):
    told = bench.begin("observe")
    assert {one["event"] for one in told["steps"]} <= {"observed", "done", "refused"}
    assert step(told, "isolate")["detail"].startswith("cordon gpu-7")
    assert step(told, "restart")["detail"] == "delete pod ml/w-0, so that StatefulSet llm starts another"
    assert bench.changes == []


def test_nothing_is_done_before_a_person_says_so_and_then_one_step_after_the_other(bench):
    told = bench.begin("suggest")
    assert told["proposed"]["kind"] == "isolate"
    assert bench.changes == []
    with pytest.raises(InputError, match="not proposed"):
        bench.answer(99)
    told = bench.answer(told["proposed"]["action"])
    assert bench.is_cordoned()
    assert bench.node()["metadata"]["annotations"][SIGN].startswith("uid-w-0.0.suggest.")
    assert told["proposed"]["kind"] == "restart"
    assert bench.pods == ["w-0"]
    told = bench.answer(told["proposed"]["action"])
    assert bench.pods == []
    assert [step(told, kind)["event"] for kind in ("isolate", "restart")] == ["done", "done"]


def test_only_the_one_word_is_a_yes(bench):
    told = bench.begin("suggest")
    told = bench.answer(told["proposed"]["action"], "yes")
    assert step(told, "isolate")["event"] == "rejected"
    bench.answer(told["proposed"]["action"], "reject")
    assert bench.changes == []


def test_what_a_log_alone_says_cordons_no_node_until_a_person_vouches_for_it(bench):
    bench.world.hold([dead()], nodes=NODES, writes=True)
    told = bench.begin("act")
    isolate = step(told, "isolate")
    assert (isolate["event"], bench.is_cordoned()) == ("unproven", False)
    told = bench.answer(isolate["id"])
    assert (step(told, "isolate")["event"], bench.is_cordoned()) == ("done", True)


def test_what_the_cluster_itself_says_of_its_node_is_evidence(bench):
    told = bench.begin("act")
    assert (step(told, "isolate")["event"], bench.is_cordoned(), bench.pods) == ("done", True, [])
    assert "XidErrors" in step(told, "health_check")["detail"]


def test_a_node_comes_back_by_undo_and_is_then_left_alone(bench):
    isolate = step(bench.begin("act"), "isolate")
    assert bench.undo(isolate["id"]) == "gpu-7 takes jobs again"
    assert not bench.is_cordoned()
    assert SIGN not in bench.node()["metadata"]["annotations"]
    assert BACK in bench.node()["metadata"]["annotations"]
    with pytest.raises(InputError, match="no step"):
        bench.undo(isolate["id"])
    bench.world.hold([dead("w-1")], nodes=bench.world.now()["/api/v1/nodes"], writes=True)
    again = step(bench.begin("act", name="ml/w-1"), "isolate")
    assert again["event"] == "refused"
    assert "a person brought gpu-7 back" in again["detail"]


def test_a_deleted_pod_does_not_come_back(bench):
    restart = step(bench.begin("act"), "restart")
    with pytest.raises(InputError, match="does not come back"):
        bench.undo(restart["id"])


def test_what_others_cordoned_stays_theirs(bench):
    bench.world.hold([dead()], nodes=[*NODES[:7], ill(unschedulable=True)], writes=True)
    isolate = step(bench.begin("act"), "isolate")
    assert (isolate["event"], isolate["detail"]) == ("refused", "gpu-7 is isolated already")
    assert SIGN not in bench.node()["metadata"].get("annotations", {})


def test_a_mark_that_somebody_changed_is_not_taken_back(bench):
    isolate = step(bench.begin("act"), "isolate")
    theirs = bench.world.now()["/api/v1/nodes"]
    theirs[-1]["metadata"]["annotations"][SIGN] = "another"
    bench.world.hold([], nodes=theirs, writes=True)
    with pytest.raises(InputError, match="no mark"):
        bench.undo(isolate["id"])
    assert bench.is_cordoned()


def test_the_breaker_counts_what_was_cordoned_lately_wherever_it_was_decided(bench):
    marked, now = [], f"{datetime.fromtimestamp(time.time(), UTC):%FT%TZ}"
    for number in (0, 1):
        one = node(f"gpu-{number}")
        one["spec"]["unschedulable"] = True
        one["metadata"]["annotations"] = {
            SIGN: "uid-x.0.act.2",
            AT: now,
        }
        marked.append(one)
    bench.world.hold([dead()], nodes=[*marked, *NODES[2:7], ill()], writes=True)
    isolate = step(bench.begin("act"), "isolate")
    assert isolate["event"] == "refused"
    assert isolate["detail"] == "the circuit breaker is open: 2 of 8 nodes were cordoned lately, 2 may be"
    assert not bench.is_cordoned()


def test_a_node_that_somebody_uncordoned_behind_our_back_is_left_alone(bench):
    bench.begin("act")
    nodes = bench.world.now()["/api/v1/nodes"]
    nodes[-1]["spec"].pop("unschedulable")
    bench.world.hold([dead("w-1")], nodes=nodes, writes=True)
    assert "a person brought gpu-7 back" in step(bench.begin("act", name="ml/w-1"), "isolate")["detail"]


@pytest.mark.parametrize(
    ("owner", "jobs", "why"),
    [
        ([], [], "no controller"),
        ("Job", [("Failed", "True")], "its Job llm is over (Failed)"),
        ("Job", None, "its Job llm is gone"),
        ("Job", [("Suspended", "False")], ""),
    ],
)
def test_a_pod_is_deleted_only_where_somebody_starts_another(bench, owner, jobs, why):
    place = "/apis/batch/v1/jobs"
    kept = [{"apiVersion": "batch/v1", "kind": "Job", "name": "llm", "uid": "j", "controller": True}] if owner else []
    status = {"conditions": [{"type": kind, "status": value} for kind, value in jobs or ()]}
    job = {"metadata": {"name": "llm", "namespace": "ml", "uid": "j"}, "status": status}
    bench.world.told["lists"][place] = [] if jobs is None else [job]
    bench.world.hold([dead(owner=kept)], nodes=[*NODES[:7], ill()], writes=True)
    restart = step(bench.begin("act"), "restart")
    assert (restart["event"], bench.pods) == (("refused", ["w-0"]) if why else ("done", []))
    assert why in restart["detail"]


def test_a_pod_that_has_another_of_its_name_or_runs_again_is_not_deleted(bench):
    told = bench.begin("suggest")
    told = bench.answer(told["proposed"]["action"])
    other = dead()
    other["metadata"]["uid"] = "uid-another"
    bench.world.hold([other], nodes=bench.world.now()["/api/v1/nodes"], writes=True)
    assert step(bench.answer(told["proposed"]["action"]), "restart")["event"] != "done"
    assert bench.pods == ["w-0"]
    bench.world.hold([pod("w-0", "Running", [{"name": "main", "restartCount": 0, "state": {"running": {}}}])],
                     nodes=NODES, writes=True)  # fmt: skip
    assert bench.site.state_of("ml/w-0", "uid-w-0") == "running"
    with pytest.raises(SchedMateError, match="UID"):
        bench.site.api.delete("/api/v1/namespaces/ml/pods/w-0", {"preconditions": {"uid": "uid-before"}})


def test_a_pod_on_a_lost_node_is_dead_whatever_its_phase_says(bench):
    bench.world.hold([pod("w-0", "Running")], nodes=[node(ready="Unknown")], writes=True)
    assert bench.site.state_of("ml/w-0", "uid-w-0") == "dead"


def test_a_fault_of_the_program_changes_nothing(bench):
    told = bench.begin("act", KEY_ERROR)
    assert bench.changes == []
    assert step(told, "hold")["event"] == "refused"


def test_one_job_is_not_restarted_for_ever(bench):
    events = []
    for number in range(5):
        bench.world.hold([dead(f"w-{number}")], nodes=NODES, writes=True)
        told = bench.begin("act", XID, f"ml/w-{number}")
        events.append([one["event"] for one in told["steps"] if one["kind"] == "restart"])
    assert events[:2] == [["done"], ["done"]]
    assert events[3:] == [[], []]


def test_a_kubelet_that_writes_to_its_node_meanwhile_is_no_obstacle(bench):
    bench.world.hold([dead()], nodes=[*NODES[:7], ill()], writes=True, raced=["/api/v1/nodes/gpu-7"])
    assert step(bench.begin("act"), "isolate")["event"] == "done"
    assert [method for method, path in bench.changes if path == "/api/v1/nodes/gpu-7"] == ["PATCH", "PATCH"]


def test_who_may_not_is_told_which_right_is_missing(bench):
    bench.world.hold([dead()], nodes=[*NODES[:7], ill()], writes=True, refused=["/api/v1/namespaces/ml/pods/w-0"])
    with pytest.raises(Refused, match="cannot list"):
        bench.site.look_up("ml/w-0")
    bench.world.told.pop("refused")
    bench.world.hold([dead()], nodes=[*NODES[:7], ill()], fixed=["/api/v1/nodes/gpu-7"])
    isolate = step(bench.begin("act"), "isolate")
    assert (isolate["event"], bench.is_cordoned()) == ("failed", False)
    assert 'User "ann" cannot patch resource at /api/v1/nodes/gpu-7' in isolate["detail"]


@pytest.mark.parametrize("name", ["w-0", "ml/", "/w-0", "ml/../w-0", "ml/w-0/log", "ml/w 0", "ml/w-0?x=1", "ML/W"])
def test_no_name_leads_anywhere_else(bench, name):
    with pytest.raises(InputError, match="names no pod"):
        bench.site.look_up(name)
    assert bench.world.server.seen == []


def test_two_at_once_are_one(bench):
    with open_pod_failures(bench.folder, Rules(), print), pytest.raises(InputError, match="another recovery"):
        bench.begin("act")


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_the_commands_through_the_real_kubectl(world, tmp_path):
    lost = dead(reason="NodeLost")
    world.hold([lost], nodes=[*NODES[:7], node(ready="Unknown")], writes=True)
    told = {"KUBECONFIG": kubectl_config(world, tmp_path), "SCHEDMATE_DATA_DIR": str(tmp_path / "data")}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **told}

    def schedmate(*words):
        command = [sys.executable, "-P", "-m", "schedmate", "kubernetes", *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)

    done = schedmate("recover", "ml/w-0", "--mode", "suggest", "--json")
    assert done.returncode == 0, done.stderr
    adapters()["kubernetes-recover"][1].validate_json(done.stdout)
    waiting = json.loads(done.stdout)["proposed"]
    steps = 0
    while waiting:
        assert (steps := steps + 1) < 9
        done = schedmate("approve", "ml/w-0", str(waiting["action"]), "--json")
        assert done.returncode == 0, done.stderr
        waiting = json.loads(done.stdout)["proposed"]
    kinds = {one["kind"]: one["event"] for one in json.loads(done.stdout)["steps"]}
    assert kinds["isolate"] == kinds["restart"] == "done", done.stdout
    assert world.now()["/api/v1/pods"] == []
    action = next(one["id"] for one in json.loads(done.stdout)["steps"] if one["kind"] == "isolate")
    undone = schedmate("undo", "ml/w-0", str(action))
    assert undone.stdout == f"action {action} is undone: gpu-7 takes jobs again\n", undone.stderr
