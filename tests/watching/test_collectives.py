"""The last collective of a job that hangs, as libraries print it, and who lags."""

import pytest

from schedmate.watching.collectives import last_collective

STATUS = "[PG ID 0 PG GUID 0(default_pg) Rank {}] {}ast enqueued NCCL work: {}, last completed NCCL work: 1842."


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["n1:17:17 [2] NCCL INFO AllReduce: opCount 1e7 sendbuff 0x14 recvbuff 0x14 count 1"], "AllReduce number 487"),
        (
            ["[rank3]:[E227 16:30:43 P.cpp:616] [Rank 3] caught: WorkNCCL(SeqNum=1843, OpType=BROADCAST, N=1)"],
            "BROADCAST number 1843",
        ),
        (
            [
                "[rank3]:[W] [Rank 3] WorkNCCL(SeqNum=1843, OpType=ALLREDUCE, NumelIn=1) is slow",
                STATUS.format(0, "Received a dump signal. L", 1842),
                STATUS.format(3, "Timeout at NCCL work: 1843, l", 1843),
                STATUS.format(5, "Timeout at NCCL work: 1843, l", 1843),
            ],
            "ALLREDUCE number 1843; rank 0 began 1842, others 1843",
        ),
        (
            [
                "W /x/stall_inspector.cc:105] One or more tensors were submitted by subset of ranks. ",
                "Missing ranks:",
                "0: [SGD/HorovodAllreduce_grads_0, SGD/HorovodAllreduce_grads_1]",
            ],
            "SGD/HorovodAllreduce_grads_0, to which rank 0 has not come",
        ),
        (
            ["E0909 c.h:306] waiting for 5000ms for and may be stuck: participant AllReduceParticipantData{"],
            "AllReduce",
        ),
        (
            [
                "Current thread 0x00007f (most recent call first):",
                '  File "/x/torch/distributed/distributed_c10d.py", line 2806 in all_reduce',
                '  File "/x/torch/distributed/c10d_logger.py", line 83 in wrapper',
                '  File "/x/torch/distributed/distributed_c10d.py", line 83 in wrapper',
            ],
            "all_reduce",
        ),
        (["    barrier (torch/distributed/distributed_c10d.py:3683)"], "barrier"),
    ],
)  # fmt: skip
def test_libraries_name_the_last_collective(lines, said, tmp_path):
    path = tmp_path / "job.log"
    path.write_text("\n".join(["starting", *lines, ""]))
    found = last_collective({str(path): 1})
    assert found.said == f"last collective: {said}"
    assert found.evidence.quote in path.read_text().split("\n")[found.evidence.line - 1]


@pytest.mark.parametrize("line", ["step 3 loss 0.3", "5: [1, 2, 3]", "all_reduce takes 3 ms", "rank 3: [0, 1]"])
def test_what_names_none_is_none(line, tmp_path):
    path = tmp_path / "job.log"
    path.write_text(f"{line}\n")
    assert last_collective({str(path): 1, str(tmp_path / "none.log"): 0}) is None


def test_a_collective_long_before_the_last_step_is_not_where_it_hangs(tmp_path):
    path = tmp_path / "job.log"
    call = "n1:17:17 [2] NCCL INFO AllReduce: opCount 3 sendbuff 0x14 recvbuff 0x14 count 1\n"
    path.write_text(call + "a line\n" * 99)
    assert last_collective({str(path): 20}) is not None
    assert last_collective({str(path): 100}) is None


def test_the_end_of_a_long_log_is_read_and_its_lines_are_counted(tmp_path):
    path = tmp_path / "job.log"
    call = "n1:17:17 [2] NCCL INFO AllReduce: opCount 3 sendbuff 0x14 recvbuff 0x14 count 1\n"
    path.write_text("a line of no meaning at all\n" * 100_000 + call)
    assert last_collective({str(path): 100_000}).evidence.line == 100_001


def test_a_hang_is_told_with_its_last_collective(site):
    for step in range(1, 21):
        site.now_s += 10
        call = f"n1:17:17 [2] NCCL INFO ReduceScatter: opCount {step:x} sendbuff 0x14 recvbuff 0x14 count 1\n"
        site.write("a.log", f"step {step}/1000 loss {5 / step:.4f} step_time 10.0 s\n{call}")
        site.look()
    site.pass_by(300)
    assert site.kinds == ["stalled"]
    assert site.told[0].said.endswith("; last collective: ReduceScatter number 20")
    assert "opCount 14" in site.told[0].evidence[-1].quote
