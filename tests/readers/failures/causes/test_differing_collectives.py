"""Ranks of one group that differ in what they called as its n-th collective: a fault of the program, not of a link."""

import pytest

from schedmate import diagnose

STEPS = "".join(f"step {step} loss {3 - step / 100:.3f}\n" for step in range(10, 60, 10))
WAITED = (
    "[rank{rank}]:[E817 04:10:55.448446536 ProcessGroupNCCL.cpp:629] [Rank {rank}] Watchdog caught collective "
    "operation timeout: WorkNCCL(SeqNum={number}, OpType={kind}, NumelIn={given}, NumelOut={taken}, "
    "Timeout(ms)=1800000) ran for 1800002 milliseconds before timing out.\n"
)
IN_GROUP = (
    "[rank{rank}]:[E817 04:10:55.466465778 ProcessGroupNCCL.cpp:2168] [PG ID 2 PG GUID {group} Rank {rank}]  failure "
    "detected by watchdog at work sequence id: {number} PG status: last enqueued work: 76011, last completed work: 1\n"
)


def told(tmp_path, ranks, with_group=True):
    """Diagnose a log in which each rank waited in its own way."""
    usual = {"number": 76009, "kind": "_ALLGATHER_BASE", "given": 196608, "taken": 1572864, "group": "0(default_pg)"}
    lines = [usual | {"rank": rank} | changes for rank, changes in enumerate(ranks)]
    text = "".join(WAITED.format(**line) + (IN_GROUP.format(**line) if with_group else "") for line in lines)
    (tmp_path / "job.log").write_text(STEPS + text)
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("odd", [{"given": 1048576, "taken": 8388608}, {"kind": "ALLREDUCE"}])
def test_one_rank_that_called_something_else_is_the_cause(tmp_path, odd):
    found = told(tmp_path, [{}, {}, odd, {}])
    assert (found.category, found.failure_id) == ("framework", "distributed.collective_mismatch")
    assert (found.root_line, found.should_restart) == (STEPS.count("\n") + 1, "no")


@pytest.mark.parametrize(
    ("ranks", "with_group"),
    [
        ([{}, {}, {}, {}], True),
        ([{}, {}, {"given": 8, "taken": 64}, {}], False),
        ([{}, {}, {"given": 8, "taken": 64, "group": "7"}, {}], True),
        ([{}, {}, {"given": 8, "taken": 64, "number": 76010}, {}], True),
        ([{"kind": "ALLTOALL_BASE"}, {"kind": "ALLTOALL_BASE", "given": 8}], True),
        ([{}, {}, {}, *({"kind": "ALLREDUCE"} for _ in range(3))], True),
    ],
    ids=["alike", "no group told", "another group", "another call", "sizes may differ", "halves"],
)
def test_nothing_else_is_said_to_differ(tmp_path, ranks, with_group):
    found = told(tmp_path, ranks, with_group)
    assert (found.category, found.failure_id) == ("infrastructure", "distributed.watchdog_timeout")
