"""Health checks as the loop has them done: by a helper process, with a compiled stand-in for NVML and one for dcgmi."""

import json
import os
import shlex
import subprocess
import sys

import pytest

from schedmate.scheduling.recovery.owner_rules import RecoveryRules, Rules, ToolRules
from tests.scheduling.recovery.cases import asked, case_of, take
from tests.tools.nvml_library import build, environment

WELL = "util=0 used=4 total=81920 temp=40 ecc=0 throttle=1 limit=90 remap=none"
FAIL = "| Memory                    | Fail                                           |"
CASE = case_of(
    nodes=("node1", "node2"),
    devices=(("node1", (0, 1)), ("node2", (2, 3))),
    idle=(("node1", (0, 1)), ("node2", (2, 3))),
)


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """Ask a helper, one for all tests, for a check of both nodes, with GPUs of which one is ill."""
    folder = build(tmp_path_factory.mktemp("nvml"))
    gpus = folder / "gpus"
    helper = subprocess.Popen(
        [sys.executable, "-m", "schedmate.scheduling.live.reader_worker"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=environment(folder, gpus) | {"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip

    def ask(line=WELL, rules=None, case=CASE):
        gpus.write_text("\n".join([WELL, WELL, WELL, line]) + "\n")
        rules = rules or Rules(tools=ToolRules(dcgmi="no-dcgmi-here"))
        helper.stdin.write(json.dumps(asked("health_check", rules, case)) + "\n")
        helper.stdin.flush()
        return json.loads(helper.stdout.readline())

    yield ask
    with helper:
        helper.stdin.close()
        assert helper.wait(60) == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{WELL} xid=79", "GPU 3: Xid 79"),
        (WELL.replace("ecc=0", "ecc=12"), "GPU 3: 12 uncorrected ECC errors"),
        ("lost=handle", "GPU 3 is lost"),
        ("lost=later", "GPU 3 is lost"),
        ("temp=40", "GPU 3 does not answer"),
        (WELL.replace("throttle=1", "throttle=65"), "GPU 3 is slowed down by its heat"),
        (WELL.replace("throttle=1", "throttle=128"), "GPU 3 is slowed down by its power supply"),
        (WELL.replace("temp=40", "temp=91"), "GPU 3: 91 C, its limit is 90 C"),
        (WELL.replace("temp=40 ", "temp=96 ").replace("limit=90 ", ""), "GPU 3: 96 C, its limit is 95 C"),
        (WELL.replace("remap=none", "remap=failed"), "GPU 3: a row of its memory could not be remapped"),
        (WELL.replace("remap=none", "remap=pending"), "GPU 3: a row of its memory waits for a reset to be remapped"),
        (WELL.replace("remap=none", "retired=1"), "GPU 3: pages of its memory wait for a reset to be retired"),
    ],
)
def test_an_ill_gpu_speaks_against_its_own_node_only(check, line, words):
    answer = check(line)
    assert answer["found"] == ["node2"]
    assert answer["done"] == f"node2: {words}"


def test_gpus_that_are_well_clear_their_nodes_of_faults_of_gpus_alone(check):
    answer = check()
    assert answer == {"done": "NVML found nothing on node1, node2", "found": [], "cleared": ["node1", "node2"]}
    assert check(case=case_of("network", nodes=CASE.nodes, devices=CASE.devices))["cleared"] == []


def test_a_gpu_that_was_never_there_is_no_answer(check):
    answer = check(case=case_of(nodes=("node1", "node2"), devices=(("node1", (0,)), ("node2", (7,)))))
    assert answer["found"] == ["node2"]
    assert answer["done"] == "node2: GPU 7 does not answer"


@pytest.fixture
def dcgmi(tmp_path):
    def make(*lines):
        path = tmp_path / "dcgmi"
        path.write_text("\n".join(["#!/bin/sh", 'echo "$*" >> ' + shlex.quote(f"{tmp_path}/calls"), *lines]) + "\n")
        path.chmod(0o755)
        return Rules(tools=ToolRules(dcgmi=str(path)))

    return make


def test_dcgmi_tests_idle_gpus_of_each_node_and_its_table_decides(dcgmi, tmp_path):
    rules = dcgmi(f'case "$*" in *2,3*) echo "{FAIL}"; exit 226;; esac')
    answer = take("health_check", rules, CASE)
    assert (answer["found"], answer["done"]) == (("node2",), "node2: dcgmi diag: Memory failed")
    assert (tmp_path / "calls").read_text() == "diag -r 2 -i 0,1\ndiag -r 2 -i 2,3\n"


def test_dcgmi_without_its_daemon_is_no_evidence(dcgmi):
    answer = take("health_check", dcgmi("echo 'Error: unable to establish a connection'; exit 235"), CASE)
    assert answer == {"done": "nothing here can look at GPUs"}


def test_dcgmi_that_passes_clears_and_busy_gpus_are_left_in_peace(dcgmi, tmp_path):
    partly = case_of(nodes=CASE.nodes, devices=CASE.devices, idle=CASE.idle[:1])
    answer = take("health_check", dcgmi("exit 0"), partly)
    assert answer["cleared"] == ("node1",), "of the other nothing is known"
    assert (tmp_path / "calls").read_text() == "diag -r 2 -i 0,1\n"


def test_dcgmi_that_hangs_has_found_something(dcgmi):
    rules = dcgmi("exec sleep 600").model_copy(update={"recovery": RecoveryRules(check_limit_s=0.2)})
    answer = take("health_check", rules, CASE, target="node1")
    assert answer["found"] == ("node1",)


def test_without_a_driver_nobody_is_cleared():
    assert take("health_check", Rules(), CASE) == {"done": "nothing here can look at GPUs"}


def test_a_machine_with_room_clears_its_node_of_a_full_disk(check):
    """What the log claims is looked at, and the answer stands in the trail."""
    full = case_of("node", nodes=("node1",), devices=(), idle=(), failure_id="storage.disk_full")
    answer = check(case=full)
    free = os.statvfs("/tmp")
    if free.f_bavail > 0.02 * free.f_blocks:
        assert answer["cleared"] == ["node1"]
        assert answer["done"] == "the machine's disk found nothing on node1"
    assert answer["found"] == []
