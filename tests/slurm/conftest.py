"""One real Slurm for all tests of this folder, emptied after each; `make test-slurm` runs them."""

import os
import re
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.scheduling.live.accounts import open_python
from tests.slurm.real_slurm import PATHS, RealSlurm, lacking
from tests.slurm.slurm_up import SlurmUp

USERS = ("games", "news", "mail")
"""Accounts that every Debian has, in the place of people."""

FREE = ("IDLE", "IDLE+PLANNED")
"""A node stays planned for a job that has gone until another waits."""


def pytest_collection_modifyitems(items):
    why = "" if os.environ.get("SLURM_TEST") else "make test-slurm starts a Slurm for it"
    why = why or lacking() or ("" if open_python() else "jobs' code is read as their users, who may run no Python here")
    for item in items:
        if why and item.get_closest_marker("slurm") and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="session")
def two_nodes():
    """A Slurm of the contract's nodes."""
    yield from started(nodes=2, gpus=2, first="n")


@pytest.fixture(scope="session")
def four_nodes():
    """A Slurm for stories."""
    yield from started()


def started(**options):
    with TemporaryDirectory(prefix="slurm-") as folder:  # pytest's own folders let no other account in
        Path(folder).chmod(0o755)
        cluster = RealSlurm(Path(folder) / "c", **options)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


@pytest.fixture
def slurm_path(monkeypatch):
    """Let commands of this process find a cluster."""

    def use(cluster):
        monkeypatch.setenv("SLURM_CONF", str(cluster.conf))
        monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{PATHS}")

    return use


@contextmanager
def loops_beside(cluster, folder, *always):
    """Give what starts loops beside a cluster; in the end they are gone, and the cluster is as it was."""
    made = []

    def start(*options):
        made.append(SlurmUp(folder, cluster, *always, *options))
        made[-1].start()
        return made[-1]

    yield start
    for up in made:
        up.close()
    emptied(cluster)


def emptied(cluster):
    """Leave a cluster as it was when it came up."""
    names = cluster.run("squeue", "-h", "-a", "-o", "%A").stdout.split()
    if names:
        cluster.run("scancel", "--full", *set(names))
        cluster.run("scancel", *set(names))
    for line in cluster.run("scontrol", "show", "reservation", "-o").stdout.splitlines():
        if line.startswith("ReservationName="):
            cluster.run("scontrol", "delete", line.split()[0])
    for node in cluster.nodes:
        if any(word in state_of(cluster, node) for word in ("DRAIN", "DOWN", "FAIL")):
            cluster.run("scontrol", "update", f"NodeName={node}", "State=RESUME")
    cluster.until(lambda: not cluster.run("squeue", "-h", "-o", "%i").stdout.strip(), "jobs do not go")
    gone_s = time.time()
    cluster.until(lambda: time.time() > gone_s + 1.1)  # Slurm tells whole seconds: what ends now is the next test's
    freed(cluster)


def freed(cluster):
    """Wait until all nodes are free; say how they are if they do not become so."""
    states = {}

    def are_free():
        states.update({node: state_of(cluster, node) for node in cluster.nodes})
        return all(state in FREE for state in states.values())

    try:
        cluster.until(are_free)
    except TimeoutError as error:
        raise TimeoutError(f"nodes stay busy: {states}\n{error}") from error


def state_of(cluster, node):
    """Give a node's own state; sinfo's is worked out from processors, and now and then stays mixed for minutes."""
    told = re.search(r"State=(\S+)", cluster.run("scontrol", "show", "node", node, "-o").stdout)
    return told[1] if told else "unknown"
