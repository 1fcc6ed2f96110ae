"""The socket ring check with real processes and real bytes, on nodes of which chosen ones fail."""

import json
import subprocess
import sys
import time

import pytest

from schedmate.tools.ring import PROGRAM, fault_in
from tests.tools.faulty_reach import launcher

NODES = [f"127.0.0.{number}" for number in range(11, 16)]
LIMIT_S = 120.0


@pytest.mark.parametrize("count", [1, 2, 5])
def test_nodes_that_are_well_pass(count):
    assert fault_in([f"node{number}" for number in range(count)], (), LIMIT_S) == ""


def test_nodes_that_are_reached_by_a_launcher_pass():
    assert fault_in(NODES[:3], launcher(), LIMIT_S) == ""


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ({"n12": "unreachable"}, "127.0.0.12 does not answer"),
        ({"n12": "corrupts"}, "127.0.0.12: what arrives at "),
        ({"n12": "cut 127.0.0.14"}, "127.0.0.12: nothing gets through to 127.0.0.14"),
        ({"n12": "cut"}, "127.0.0.12: nothing gets through to "),
        ({"n12": "greets"}, "127.0.0.12: speaks nonsense"),
    ],
)
def test_what_is_broken_fails_and_is_named(faults, said):
    assert fault_in(NODES, launcher(**faults), LIMIT_S).startswith(said)


def test_nodes_are_reached_where_they_say():
    names, where = ["n1", "n2"], {"n1": "127.0.0.11", "n2": "127.0.0.12"}
    assert fault_in(names, launcher(), LIMIT_S, where) == ""
    assert fault_in(names, launcher(), LIMIT_S, {**where, "n2": "nowhere.invalid"}).startswith("n")


def test_who_is_cut_off_works_well_alone():
    assert fault_in(["127.0.0.12"], launcher(n12="cut"), LIMIT_S) == ""


def test_a_node_that_never_answers_is_given_up_in_time():
    started_s = time.monotonic()
    assert fault_in(["127.0.0.12"], launcher(n12="hangs"), 0.5) == "no answer in time from 127.0.0.12"
    assert time.monotonic() - started_s < LIMIT_S


@pytest.mark.parametrize("name", ["-oProxyCommand=reboot", "", "a b", "a;reboot", "$(reboot)", "a\nb", "../x"])
def test_what_could_be_more_than_a_name_reaches_no_program(name, tmp_path):
    called = tmp_path / "called"
    assert fault_in(["node1", name], ("touch", str(called), "{nodes}"), 10.0).endswith("is no name of a node")
    assert not called.exists()


def test_a_member_ends_when_nobody_asks_any_more():
    member = subprocess.Popen(
        [sys.executable, "-I", "-S", PROGRAM, "127.0.0.1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with member:
        assert json.loads(member.stdout.readline())["port"]
        member.stdin.close()
        assert member.wait(60) == 0
