"""Who waited is not blamed; who failed is found by other lines of the same failure and by the machine's own log."""

import pytest

from schedmate.graphs.diagnose import run_diagnose

STEPS = "".join(f"2026-03-04 07:{step:02}:00 step {step}/900 loss {3 - step / 100:.3f}\n" for step in range(40))
WAITED = (
    "[rank{0}]:[E304 07:50:05.118 ProcessGroupNCCL.cpp:616] [Rank {0}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=77, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600081 "
    "milliseconds before timing out.\n"
)
OVER = "slurmstepd: error: Detected 1 oom_kill event in StepId=5512.0. Some of the step tasks have been OOM Killed.\n"
ECC = "RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
XID = "Mar  4 07:{}:41 h-21 kernel: NVRM: Xid (PCI:0000:{}:00): 79, pid={}, name=python, GPU has fallen off the bus.\n"


@pytest.fixture
def diagnosed(tmp_path):
    def diagnose(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.log").write_text(text, "utf-8")
        return run_diagnose(str(tmp_path / f"{name}.log" if len(texts) == 1 else tmp_path), engine="built-in")

    return diagnose


@pytest.mark.parametrize("ranks", [(0,), (0, 1, 2)])
def test_a_rank_that_waited_in_vain_is_not_at_fault(diagnosed, ranks):
    hosts = "".join(f"INFO rank {rank} of 8 up on node: h-{rank}\n" for rank in range(8))
    found = diagnosed(job=hosts + STEPS + "".join(map(WAITED.format, ranks)))
    assert found.failure_id == "distributed.watchdog_timeout"
    assert (found.faulty_components, found.root_host, found.root_rank) == ((), None, 0)
    assert not any(action.kind == "isolate" for action in found.actions)


def test_a_cause_beside_those_who_waited_is_blamed(diagnosed):
    found = diagnosed(job=STEPS + "[rank3]: " + ECC + "".join(map(WAITED.format, (0, 1, 2))))
    assert found.faulty_components == ("rank 3",)


def test_a_node_that_its_launcher_lost_is_named(diagnosed):
    found = diagnosed(job=STEPS + "ssh: connect to host h-17 port 22: Connection timed out\n")
    assert found.root_host == "h-17"


def test_srun_says_whose_memory_ran_out(diagnosed):
    ended = "srun: error: h-1: task 0: Terminated\nsrun: error: h-2: task 1: Terminated\n"
    found = diagnosed(job=STEPS + OVER + "srun: error: h-4: task 3: Out Of Memory\n" + ended)
    assert (found.failure_id, found.root_host, found.root_rank) == ("limits.slurm_memory", "h-4", 3)
    assert found.faulty_components == ()


def test_of_two_hosts_out_of_memory_none_is_the_one(diagnosed):
    both = "srun: error: h-4: task 3: Out Of Memory\nsrun: error: h-5: task 4: Out Of Memory\n"
    found = diagnosed(job=STEPS + OVER + both)
    assert (found.root_host, found.root_rank) == (None, None)


def ranks_with(ecc: str, machine: str) -> dict[str, str]:
    """Make the logs of four ranks, of which the third fails, and the kernel's."""
    logs = {f"rank_{rank}": STEPS + (ecc if rank == 2 else WAITED.format(rank)) for rank in range(4)}
    return logs | {"dmesg": machine}


def test_the_machines_own_log_tells_host_and_board(diagnosed):
    found = diagnosed(**ranks_with(ECC, XID.format(39, "4e", 4417)))
    assert (found.root_rank, found.root_host) == (2, "h-21")
    assert found.faulty_components == ("h-21", "0000:4e:00")


def test_of_two_boards_none_is_guessed(diagnosed):
    found = diagnosed(**ranks_with(ECC, XID.format(39, "4e", 4417) + XID.format(39, "5d", 4418)))
    assert found.root_host != "h-21" or "0000:4e:00" not in found.faulty_components


def test_the_launchers_word_on_processes_tells_which_board(diagnosed):
    launcher = "E304 07:51:10.001000 4400 torch/distributed/elastic/multiprocessing/api.py:869] "
    launcher += "failed (exitcode: 1) local_rank: 2 (pid: 4418) of binary: /usr/bin/python\n"
    found = diagnosed(**ranks_with(ECC + launcher, XID.format(39, "4e", 4417) + XID.format(39, "5d", 4418)))
    assert found.root_rank == 2
    assert found.faulty_components == ("h-21", "0000:5d:00")


def test_a_fault_of_hours_before_is_another(diagnosed):
    early = XID.format(39, "4e", 4417).replace("Mar  4 07", "Mar  2 01")
    assert "0000:4e:00" not in diagnosed(**ranks_with(ECC, early)).faulty_components
