"""From a log to a first cause, a class and a plan; every quote stands in the log."""

import asyncio
from datetime import UTC, datetime

import pytest

from schedmate import diagnose
from schedmate.errors import InputError
from schedmate.graphs.diagnose import build_diagnose_graph
from schedmate.schemas import Diagnosis

STEPS = "".join(f"epoch 1 step {step} loss {3 - step / 100:.3f}\n" for step in range(10, 60, 10))
USER_ERROR = """\
Traceback (most recent call last):
  File "train.py", line 88, in <module>
    main()
zoo.Hungry: no bananas left
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="job.log"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def check_quotes(diagnosis):
    assert diagnosis.evidence
    for item in diagnosis.evidence:
        with open(item.path, encoding="utf-8", errors="replace", newline="\n") as handle:
            assert item.quote in handle.read().split("\n")[item.line - 1]


def test_a_user_error_before_the_fallout_is_the_root(write):
    fallout = "".join(
        f"[rank{rank}]:[E501 12:34:56.789 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600123 milliseconds\n"
        for rank in range(8)
    )
    found = diagnose(write(STEPS + USER_ERROR + fallout))
    assert (found.category, found.failure_id, found.root_line) == ("script", "script.hungry", 9)
    assert found.last_progress_line == 5
    assert found.fallout_lines == 8
    assert found.should_restart == "no"
    check_quotes(found)


def test_a_fault_that_was_survived_is_none(write):
    later = "".join(STEPS.replace("epoch 1", f"epoch {epoch}") for epoch in range(2, 99))
    assert diagnose(write(STEPS + USER_ERROR + later)).category == "none"


def test_a_few_steps_behind_the_end_of_the_only_program_lay_in_its_buffer(write):
    found = diagnose(write(STEPS + USER_ERROR + STEPS.replace("epoch 1", "epoch 2")))
    assert (found.failure_id, found.root_line) == ("script.hungry", 9)


def test_hardware_printed_after_its_effects_is_still_the_root(write):
    kernel = (
        "May  1 12:34:50 gpu17 kernel: [99.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n"
    )
    found = diagnose(
        write(
            STEPS
            + USER_ERROR.replace("zoo.Hungry: no", "RuntimeError: CUDA error: unspecified launch failure, no")
            + kernel
        )
    )
    assert (found.category, found.subcategory, found.failure_id) == ("infrastructure", "gpu", "gpu.xid_79")
    assert "gpu17" in found.faulty_components
    assert [action.target for action in found.actions if action.kind == "isolate"] == ["gpu17"]
    assert not any("slurm" in action.commands for action in found.actions), "the log shows no Slurm"
    check_quotes(found)


def test_ranks_in_a_directory_are_ordered_by_their_clocks(write):
    for rank in range(4):
        minute = 10 if rank == 2 else 20
        write(
            f"2024-05-01 12:00:00 epoch 1 step 1 loss 2.0\n2024-05-01 12:{minute}:00 ERROR dying\n"
            + "".join(f"2024-05-01 12:{minute}:01 {line}\n" for line in USER_ERROR.splitlines()),
            f"ranks/rank_{rank}.log",
        )
    found = diagnose(write("", "ranks/empty.log").parent)
    assert found.root_path.endswith("rank_2.log")
    assert found.root_rank == 2
    check_quotes(found)


def test_only_the_last_attempt_counts(write):
    banner = "launching the trainer with sixteen workers\nreading the dataset index from disk\n"
    found = diagnose(write(banner + STEPS + USER_ERROR + banner + STEPS + USER_ERROR.replace("Hungry", "Thirsty")))
    assert found.attempts == 2
    assert found.failure_id == "script.thirsty"


def test_both_ways_of_walking_give_the_same_answer(write):
    path = str(write(STEPS + USER_ERROR))
    final = asyncio.run(build_diagnose_graph().ainvoke({"path": path}, context={"engine": "built-in"}))
    compiled = Diagnosis.model_validate(final["diagnosis"])
    volatile = {"elapsed_s": 0.0}
    assert compiled.model_copy(update=volatile) == diagnose(path).model_copy(update=volatile)


@pytest.mark.parametrize("data", [b"", b"\n\n  \n", bytes(range(256)) * 400])
def test_what_is_no_log_is_refused(write, data):
    with pytest.raises(InputError):
        diagnose(write(data))


def test_a_directory_without_logs_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no logs"):
        diagnose(tmp_path)


def test_earlier_attempts_and_the_stall_are_told(write):
    banner = "".join(
        f"{text}\n" for text in ("launching the trainer now", "reading the dataset index", "seed seventeen set")
    )
    watchdog = (
        "2024-05-01 12:30:00 [rank1]:[E501 12:30:00.789 ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog caught collective "
        "operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600000 milliseconds\n"
    )
    found = diagnose(write(banner + STEPS + USER_ERROR + banner + STEPS + watchdog))
    assert found.attempts == 2
    assert found.notes[0].startswith("this is an effect")
    assert found.notes[1] == "ranks waited in vain since 05-01 12:20:00"
    assert found.notes[2] == "attempt 1 (lines 1 to 12): script.hungry at line 12"


def test_what_each_rank_prints_as_it_dies_opens_no_attempt(write):
    """A log without a greeting: the first lines that are no progress are the effects, and 3 ranks repeat them."""
    late = "".join(f"3: {line}\n" for line in USER_ERROR.splitlines())
    fallout = [
        f"[rank{rank}]:[E321 05:24:06.1 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation "
        f"timeout: WorkNCCL(SeqNum=15, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600{rank}11 milliseconds before "
        f"timing out.\n[rank{rank}]:[E321 05:24:06.2 ProcessGroupNCCL.cpp:681] [Rank {rank}] Some NCCL operations have "
        "failed or timed out, so what comes after may run on incomplete data.\n"
        for rank in range(5)
    ]
    found = diagnose(write(STEPS + "".join(fallout[:3]) + late + "".join(fallout[3:])))
    assert (found.attempts, found.failure_id, found.root_rank) == (1, "script.hungry", 3)


def test_nothing_comes_after_a_fault_in_a_log_of_one_line(write):
    found = diagnose(write((STEPS + USER_ERROR).replace("\n", "\r")))
    assert (found.failure_id, found.root_line, found.fallout_lines) == ("script.hungry", 1, 0)


@pytest.mark.parametrize("stamp", ["9999-12-31T23:59:59-23:59", "0000-00-00T00:00:00", "1970-01-01T00:00:00+14:00"])
def test_a_time_that_no_calendar_has_can_be_shown(write, stamp):
    found = diagnose(write("".join(f"{stamp} {line}" for line in (STEPS + USER_ERROR).splitlines(keepends=True))))
    when = found.root_time_s
    assert when is None or datetime.fromtimestamp(when, UTC).year < 9999
