"""What belongs together in Kubernetes is one job, in whatever order its parts are listed."""

import json
from itertools import permutations

import pytest

from schedmate.history.importers.reading import open_history_file

BEGUN, ENDED = "2026-05-01T10:01:00Z", "2026-05-01T11:01:00Z"
GPUS = {"limits": {"nvidia.com/gpu": "8"}}


def meta(name, uid, owner=None, **more):
    made = {"name": name, "namespace": "ml", "uid": uid, "creationTimestamp": "2026-05-01T10:00:00Z", **more}
    return made | ({"ownerReferences": [owner]} if owner else {})


def containers(*command, gpus=GPUS):
    return {"spec": {"containers": [{"name": "main", "command": list(command), "resources": gpus}]}}


def pod(name, owner=None, begun=BEGUN, ended=ENDED, code=0, restarts=0, start=BEGUN):
    end = {"exitCode": code, "reason": "Error" if code else "Completed", "startedAt": begun, "finishedAt": ended}
    told = [{"restartCount": restarts, "state": {"terminated": end}}]
    status = {"phase": "Failed" if code else "Succeeded", "startTime": start, "containerStatuses": told}
    return {"kind": "Pod", "metadata": meta(name, f"{name}-uid", owner), **containers("python"), "status": status}


def owner(kind, name):
    return {"apiVersion": "x/v1", "kind": kind, "name": name, "uid": f"{name}-uid", "controller": True}


