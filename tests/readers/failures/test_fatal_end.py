"""A job that is dead has no time left; one that lives on after an error has."""

import pytest

import schedmate

STEPS = "".join(f"step {step}/90 loss 0.5 2.00 s/it\n" for step in range(1, 20))
BROKEN = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'lr'\n"


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        (STEPS + BROKEN, "failed"),
        (
            STEPS + "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2024-05-01T10:00 DUE TO TIME LIMIT ***\n",
            "failed",
        ),
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
