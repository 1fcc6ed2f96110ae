"""What a log says of hosts never becomes more than one harmless word of a command, and only its own systems get one."""

import shlex

import pytest

from schedmate.readers.failures.advice.plan import RecoveryPolicy, plan
from schedmate.schemas import Diagnosis

HOSTILE = (
    "a;reboot",
    "$(reboot)",
    "`reboot`",
    "node1\n",
    "node1\nreboot",
    "-w",
    "--all",
    "a b",
    "a|b",
    "a'b",
    'a"b',
    "é",
    ".",
    "n" * 300,
)
ALL = ("slurm", "kubernetes", "ray")


def found(**given):
    return Diagnosis(
        **{
            "category": "infrastructure",
            "subcategory": "gpu",
            "failure_id": "gpu.xid_79",
            "should_restart": "elsewhere",
            "confidence": 0.9,
            "systems": ALL,
        }
        | given
    )


def commands_for(**given):
    return [(action.kind, *pair) for action in plan(found(**given)) for pair in action.commands.items()]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("subcategory", ["gpu", "nvlink", "network", "node", "other"])
def test_a_hostile_name_reaches_no_command(name, subcategory):
    for field in ("root_host", "root_pod", "job_id"):
        assert commands_for(**{field: name}, subcategory=subcategory) == commands_for(subcategory=subcategory)


@pytest.mark.parametrize("host", ["node-7", "gpu_12.cluster"])
def test_a_good_host_is_one_word(host):
    drain = next(command for kind, _, command in commands_for(root_host=host) if "DRAIN" in command)
    assert f"NodeName={host}" in shlex.split(drain)


@pytest.mark.parametrize("systems", [(), ("slurm",), ("kubernetes",), ("ray",), ("ray", "kubernetes")])
def test_only_systems_that_were_seen_get_commands(systems):
    named = {system for _, system, _ in commands_for(root_host="node-7", systems=systems)}
    assert named - {"shell"} <= set(systems)
    assert "slurm" not in systems or "slurm" in named


def test_an_address_is_no_name_of_a_slurm_node():
    commands = commands_for(root_host="10.0.0.7", systems=("slurm",))
    assert not [command for _, _, command in commands if "NodeName=10." in command or "-w 10." in command]
    assert [command for kind, _, command in commands if kind == "isolate" and "NodeAddr=10.0.0.7" in command]


def test_a_pod_is_no_node():
    commands = commands_for(root_host="job-worker-3", root_pod="job-worker-3", systems=("slurm", "kubernetes"))
    assert not [command for _, system, command in commands if system == "slurm" and "job-worker-3" in command]
    cordon = next(command for kind, _, command in commands if kind == "isolate")
    assert cordon.startswith("kubectl cordon")
    assert "get pod job-worker-3" in cordon
    assert ("restart", "kubernetes", "kubectl delete pod job-worker-3") in commands


def test_the_job_is_named_by_its_number_where_the_log_tells_it():
    commands = commands_for(root_host="node-7", job_id="4711", systems=("slurm",))
    assert ("restart", "slurm", "scontrol update JobId=4711 ExcNodeList=node-7 && scontrol requeue 4711") in commands


@pytest.mark.parametrize(
    ("failure", "tool"),
    [
        ("gpu.xid_79", "dcgmi"),
        ("gpu.amd_hang", "rocm-smi"),
        ("gpu.habana_failure", "hl-smi"),
        ("gpu.ascend_x", "npu-smi"),
    ],
)
def test_a_board_is_checked_with_its_makers_tool(failure, tool):
    assert any(tool in command for kind, _, command in commands_for(failure_id=failure) if kind == "health_check")


def test_policy_bounds_restarts():
    kinds = [action.kind for action in plan(found(), RecoveryPolicy(restarts_done=3))]
    assert "restart" not in kinds
    assert "hold" in kinds
    assert "isolate" not in [action.kind for action in plan(found(root_host="n1"), RecoveryPolicy(may_isolate=False))]
