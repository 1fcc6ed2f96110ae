"""Where ranks only waited in vain, what a daemon said behind the last step says why."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(300)]
WAITED = [
    f"[rank{rank}]:[E402 11:20:1{rank}.1 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective "
    "operation timeout: WorkNCCL(SeqNum=81, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600017 "
    "milliseconds before timing out."
    for rank in range(4)
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(
    ("said", "subcategory"),
    [
        ("cardwarden[n7]: card 5 was given up by its driver", "gpu"),
        ("bridgewatch: the NVLink bridge trains no more", "nvlink"),
    ],
)
def test_it_is_the_cause_of_what_ranks_only_waited_for(tmp_path, said, subcategory):
    found = read(tmp_path, *STEPS, said, *WAITED)
    assert (found.root_line, found.subcategory) == (len(STEPS) + 1, subcategory)


@pytest.mark.parametrize(
    "said",
    [
        "cardwarden[n7]: card 5 is well",
        "cardwarden[n7]: card 5 of n9 (spare) was given up last week",
        "cardwarden[n7]: card 5 could not be asked, trying again in 5 s",
        "node-exporter: card 5 was given up by its driver",
        "loader: card 5 was given up",
        "cardwarden[n7]: memory of card 5: 310 GiB of 640 used",
        "cardwarden[n7]: trace of card 5 was written",
        "cardwarden[n7]: rank 5 on host n7 raised ValueError: no such column",
    ],
)
def test_what_soothes_or_is_of_others_is_none(tmp_path, said):
    assert read(tmp_path, *STEPS, said, *WAITED).failure_id == "distributed.watchdog_timeout"


def test_what_was_said_before_is_none(tmp_path):
    said = "cardwarden[n7]: card 5 draws 420 W"
    assert read(tmp_path, *STEPS[:90], said, *STEPS[90:], said, *WAITED).failure_id == "distributed.watchdog_timeout"


def test_it_explains_no_programs_own_error(tmp_path):
    raised = ["Traceback (most recent call last):", '  File "/app/a.py", line 1, in <module>', "KeyError: 'labels'"]
    said = "cardwarden[n7]: card 5 was given up by its driver"
    assert read(tmp_path, *STEPS, said, *raised).failure_id == "python.key_error"
