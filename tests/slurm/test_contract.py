"""The contract of managed clusters, kept by a real Slurm: the same tests as for every engine."""

import signal
from contextlib import suppress

import pytest

from schedmate.clusters.managed import Wish
from schedmate.clusters.slurm.cluster import SlurmCluster
from schedmate.clusters.slurm.placing import TO_PLACE
from tests.contract.bench import LiveBench
from tests.contract.test_managed import *  # noqa: F403
from tests.slurm.conftest import emptied

pytestmark = pytest.mark.slurm


class SlurmBench(LiveBench):
    """What the contract needs around a real Slurm."""

    may_choose = True

    def __init__(self, real):
        self.real = real

    def manage(self, nodes, **options):
        assert [node.name for node in nodes] == self.real.nodes
        return super().manage(nodes, **options)

    def open(self, nodes):
        place = "no" if self.options.get("chooses") else "yes"
        return SlurmCluster(self.store, Wish(words={"every": "0.2", "limit": "5", "place": place}))

    def add_elsewhere(self, script):
        """Hand in a job as somebody does who knows no SchedMate."""
        later = [] if self.options.get("chooses") else ["--begin=now+600"]
        path = self.real.at / "work" / "theirs.sh"
        path.write_text(f"#!/bin/bash\n{script}\n")
        self.elsewhere = ("games", str(path))
        options = ("--parsable", "-t", "60", "--gpus=1", "-o", "theirs-%j", *later)
        name = self.real.check("sbatch", *options, path, user="games")
        if later:  # as the submit plugin does
            self.real.check("scontrol", "update", f"JobId={name}", f"AdminComment={TO_PLACE}")
        return name

    def touch_mark(self, node):
        self.real.check("scontrol", "update", f"NodeName={node}", "State=DRAIN", "Reason=fan is loud")

    def hang(self):
        self.real.signal("slurmctld", signal.SIGSTOP)

    def go_on(self):
        self.real.signal("slurmctld", signal.SIGCONT)

    def break_node(self, name):
        self.real.check("scontrol", "update", f"NodeName={name}", "State=DOWN", "Reason=broken")

    def repair_node(self, name):
        self.real.check("scontrol", "update", f"NodeName={name}", "State=RESUME")


@pytest.fixture
def managed(two_nodes, slurm_path):
    slurm_path(two_nodes)
    made = SlurmBench(two_nodes)
    yield made
    with suppress(OSError, ValueError):
        made.go_on()
    emptied(two_nodes)
    made.close()
