"""A process that dies in native code has ended: steps that stand behind several such ends lay in others' buffers."""

import pytest

from schedmate import diagnose

STEPS = [
    f"Epoch: [3]  [{number:4d}/2665]  eta: 4:07:51  loss: 2.7{number % 90:02d}  time: 6.8" for number in range(200)
]
LOST = (
    "gpu-079:456:463 [3] int check_cqe(struct nccl_ofi_rdma_ep*):1412 NCCL WARN NET/OFI Request 0x7f completed with "
    "error. RC: 113. Error: 15 (Unresponsive receiver (reachable by EFA device but handshake failed))"
)
WORKED = "gpu-079:456:463 [3] NCCL INFO Connected all rings"


def died(rank):
    return [
        f"[rank{rank}]:[E907 10:05:28.042 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=266, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800041 milliseconds",
        "terminate called after throwing an instance of 'c10::DistBackendError'",
        f"  what():  [PG ID 0 PG GUID 0 Rank {rank}] Process group watchdog thread terminated with exception",
    ]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_steps_that_lay_in_a_buffer_clear_nothing_behind_such_ends(tmp_path):
    found = read(tmp_path, [*STEPS[:150], LOST, *died(2), *died(5), *died(7), *STEPS[150:], *died(1)])
    assert (found.subcategory, found.root_line) == ("network", 151)


def test_more_of_them_do(tmp_path):
    more = [
        f"Epoch: [4]  [{number:4d}/2665]  eta: 4:07:51  loss: 2.7{number % 90:02d}  time: 6.8" for number in range(999)
    ]
    found = read(tmp_path, [*STEPS[:150], LOST, WORKED, *STEPS[150:], *more, *died(1)])
    assert found.root_line == 152 + 50 + 999 + 1


REMAPPED = (
    "[714712.508583] NVRM: Xid (PCI:0000:4c:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row marked for "
    "remapping, reset gpu to activate."
)


def test_a_row_that_was_marked_to_be_replaced_ended_no_job_that_was_taken_its_machine(tmp_path):
    notice = "2031-02-11 10:52:16 spot-watcher: EC2 Spot instance interruption notice: action=terminate instance=i-07c1"
    found = read(
        tmp_path, [*STEPS, notice, "mpirun noticed that process rank 6 exited on signal 15 (Terminated).", REMAPPED]
    )
    assert (found.subcategory, found.root_line) == ("other", len(STEPS) + 1)


MAPPED = [f"2b60203{number:02d}000-2b60203{number:02d}f00 r--p 0001c000 00:2b 63020{number}" for number in range(40)]
ENDED = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES"


@pytest.mark.parametrize(
    ("program", "category"), [("./wave2d", "script"), ("../build/wave2d", "script"), ("python3", "framework")]
)
def test_what_the_c_library_prints_of_an_end_no_lines_behind_it_clear(tmp_path, program, category):
    """It names the program: one's own is the owner's to mend, an interpreter's memory some library destroyed."""
    said = f"*** Error in `{program}': malloc(): memory corruption (fast): 0x0000000001a3c010 ***"
    found = read(tmp_path, ["the grid is 64 by 64", said, "======= Memory map: ========", *MAPPED, ENDED])
    assert (found.category, found.root_line) == (category, 2)


def test_a_helper_that_died_so_is_got_over_by_steps(tmp_path):
    said = "*** Error in `./thumbs': double free or corruption (!prev): 0x0000000001a3c010 ***"
    found = read(tmp_path, [*STEPS[:100], said, *STEPS[100:], "Traceback (most recent call last):", "KeyError: 'lr'"])
    assert found.failure_id == "python.key_error"
