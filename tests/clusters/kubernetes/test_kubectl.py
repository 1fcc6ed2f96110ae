"""Through the real kubectl: its context, its log-in, its proxy that changes nothing."""

import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from schedmate.clusters.kubernetes.api import open_api
from schedmate.clusters.managed import Refused, Unreachable
from tests.clusters.kubernetes.conftest import PODS, ended, kubectl_config, pod

pytestmark = pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
TRACEBACK = 'Traceback (most recent call last):\n  File "train.py", line 7, in <module>\nIndexError: out of range\n'


@pytest.fixture
def cluster(world, tmp_path, monkeypatch):
    monkeypatch.setenv("KUBECONFIG", kubectl_config(world, tmp_path))
    return world


def test_it_asks_as_the_context_says_and_can_change_nothing(cluster):
    cluster.hold([pod(f"w-{n}") for n in range(3)])
    with open_api() as api:
        assert [item["metadata"]["name"] for item in api.items(PODS)] == ["w-0", "w-1", "w-2"]
        answer = api.client.delete("/api/v1/namespaces/ml/pods/w-0")
        assert answer.status_code == 403
    assert not [one for one in cluster.server.seen if one[0] == "DELETE"]


def test_a_context_that_is_not_there_and_no_kubectl_at_all(cluster, monkeypatch):
    with pytest.raises(Unreachable, match="does not start.*nowhere"), open_api("nowhere"):
        pass
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(Refused, match="no program kubectl"), open_api():
        pass


def test_a_cluster_that_is_gone_is_told_from_one_that_is_busy(cluster):
    cluster.server.shutdown()
    cluster.server.server_close()
    with pytest.raises(Unreachable, match="no cluster answers kubectl") as caught, open_api() as api:
        api.get(PODS)
    assert "--context" in caught.value.hint


def test_the_command_names_the_line_that_the_pod_died_of(cluster):
    cluster.hold([pod("w-0", containers=[ended(1, "Error")])], logs={"ml/w-0/main": "step 1/9 loss 2.0\n" + TRACEBACK})
    done = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", "diagnose", "--pod", "ml/w-0", "--json", "--exit-code"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 83, done.stderr
    told = json.loads(done.stdout)
    assert (told["failure_id"], told["log"], told["root_line"]) == ("python.index_error", "ml/w-0/main", 4)


def test_a_watch_of_pods_tells_who_died_and_of_what(cluster, tmp_path):
    minute = f"{datetime.fromtimestamp(time.time() - 300, UTC):%Y-%m-%dT%H:%M}"
    log = "".join(f"{minute}:00.000000000Z {line}\n" for line in ("step 1/9 loss 2.0", *TRACEBACK.splitlines()))
    silent = "".join(f"{minute}:{n:02}.000000000Z step {n}/900 loss 2.0\n" for n in range(40))
    pods = [pod("w-0", containers=[ended(1, "Error")]), pod("w-1", containers=[ended(137, "OOMKilled")])]
    cluster.hold([*pods, pod("w-2", "Succeeded", [ended(0, "Completed")])],
                 logs={"ml/w-0/main": log, "ml/w-1/main": silent, "ml/w-2/main": silent})  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SCHEDMATE_DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", "watch", "--kubernetes", "--once", "--json", "--since", "600"],
        capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = {one["log"].split("/")[-2]: one["diagnosis"]["failure_id"] for one in told if one["kind"] == "died"}
    assert found == {"w-0": "python.index_error", "w-1": "exit.memory_limit"}
