"""Kubernetes: what a manifest's pods run, how many there are, and how many GPUs each is given."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.launchers.task_files import file_among, parts_of
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import (
    SourceLocation,
    Unknown,
    Value,
    find_in,
    held,
    join_spots,
    mapping_of,
    sequence_of,
)
from schedmate.readers.code.values.whole_numbers import whole_count
from schedmate.tools.repository import Repository

PROGRAMS = ("kubectl", "oc", "argo", "vcctl", "microk8s", "arena", "k3s")
STARTS = ("apply", "create", "replace", "submit", "run")
COUNTS = ("replicas", "parallelism", "numNodes", "size")
LEADERS = ("Launcher", "Master", "Chief")
RANKED = ("ReplicaSpecs", "trainer")
MOST_DOCUMENTS = 60
DEEPEST = 25


@dataclass
class PodTemplate:
    """A pod template: how many there are, its role among others, what its first container runs and is given."""

    count: Value
    role: str
    words: list[Value]
    gpus: Value | None
    environment: dict[str, Value]
    selector: Value | None
    ranked: bool


def pod_command(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `kubectl apply -f job.yaml` starts: the leader's command with what all pods are given together."""
    if launch.kind != "tool" or posixpath.basename(launch.name) not in PROGRAMS:
        return []
    if not any(word_text(word) in STARTS for word in launch.words[1:4]):
        return []
    path = file_among(repository, launch, "")
    text, line = "", 1
    made = written_manifest(launch)
    if made is not None:
        text, path, line = str(made.data), made.src[0].path, made.src[0].line
    elif path is not None:
        text = repository.readable_text(path) or ""
    elif launch.stdin is not None and launch.stdin.src:
        text, path, line = str(launch.stdin.data), launch.stdin.src[0].path, launch.stdin.src[0].line
    for document in documents(text, path or "", line):
        entry = find_in(document, "spec.entrypoint")
        pods = list(pods_of(document, [], "", False, 0))
        if entry is not None and isinstance(entry.data, str):
            script, place = parts_of(entry, repository, path)[0]
            return [InnerCommand(text=script, path=path or "", line=place, asked=asked_of(pods))]
        leader = next((pod for pod in sorted(pods, key=lambda pod: pod.role not in LEADERS) if pod.words), None)
        if leader is not None:
            return [inner_of(leader, pods, document)]
    return []


def written_manifest(launch: Launch) -> Value | None:
    """Give the manifest that a script wrote before: a whole one, the last where one stands behind another."""
    for word in launch.words[1:]:
        name = word_text(word).removeprefix("--file=").removeprefix("--filename=").removeprefix("-f=")
        made = launch.written.get(posixpath.normpath(posixpath.join(launch.workdir, name)))
        parts = made.data.parts if made is not None and isinstance(made.data, Unknown) else (made,)
        texts = [part for part in parts if part is not None and isinstance(part.data, str) and part.src]
        whole = [part for part in texts if part.data.lstrip().startswith(("apiVersion:", "kind:"))]
        if whole:
            return whole[-1]
    return None


def documents(text: str, path: str, line: int) -> Iterator[Value]:
    """Read each document of a file; lines before one are kept blank, so that places hold."""
    blank = line - 1
    for part in text.split("\n---")[:MOST_DOCUMENTS]:
        value = read_yaml("\n" * blank + part, path)
        blank += part.count("\n") + 1
        if value is not None and isinstance(value.data, dict):
            yield value


