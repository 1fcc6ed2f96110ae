"""Checks of nodes that are not this machine: started by the engine's launcher, or not at all, and then it is said."""

import shlex

import pytest

from schedmate.scheduling.recovery.owner_rules import RecoveryRules, Rules, ToolRules
from tests.scheduling.recovery.cases import case_of, take
from tests.tools.faulty_reach import launcher

NODES = ("127.0.0.11", "127.0.0.12")
GPUS = tuple((node, (0, 1)) for node in NODES)
RANK = "#  Rank  {0} Group  0 Pid 7 on n device  0"
LIST, REST = ("\n".join(f"echo '{RANK.format(rank)}'" for rank in ranks) for ranks in ((0, 1), (2, 3)))


def elsewhere(subcategory="gpu", start=(), **changes):
    return case_of(subcategory, nodes=NODES, devices=GPUS, idle=GPUS, here=False, launcher=tuple(start), **changes)


@pytest.fixture
def program(tmp_path):
    def make(name, *lines):
        path = tmp_path / name
        calls = shlex.quote(f"{tmp_path}/calls")
        path.write_text("\n".join(["#!/bin/sh", f'echo "$*" >> {calls}', *lines]) + "\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.mark.parametrize("kind", ["health_check", "nccl_test"])
def test_where_nothing_may_be_started_this_machine_speaks_for_nobody(kind, program, tmp_path):
    rules = Rules(tools=ToolRules(dcgmi=program("dcgmi", "exit 0"), nccl_test=program("nccl", "exit 3")))
    answer = take(kind, rules, elsewhere("node", failure_id="storage.disk_full"))
    assert answer["done"].endswith("their hosts are not this one, and nothing may be started there now")
    assert "found" not in answer
    assert not (tmp_path / "calls").exists()


def test_each_node_is_looked_at_on_its_own_host(program, tmp_path):
    rules = Rules(tools=ToolRules(dcgmi=program("dcgmi", "exit 0")))
    answer = take("health_check", rules, elsewhere(start=launcher()))
    assert answer["cleared"] == NODES
    assert answer["done"] == "dcgmi found nothing on 127.0.0.11, 127.0.0.12"
    assert (tmp_path / "calls").read_text() == "diag -r 2 -i 0,1\n" * 2, "once on each host"


def test_a_host_that_cannot_be_asked_is_neither_cleared_nor_accused(program):
    rules = Rules(tools=ToolRules(dcgmi=program("dcgmi", "exit 0")))
    answer = take("health_check", rules, elsewhere(start=launcher(n12="unreachable")))
    assert (answer["found"], answer["cleared"]) == ((), NODES[:1])
    assert answer["done"] == "dcgmi found nothing on 127.0.0.11; 127.0.0.12 was not looked at: exit 255"


def test_a_host_that_speaks_nonsense_is_no_evidence():
    answer = take("health_check", Rules(), elsewhere(start=("sh", "-c", "echo '{\"driver\": 3}'", "{nodes}")))
    assert answer["done"].startswith("nothing here can look at GPUs; 127.0.0.11 was not looked at: ")


@pytest.mark.parametrize(("rest", "cleared"), [(":", ()), (REST, NODES)])
def test_copies_that_did_not_meet_clear_nobody_of_the_network(program, rest, cleared):
    """The list of ranks tells one test over both nodes from two tests of one node each."""
    rules = Rules(tools=ToolRules(nccl_test=program("all_reduce_perf", LIST, rest)))
    answer = take("nccl_test", rules, elsewhere("network", launcher()))
    assert (answer["found"], answer["cleared"]) == ((), cleared)
    sees = "it sees GPUs, NVLink and the network between the nodes" if cleared else "GPUs and NVLink within each node"
    assert sees in answer["done"]


def test_without_the_program_there_sockets_are_tried_through_the_launcher():
    rules = Rules(tools=ToolRules(nccl_test="/nowhere/all_reduce_perf"), recovery=RecoveryRules(check_limit_s=60))
    answer = take("nccl_test", rules, elsewhere("network", launcher(n12="corrupts")))
    assert answer["found"] == ("127.0.0.12",)
    assert "socket ring check" in answer["done"]