def job(name, parent=None):
    done = [{"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}]
    spec = {"completionMode": "Indexed", "completions": 4, "parallelism": 4, "template": containers("torchrun", "t.py")}
    status = {"startTime": BEGUN, "completionTime": ENDED, "conditions": done}
    return {"kind": "Job", "metadata": meta(name, f"{name}-uid", parent), "spec": spec, "status": status}


def training(kind="PyTorchJob", last="Succeeded", key="pytorchReplicaSpecs", leader="Master"):
    conditions = [{"type": "Created", "status": "True"}, {"type": "Running", "status": str(last == "Running")}]
    if last != "Running":
        conditions.append({"type": last, "status": "True", "reason": f"{kind}{last}", "lastTransitionTime": ENDED})
    roles = {
        "Worker": {"replicas": 3, "template": containers("sleep")},
        leader: {"template": containers("python", "train.py", gpus={})},
    }
    named = meta("pt", "pt-uid", labels={"example.org/user": "ann"})
    status = {"startTime": BEGUN, "conditions": conditions}
    return {"kind": kind, "metadata": named, "spec": {"runPolicy": {}, key: roles}, "status": status}


JOBSET = {
    "kind": "JobSet",
    "metadata": meta("set", "set-uid"),
    "spec": {"replicatedJobs": [{"name": "w", "replicas": 2, "template": {"spec": job("x")["spec"]}}]},
    "status": {"conditions": [{"type": "Completed", "status": "True", "lastTransitionTime": ENDED}]},
}


def read(tmp_path, *items):
    path = tmp_path / "objects.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    with open_history_file(f"{path}:kubernetes") as (reading, jobs):
        found = list(jobs)
    assert reading.bad.count == 0, reading.bad.shown
    return found


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_pods_of_a_job_are_part_of_it(order, tmp_path):
    listed = [job("idx"), pod("idx-0", owner("Job", "idx")), pod("idx-1", owner("Job", "idx"))]
    (past,) = read(tmp_path, *(listed[place] for place in order))
    assert past.job.job_id == "ml/idx.idx-uid"
    assert (past.job.gpus, past.job.nodes, past.duration_s, past.job.status) == (32, 4, 3600, "completed")


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_the_jobs_of_a_set_are_part_of_it_and_tell_its_start(order, tmp_path):
    inner = [job("set-w-0", owner("JobSet", "set")), job("set-w-1", owner("JobSet", "set"))]
    listed = [JOBSET, *inner, pod("set-w-0-0", owner("Job", "set-w-0"))]
    (past,) = read(tmp_path, *(listed[place] for place in order))
    assert past.job.name == "set"
    assert (past.job.gpus, past.job.nodes, past.duration_s) == (64, 8, 3600)
    assert past.job.command == "torchrun t.py"


@pytest.mark.parametrize(("last", "status"), [("Succeeded", "completed"), ("Failed", "failed"), ("Running", "running")])
def test_a_training_job_is_one_job_and_its_leader_tells_the_command(last, status, tmp_path):
    (past,) = read(tmp_path, training(last=last), *(pod(f"pt-{n}", owner("PyTorchJob", "pt")) for n in range(3)))
    assert (past.job.status, past.job.user, past.job.gpus, past.job.nodes) == (status, "ann", 24, 4)
    assert past.job.command == "python train.py"
    assert past.duration_s == (None if last == "Running" else 3600)


def test_other_operators_are_read_alike(tmp_path):
    (past,) = read(tmp_path, training("MPIJob", key="mpiReplicaSpecs", leader="Launcher"))
    assert (past.job.command, past.job.gpus) == ("python train.py", 24)


def test_pods_whose_job_is_not_listed_make_one_job(tmp_path):
    parts = [pod(f"pt-{n}", owner("PyTorchJob", "pt"), code=n) for n in range(2)]
    (past,) = read(tmp_path, *parts)
    assert past.job.job_id == "ml/pt.pt-uid"
    assert (past.job.gpus, past.job.nodes, past.job.status, past.duration_s) == (16, 2, "failed", 3600)


def test_a_pod_that_was_tried_again_did_not_run_beside_its_first_try(tmp_path):
    tries = [
        pod("t-a", owner("Job", "t"), ended="2026-05-01T10:31:00Z", code=1),
        pod("t-b", owner("Job", "t"), begun="2026-05-01T10:31:00Z"),
    ]
    (past,) = read(tmp_path, *tries)
    assert (past.job.gpus, past.duration_s) == (8, 3600)


def test_a_container_that_was_started_again_held_its_gpus_since_the_first_start(tmp_path):
    (past,) = read(tmp_path, pod("alone", begun="2026-05-01T10:51:00Z", restarts=3))
    assert past.duration_s == 3600
    assert past.job.extra["restarts"] == "3"


def test_what_runs_for_ever_is_no_job(tmp_path):
    assert read(tmp_path, pod("web", owner("ReplicaSet", "web")), {"kind": "Deployment", "metadata": {}}) == []
    assert [past.job.name for past in read(tmp_path, pod("step", owner("Workflow", "w")))] == ["step"]


def ray_job(word="SUCCEEDED"):
    groups = {
        "headGroupSpec": {"template": containers("ray", gpus={})},
        "workerGroupSpecs": [{"groupName": "gpu", "replicas": 3, "template": containers("ray")}],
    }
    status = {"jobStatus": word, "jobDeploymentStatus": "Complete", "startTime": BEGUN, "endTime": ENDED}
    spec = {"entrypoint": "python train.py --lr 1e-4", "rayClusterSpec": groups}
    return {"kind": "RayJob", "metadata": meta("ray", "ray-uid"), "spec": spec, "status": status}


@pytest.mark.parametrize(
    ("word", "status"),
    [("SUCCEEDED", "completed"), ("FAILED", "failed"), ("STOPPED", "cancelled"), ("RUNNING", "running")],
)
def test_a_ray_job_is_one_job_and_its_clusters_pods_are_none(word, status, tmp_path):
    pods = [pod("ray-head", owner("RayCluster", "ray-cluster")), pod("submitter", owner("Job", "ray-submit"))]
    (past,) = read(tmp_path, ray_job(word), {**job("ray-submit", owner("RayJob", "ray"))}, *pods)
    assert (past.job.status, past.job.gpus, past.job.nodes) == (status, 24, 4)
    assert past.job.command == "python train.py --lr 1e-4"
    assert past.duration_s == (None if word == "RUNNING" else 3600)


@pytest.mark.parametrize(
    ("phase", "status"), [("Completed", "completed"), ("Terminated", "cancelled"), ("Failed", "failed")]
)
def test_volcanos_job_has_tasks_and_a_phase(phase, status, tmp_path):
    tasks = [{"name": "master", "replicas": 1, "template": containers("python", "t.py")}]
    tasks.append({"name": "worker", "replicas": 3, "template": containers("sleep")})
    whole = {
        "kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1", "metadata": meta("vol", "vol-uid"),
        "spec": {"minAvailable": 4, "tasks": tasks},
        "status": {"state": {"phase": phase, "lastTransitionTime": ENDED}},
    }  # fmt: skip
    (past,) = read(tmp_path, whole, pod("vol-master-0", owner("Job", "vol")))
    assert (past.job.status, past.job.gpus, past.job.command) == (status, 32, "python t.py")
    assert past.duration_s == 3600


def test_the_queue_that_a_job_was_handed_to_is_kept(tmp_path):
    """Kueue suspends what it has not let in, with a start or with none; Volcano names its queue in a field."""
    waits, runs, volcano = job("waits"), job("runs"), job("vol")
    for item in (waits, runs):
        item["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "team-a"}
    waits["spec"]["suspend"] = True
    waits["status"] = {"conditions": [{"type": "Suspended", "status": "True", "reason": "JobSuspended"}]}
    task = {"replicas": 1, "template": containers("sleep")}
    volcano |= {"spec": {"queue": "gold", "tasks": [task]}, "status": {"state": {"phase": "Running"}}}
    told = {past.job.name: past.job for past in read(tmp_path, waits, runs, volcano)}
    assert {name: one.extra.get("queue") for name, one in told.items()} == {
        "waits": "team-a", "runs": "team-a", "vol": "gold",
    }  # fmt: skip
    assert (told["waits"].status, told["waits"].start_s) == ("pending", None)
    assert told["runs"].start_s is not None
