"""Who waited is not blamed; who failed is found by other lines of the same failure and by the machine's own log."""

import pytest

from schedmate import diagnose
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


SEATS = "".join(
    f"{'gpu-a01' if rank < 8 else 'gpu-b02'}:90{rank}:99{rank} [{rank % 8}] NCCL INFO ncclCommInitRank comm 0x55d0 "
    f"rank {rank} nranks 16 cudaDev {rank % 8} nvmlDev {rank % 8} busId {rank % 8 + 1}b000 commId 0x1 - Init COMPLETE\n"
    for rank in range(16)
)
LOCAL = "E304 07:51:10.001000 4400 torch/distributed/elastic/multiprocessing/api.py:869] "
LOCAL += "failed (exitcode: 1) local_rank: 0 (pid: 777) of binary: /usr/bin/python\n"
TABLE = "  host      : {}\n  rank      : {} (local_rank: {})\n  exitcode  : 1 (pid: 777)\n"
BARE_XID = "[1234.567890] NVRM: Xid (PCI:0000:1b:00): 79, pid=777, name=python, GPU has fallen off the bus.\n"


def isolated(found) -> list[str]:
    return [action.target for action in found.actions if action.kind == "isolate"]


def test_a_number_on_one_of_two_nodes_is_no_rank(diagnosed):
    found = diagnosed(job=SEATS + STEPS + BARE_XID + LOCAL)
    assert (found.root_rank, found.root_host, isolated(found)) == (None, None, [])


def test_a_number_on_a_node_is_no_rank_where_another_log_seats_the_ranks(diagnosed):
    logs = {f"rank_{rank}": STEPS + WAITED.format(rank) for rank in range(4)}
    found = diagnosed(**logs | {"rank_0": SEATS + logs["rank_0"], "rank_1": logs["rank_1"] + LOCAL, "dmesg": BARE_XID})
    assert found.failure_id
    assert "gpu-a01" not in found.faulty_components
    assert (found.root_host, isolated(found)) == (None, [])


def test_a_number_on_the_only_node_is_a_rank(diagnosed):
    found = diagnosed(job=SEATS.replace("gpu-b02", "gpu-a01") + STEPS + BARE_XID + LOCAL)
    assert (found.root_rank, found.root_host, isolated(found)) == (0, "gpu-a01", ["gpu-a01"])


def test_a_table_of_the_whole_job_tells_the_rank_of_a_process(diagnosed):
    found = diagnosed(job=SEATS + STEPS + BARE_XID + LOCAL + TABLE.format("gpu-b02", 8, 0))
    assert (found.root_rank, found.root_host, isolated(found)) == (8, "gpu-b02", ["gpu-b02"])


def test_a_process_number_that_two_nodes_have_tells_no_rank(diagnosed):
    tables = TABLE.format("gpu-a01", 0, 0) + TABLE.format("gpu-b02", 8, 0)
    found = diagnosed(job=SEATS + STEPS + BARE_XID + LOCAL + tables)
    assert (found.root_rank, found.root_host, isolated(found)) == (None, None, [])


@pytest.mark.parametrize("said", ["task 9: Exited with exit code 1", "tasks 8-15: Exited with exit code 1"])
@pytest.mark.parametrize("cause", [ECC, "torch.OutOfMemoryError: CUDA out of memory.\n"])
def test_the_end_of_another_task_gives_its_host_to_nobody(diagnosed, said, cause):
    found = diagnosed(job=SEATS + STEPS + f"[rank3]: {cause}srun: error: gpu-b02: {said}\n")
    assert (found.root_rank, found.root_host) == (3, "gpu-a01")
    assert "gpu-b02" not in isolated(found)


def test_the_memory_of_another_task_gives_its_host_to_nobody(diagnosed):
    found = diagnosed(job=SEATS + STEPS + f"[rank3]: {OVER}srun: error: gpu-b02: task 9: Out Of Memory\n")
    assert found.root_host != "gpu-b02"
    unseated = diagnosed(job=STEPS + f"[rank3]: {OVER}srun: error: gpu-b02: task 9: Out Of Memory\n")
    assert unseated.root_host != "gpu-b02"


def test_without_times_to_compare_only_the_process_links_a_rank_to_a_kernel(diagnosed):
    timeless = {name: text.replace(STEPS, "") for name, text in ranks_with(ECC, "").items()}
    found = diagnosed(**timeless | {"dmesg": XID.format(39, "4e", 4417)})
    assert found.root_host is None or found.root_rank is None
    assert "0000:4e:00" not in found.faulty_components or found.root_rank is None


def test_the_process_links_a_rank_to_a_kernel_without_times(diagnosed):
    logs = ranks_with(ECC + LOCAL.replace("rank: 0", "rank: 2"), "")
    logs = {name: text.replace(STEPS, "") for name, text in logs.items()}
    found = diagnosed(**logs | {"dmesg": XID.format(39, "4e", 777)})
    assert found.faulty_components == ("h-21", "0000:4e:00")


@pytest.mark.parametrize("word", ["trainer", "job-x7k2p", "acme-worker-0"])
def test_a_container_is_no_host(diagnosed, word):
    found = diagnosed(job=f"{word} 2026-03-04T07:50:00.123456789Z stderr F {ECC}")
    assert found.failure_id
    assert (found.root_host, isolated(found)) == (None, [])


def test_what_a_library_printed_and_went_on_after_did_not_end_a_job_that_somebody_ended(tmp_path):
    stack = [
        "Traceback (most recent call last):",
        '  File "/opt/env/lib/python3.10/site-packages/plots/__init__.py", line 711, in _send',
        "    self.session.post(url, data=data)",
        '  File "/opt/env/lib/python3.10/site-packages/requests/sessions.py", line 590, in post',
        "    return self.request(url, data)",
        "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8097): Max retries exceeded",
    ]
    end = "slurmstepd: error: *** JOB 4711 ON n3 CANCELLED AT 2031-12-01T21:03:21 ***"
    (tmp_path / "job.log").write_text("\n".join(["preparing the data", *stack, end]))
    assert diagnose(tmp_path / "job.log").root_excerpt == end
    ours = ['  File "/home/u/train.py", line 7, in <module>', "    plots.send(1)"]
    (tmp_path / "own.log").write_text("\n".join(["preparing the data", stack[0], *ours, *stack[1:], end]))
    assert diagnose(tmp_path / "own.log").root_line == 9


WARNED = (
    "/opt/env/lib/python3.11/site-packages/torch/cuda/__init__.py:182: UserWarning: CUDA initialization: CUDA unknown "
    "error - this may be due to an incorrectly set up environment. Setting the available devices to be zero."
)


def test_what_misses_a_gpu_is_explained_by_the_warning_that_says_why_there_is_none(tmp_path):
    stack = ["Traceback (most recent call last):", '  File "train.py", line 7, in <module>', "    main()"]
    missed = [*stack, "NotImplementedError: The trainer cannot find any torch accelerator. You need a GPU."]
    (tmp_path / "job.log").write_text("\n".join([WARNED, *missed]))
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "node", 1)
    (tmp_path / "none.log").write_text("\n".join(missed))
    assert diagnose(tmp_path / "none.log").category == "script"
    other = [*stack, "ValueError: the batch is empty"]
    (tmp_path / "other.log").write_text("\n".join([WARNED, *other]))
    assert diagnose(tmp_path / "other.log").root_line == 5
    steps = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(1, 40)]
    (tmp_path / "well.log").write_text("\n".join([WARNED, *steps]))
    assert diagnose(tmp_path / "well.log").category == "none"