def pods_of(node: Value, counts: list[Value], role: str, ranked: bool, depth: int) -> Iterator[PodTemplate]:
    """Walk a manifest to its pod templates; counts on the way multiply."""
    if depth > DEEPEST or not isinstance(node.data, (dict, list)):
        return
    if isinstance(node.data, list):
        for item in node.data:
            yield from pods_of(item, counts, role, ranked, depth + 1)
        return
    own = [node.data[name] for name in COUNTS if name in node.data]
    counts = [*counts, *[one for one in own if type(one.data) is int and 0 < one.data < 100_000][:1]]
    containers = held(node.data.get("containers"), list)
    if containers:
        yield pod_from(containers[0], node, counts, role, ranked)
        return
    if "command" in node.data and "numNodes" in node.data:
        yield pod_from(node, node, counts, role, True)
        return
    for key, child in node.data.items():
        below = str(key) if isinstance(child.data, dict) and str(key)[:1].isupper() else role
        yield from pods_of(child, counts, below, ranked or str(key).endswith(RANKED), depth + 1)


def pod_from(container: Value, pod: Value, counts: list[Value], role: str, ranked: bool) -> PodTemplate:
    """Read one container: command and arguments, GPUs, variables."""
    words: list[Value] = []
    environment: dict[str, Value] = {}
    data = mapping_of(container)
    for key in ("command", "args"):
        words += [Value(str(item.data), item.src) for item in sequence_of(data.get(key))]
    for item in sequence_of(data.get("env")):
        name, value = find_in(item, "name"), find_in(item, "value")
        if name is not None and value is not None:
            environment[str(name.data)] = Value(str(value.data), value.src)
    count = Value(min(prod(int(count.data) for count in counts), 1_000_000), join_spots(*counts))
    return PodTemplate(count, role, words, gpus_in(container), environment, find_in(pod, "nodeSelector"), ranked)


def gpus_in(container: Value) -> Value | None:
    """Give the GPUs of a container: `nvidia.com/gpu: 8`."""
    for key in ("resources.limits", "resources.requests", "resourcesPerNode.limits", "resourcesPerNode"):
        limits = find_in(container, key)
        for name, value in mapping_of(limits).items():
            gpus = whole_count(str(value.data)) if str(name).endswith("/gpu") else None
            if gpus is not None:
                return Value(gpus, value.src)
    return None


def asked_of(pods: list[PodTemplate]) -> dict[str, Value]:
    """Add up the pods that have GPUs; those that only lead have none."""
    working = [pod for pod in pods if pod.gpus is not None] or [pod for pod in pods if pod.role not in LEADERS] or pods
    if not working:
        return {}
    counts = [pod.count for pod in working]
    places = join_spots(*counts)
    asked = {"nodes": Value(str(sum(count.data for count in counts)), places)} if places else {}
    gpus = [pod.gpus for pod in working if pod.gpus is not None]
    if gpus and len({value.data for value in gpus}) == 1:
        asked["gpus_per_node"] = Value(str(gpus[0].data), gpus[0].src)
    for pod in working:
        for name, value in mapping_of(pod.selector).items():
            if "gpu" in str(name) or "accelerator" in str(name):
                asked["constraint"] = Value(str(value.data), value.src)
    return asked


def inner_of(leader: PodTemplate, pods: list[PodTemplate], document: Value) -> InnerCommand:
    """Give the leader's words; an operator that ranks its pods tells each its place among them."""
    asked = asked_of(pods)
    environment = dict(leader.environment)
    nodes = asked.get("nodes")
    kind = find_in(document, "kind")
    operator = None
    if leader.ranked and nodes is not None and nodes.data != "1" and leader.role != "Launcher":
        names = ("WORLD_SIZE", "PET_NNODES", "NNODES")
        environment = {**dict.fromkeys(names, Value(nodes.data, nodes.src)), **environment}
        spot = kind.src[0] if kind is not None and kind.src else SourceLocation("", 1)
        operator = ("kubeflow", spot)
        per_node = find_in(document, "spec.nprocPerNode") or find_in(document, "spec.trainer.numProcPerNode")
        if per_node is not None:
            environment.setdefault("PET_NPROC_PER_NODE", Value(str(per_node.data), per_node.src))
    return InnerCommand(words=leader.words, environment=environment, asked=asked, operator=operator)
