"""A guard that ends a job because it crawls does not say why: what still slows a card down does."""

import pytest

from tests.readers.failures.moves import rules_of, verdict_of

STEPS = [f"2026-03-14 06:{step:02d}:03 step {step} loss 2.{step:03d} lr 0.01" for step in range(50)]
HOT = (
    "2026-03-14T06:{:02d}:22+00:00 n41 gpu-health[171]: WARN gpu=6 clocks_event_reasons.hw_thermal_slowdown=Active "
    "temp.gpu=93 clocks.sm=345 MHz"
)
SLOW = "2026-03-14 06:51:00 ERROR straggler: throughput below 30% of baseline for 20 min, aborting"
SHAPES = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 5x2)"


def log(*last, until=48):
    """Write steps between which a card is told to be hot from the twentieth minute on."""
    lines = []
    for at, step in enumerate(STEPS):
        lines += [step, HOT.format(at)] if 20 <= at <= until and at % 4 == 0 else [step]
    return "\n".join([*lines, *last]) + "\n"


def test_the_first_word_of_what_still_slows_it_is_the_cause(tmp_path):
    text = log(HOT.format(50), SLOW)
    found = verdict_of(tmp_path / "job.log", text)
    assert (found.root.failure.id, found.root.number) == ("gpu.thermal_slowdown", 22)
    assert "slowed down" in rules_of(tmp_path / "job.log", text)


@pytest.mark.parametrize("text", [log(SLOW, until=30), log(HOT.format(50), SHAPES)], ids=["cooled", "of the program"])
def test_a_card_that_cooled_and_a_fault_of_the_program_are_left_alone(tmp_path, text):
    assert "slowed down" not in rules_of(tmp_path / "job.log", text)


@pytest.mark.parametrize("earlier", ["gpu=1", "node of another card", "long before"])
def test_another_card_or_another_time_is_not_what_slows_it_now(tmp_path, earlier):
    line = {
        "gpu=1": HOT.replace("gpu=6", "gpu=1").format(17),
        "node of another card": HOT.replace("n41", "n12").format(17),
        "long before": HOT.replace("06:{", "01:{").format(17),
    }[earlier]
    found = verdict_of(tmp_path / "job.log", line + "\n" + log(HOT.format(50), SLOW))
    assert found.root.number == 23, "the first word of the card that is slow at the end"
