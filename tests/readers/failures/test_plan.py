"""What a log says of hosts never becomes more than one harmless word of a command."""

import shlex

import pytest

from schedmate.readers.failures.plan import plan
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


def commands_for(host, subcategory="gpu"):
    found = Diagnosis(
        category="infrastructure",
        subcategory=subcategory,
        failure_id="gpu.xid_79",
        root_host=host,
        should_restart="elsewhere",
        confidence=0.9,
    )
    return [command for action in plan(found) for command in action.commands.values()]


@pytest.mark.parametrize("host", HOSTILE)
@pytest.mark.parametrize("subcategory", ["gpu", "nvlink", "network", "node", "other"])
def test_a_hostile_host_reaches_no_command(host, subcategory):
    assert commands_for(host, subcategory) == commands_for(None, subcategory)


@pytest.mark.parametrize("host", ["node-7", "gpu_12.cluster", "10.0.0.7"])
def test_a_good_host_is_one_word(host):
    drain = next(command for command in commands_for(host) if "DRAIN" in command)
    assert f"NodeName={host}" in shlex.split(drain)
