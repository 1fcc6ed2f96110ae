"""What explains that ranks lost each other, or waited in vain: an end from outside, a link, a rank that had no more."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step}/9000 | loss {3 - step / 900:.4f} | lr 1e-4" for step in range(1, 60)]
LOST = "[rank3]: NET/IB : Got completion from peer 10.0.0.7<51000> with status=12 opcode=0 len=0 vendor err 129 (Recv)"
TABLE = [
    "$ kubectl describe job train | tail -n 4",
    "Events:",
    "  Type     Reason            Age    From            Message",
    "  Warning  DeadlineExceeded  2m31s  job-controller  Job was active longer than specified deadline",
]
WAITED = (
    "[rank{0}]:[E504 10:44:03.12 ProcessGroupNCCL.cpp:616] [Rank {0}] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=91, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600083 milliseconds "
    "before timing out."
)


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_a_table_of_events_has_no_place_and_its_deadline_explains_lost_peers(tmp_path):
    assert read(tmp_path, *STEPS, LOST, *TABLE).failure_id == "scheduler.k8s_deadline"


def test_peers_that_were_lost_before_a_time_limit_are_the_cause(tmp_path):
    limit = "slurmstepd: error: *** JOB 4711 ON n7 CANCELLED AT 2026-05-04T14:51:17 DUE TO TIME LIMIT ***"
    assert read(tmp_path, *STEPS, LOST, limit).failure_id == "network.ib_completion_error"


@pytest.mark.parametrize("met", ["No route to host", "Connection timed out"])
def test_a_kernel_that_lost_its_link_explains_who_could_not_be_reached(tmp_path, met):
    dump = [
        "==== dmesg -T (n7) ====",
        "[Mon May  4 09:13:52 2026] IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready",
        "[Mon May  4 10:13:52 2026] bond0: (slave eno1): link status definitely down, disabling slave",
        "[Mon May  4 10:13:53 2026] bond0: now running without any active interface!",
    ]
    words = f"n7:100:200 [0] misc/socket.cc:484 NCCL WARN Call to recv from 10.0.0.7<51> failed : {met}"
    lines = (*STEPS, words, *dump)
    assert read(tmp_path, *lines).root_line == len(lines) - 1


def test_a_rank_that_ran_out_of_data_explains_who_waits_for_it(tmp_path):
    left = "INFO rank 2: shard list exhausted after 78482 batches, leaving the training loop"
    waits = [WAITED.format(rank) for rank in (0, 1, 3)]
    found = read(tmp_path, *STEPS, left, *waits)
    assert (found.category, found.root_line) == ("script", len(STEPS) + 1)
    everybody = [left.replace("rank 2", f"rank {rank}") for rank in range(4)]
    assert read(tmp_path, *STEPS, *everybody, *waits).failure_id == "distributed.watchdog_timeout"
    assert read(tmp_path, *STEPS, left).category == "none"


def test_a_rank_says_in_its_own_words_that_it_has_no_batch_left(tmp_path):
    every = [f"{rank}: done after 40 batches" for rank in range(4)]
    left = "17: epoch 3 ended after 39 batches, no batch 40 for me"
    waits = [WAITED.format(rank) for rank in range(4)]
    found = read(tmp_path, *every[:1], *STEPS, left, *waits)
    assert (found.category, found.root_line) == ("script", len(STEPS) + 2)
