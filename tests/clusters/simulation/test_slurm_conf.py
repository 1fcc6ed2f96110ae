"""Nodes out of a slurm.conf: what has GPUs, how many, of which kind."""

import pytest

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.slurm_conf import read_slurm_conf
from schedmate.errors import InputError

CONF = """
ClusterName=site
NodeName=DEFAULT Gres=gpu:v100:4 State=UNKNOWN
NodeName=old[1-2] CPUs=40
nodename=new[08-09] \\
    Gres=gpu:a100:8(S:0-1),nvme:1 RealMemory=1000   # the new ones
NodeName=plain Gres=gpu:2
NodeName=mixed Gres=gpu:a100:4,gpu:v100:2
NodeName=login Gres=nvme:2
NodeName=later Gres=gpu:h100:8 State=FUTURE
PartitionName=gpu Nodes=old[1-2],new[08-09] NodeName=odd
"""


def test_nodes_with_gpus_are_read(tmp_path):
    path = tmp_path / "slurm.conf"
    path.write_text(CONF)
    assert read_slurm_conf(path) == [
        NodeSpec("old1", 4, "v100"), NodeSpec("old2", 4, "v100"), NodeSpec("new08", 8, "a100"),
        NodeSpec("new09", 8, "a100"), NodeSpec("plain", 2, "gpu"), NodeSpec("mixed", 6, "gpu"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "\0\xff", "Include nodes.conf\n", "NodeName=login Gres=nvme:2\n"])
def test_what_names_no_node_with_gpus_is_refused(tmp_path, text):
    path = tmp_path / "slurm.conf"
    path.write_text(text, "latin-1")
    with pytest.raises(InputError, match="names no node with GPUs"):
        read_slurm_conf(path)


def test_a_range_that_is_too_long_is_one_name(tmp_path):
    path = tmp_path / "slurm.conf"
    path.write_text("NodeName=a[1-9999999] Gres=gpu:8\n")
    assert len(read_slurm_conf(path)) == 1
    with pytest.raises(InputError, match="cannot be read"):
        read_slurm_conf(tmp_path / "none.conf")
