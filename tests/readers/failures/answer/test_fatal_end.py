"""A job that is dead has no time left; one that lives on after an error has."""

import pytest

import schedmate

STEPS = "".join(f"step {step}/90 loss 0.5 2.00 s/it\n" for step in range(1, 20))
BROKEN = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'lr'\n"
WAITED = (
    "[rank4]:[E ProcessGroupNCCL.cpp:616] [Rank 4] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, "
    "OpType=BROADCAST, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600044 milliseconds before timing out.\n"
)


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        (STEPS + BROKEN, "failed"),
        (
            STEPS + "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2024-05-01T10:00 DUE TO TIME LIMIT ***\n",
            "failed",
        ),
        (STEPS + WAITED, "failed"),
        (STEPS + WAITED + STEPS.replace("loss 0.5", "loss 0.4"), "train"),
        (STEPS + "WARNING: request timed out, retry 1 of 5\n", "train"),
        (STEPS, "train"),
        (STEPS + "WARNING: 3 errors in the data were skipped\n", "train"),
        (BROKEN + STEPS, "train"),
        ("x" * 300 + "\n" + "filler\n" * 40_000 + STEPS + BROKEN, "failed"),
        (STEPS.replace("/90", "/19") + BROKEN, "done"),
    ],
)
def test_the_end_of_a_log_tells_whether_anything_is_left(tmp_path, text, phase):
    (tmp_path / "job.log").write_text(text)
    found = schedmate.track(tmp_path / "job.log", engine="built-in")
    assert found.phase == phase
    assert (found.eta_s is None) == (phase == "failed") or phase == "done"
    if phase == "failed":
        assert f"line {text.count(chr(10)):,} ended it" in found.notes[-1]


@pytest.mark.parametrize(
    "end", ["", "epoch 2 done: val_acc 0.71\n", "Evaluating: val_loss 0.4 step 5/5\nTraining complete.\n"]
)
def test_a_run_whose_counters_are_full_is_done(tmp_path, end):
    rows = (
        f"2026-03-04 07:{20 * epoch + step:02}:00 | epoch {epoch}/2 | batch {step}00/1900 | loss 0.5 | 1.67 it/s\n"
        for epoch in (1, 2)
        for step in range(1, 20)
    )
    (tmp_path / "job.log").write_text("".join(rows) + end)
    found = schedmate.track(tmp_path / "job.log", engine="built-in")
    assert (found.phase, found.eta_s) == ("done", 0)
