"""Through the real kubectl: its context, its log-in, its proxy that changes nothing."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from schedmate.clusters.kubernetes.api import open_api
from schedmate.clusters.managed import Refused, Unreachable
from tests.clusters.kubernetes.conftest import PODS, ended, pod

pytestmark = pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
TRACEBACK = 'Traceback (most recent call last):\n  File "train.py", line 7, in <module>\nIndexError: out of range\n'


@pytest.fixture
def cluster(world, tmp_path, monkeypatch):
    config = {
        "apiVersion": "v1", "kind": "Config", "current-context": "here",
        "clusters": [{"name": "c", "cluster": {"server": world.address}}],
        "users": [{"name": "ann", "user": {"token": "t"}}],
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "ann"}}],
    }  # fmt: skip
    (tmp_path / "config").write_text(json.dumps(config))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
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


def test_the_command_names_the_line_that_the_pod_died_of(cluster):
    cluster.hold([pod("w-0", containers=[ended(1, "Error")])], logs={"ml/w-0/main": "step 1/9 loss 2.0\n" + TRACEBACK})
    done = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", "diagnose", "--pod", "ml/w-0", "--json", "--exit-code"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 83, done.stderr
    told = json.loads(done.stdout)
    assert (told["failure_id"], told["log"], told["root_line"]) == ("python.index_error", "ml/w-0/main", 4)
