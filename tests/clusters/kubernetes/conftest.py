"""A Kubernetes API of the tests' own, and pods in the shapes that the published API gives them."""

import json

import httpx
import pytest

from schedmate.clusters.kubernetes.api import KubernetesApi
from tests.clusters.kubernetes.api_server import serve

PODS = "/api/v1/pods"


def kubectl_config(world, folder):
    """Write a configuration with which kubectl finds the API; give its path."""
    config = {
        "apiVersion": "v1", "kind": "Config", "current-context": "here",
        "clusters": [{"name": "c", "cluster": {"server": world.address}}],
        "users": [{"name": "ann", "user": {"token": "t"}}],
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "ann"}}],
    }  # fmt: skip
    path = folder / "config"
    path.write_text(json.dumps(config))
    return str(path)


def pod(name, phase="Failed", containers=(), node="gpu-7", namespace="ml", **status):
    """Write a pod."""
    meta = {"name": name, "namespace": namespace, "uid": f"uid-{name}", "creationTimestamp": "2026-06-01T00:00:00Z"}
    limits = {"limits": {"nvidia.com/gpu": "8"}}
    return {
        "apiVersion": "v1", "kind": "Pod", "metadata": meta,
        "spec": {"nodeName": node, "containers": [{"name": "main", "image": "train:1", "resources": limits}]},
        "status": {"phase": phase, "containerStatuses": list(containers), **status},
    }  # fmt: skip


def ended(code, reason, name="main", restarts=0, again=None, **more):
    """Write a container's state; `again` is what it does now, where it was started once more."""
    terminated = {"terminated": {"exitCode": code, "reason": reason, "finishedAt": "2026-06-01T02:00:00Z", **more}}
    states = {"state": terminated} if again is None else {"state": again, "lastState": terminated}
    return {"name": name, "restartCount": restarts, **states}


def event(of, reason, message, kind="Warning", at="2026-06-01T02:00:00Z"):
    """Write an event of a pod."""
    name = of["metadata"]["name"]
    return {
        "metadata": {"name": f"{name}.{reason}", "namespace": "ml", "uid": f"{name}.{reason}"},
        "involvedObject": {"name": name, "uid": of["metadata"]["uid"]},
        "type": kind, "reason": reason, "message": message, "lastTimestamp": at,
    }  # fmt: skip


def node(name="gpu-7", ready="True", **pressure):
    """Write a node."""
    conditions = [
        {"type": "Ready", "status": ready, "reason": "NodeStatusUnknown" if ready != "True" else "KubeletReady"}
    ]
    conditions[0]["message"] = "Kubelet stopped posting node status." if ready != "True" else "kubelet is posting ready"
    conditions += [{"type": kind, "status": "True", "reason": f"KubeletHas{kind}"} for kind in pressure]
    meta = {"name": name, "uid": name, "resourceVersion": "10"}
    return {"metadata": meta, "spec": {}, "status": {"conditions": conditions}}


class World:
    """What the API holds; written anew before each question."""

    def __init__(self, path):
        self.path = path
        self.server, self.address = serve(str(path))
        self.told = {"lists": {PODS: [], "/api/v1/namespaces/ml/events": [], "/api/v1/nodes": []}, "logs": {}}
        self.clients = []
        self.hold()

    def hold(self, pods=(), events=(), nodes=None, logs=None, **more):
        lists = self.told["lists"]
        lists[PODS] = [*pods]
        lists["/api/v1/namespaces/ml/events"] = [*events]
        lists["/api/v1/nodes"] = [node()] if nodes is None else [*nodes]
        self.told |= {"logs": logs or {}, **more}
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.told))
        part.replace(self.path)  # the server reads it meanwhile

    def now(self):
        """Give what the API holds now."""
        return json.loads(self.path.read_text("utf-8"))["lists"]

    def api(self, limit_s=10.0):
        client = httpx.Client(base_url=self.address, timeout=limit_s)
        self.clients.append(client)
        return KubernetesApi(client)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path / "world.json")
    yield made
    for client in made.clients:
        client.close()
    made.server.closing.set()
    made.server.shutdown()
    made.server.server_close()
