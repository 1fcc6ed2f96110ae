"""The training logs: reproducible, labelled with the numbers that they print, noise that trains nothing."""

import random
import re

import pytest

from evals.training_logs.__main__ import row_of, write_set
from evals.training_logs.libraries import LIBRARIES
from evals.training_logs.noise import NOISES, drown
from evals.training_logs.renderings import RENDERINGS
from evals.training_logs.run import draw_run, hms
from evals.training_logs.score import capped_error, right

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?"
SAID = [("0.5|null", None, True), ("0.5", None, False), ("0.5", 0.6, True), ("0.5", 0.7, False), ("null", 0.1, False)]


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.__name__)
def test_the_last_step_and_loss_of_the_label_are_printed(library):
    told = library(draw_run(random.Random(library.__name__)))
    text = "\n".join(told.lines)
    numbers = {float(found.replace(",", "")) for found in re.findall(NUMBER, text)}
    for value in (told.loss, told.step):
        if value != "":
            wanted = [float(part) for part in str(value).split("|")]
            assert any(abs(number - one) <= 0.005 * max(one, 1) for number in numbers for one in wanted)


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.__name__)
def test_the_same_dice_tell_the_same_log(library):
    first, second = (library(draw_run(random.Random(7))) for _ in range(2))
    assert first == second
    assert first.lines


@pytest.mark.parametrize("rendering", dict.fromkeys(RENDERINGS), ids=lambda rendering: rendering.__name__)
def test_a_rendering_loses_nothing(rendering):
    lines = [f"step {index} loss 0.{index} " + "x" * 120 for index in range(30)]
    shown = "".join(rendering(random.Random(1), lines))
    if rendering.__name__ != "wrapped":
        assert all(line in shown for line in lines)
    assert [line[:12] for line in lines if line[:12] not in shown] == []


def test_noise_keeps_the_order_of_what_it_drowns():
    lines = [f"line {index}" for index in range(50)]
    mixed = drown(random.Random(3), lines, 900)
    assert [line for line in mixed if line in set(lines)] == lines
    assert len(mixed) >= 950


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: noise.__name__)
def test_noise_comes_in_the_length_that_is_asked_for(noise):
    assert 40 <= len(noise(random.Random(1), 40)) <= 46


def test_a_set_is_written_with_its_labels(tmp_path):
    write_set(tmp_path, seed=1, count=3, noise=50)
    names = [line.split(",")[0] for line in (tmp_path / "labels.csv").read_text().splitlines()[1:]]
    assert sorted(path.stem for path in tmp_path.glob("*.log")) == sorted(names)


@pytest.mark.parametrize(("wanted", "got", "good"), SAID)
def test_a_step_time_is_right_within_a_quarter_or_rightly_absent(wanted, got, good):
    told = row_of("a", LIBRARIES[0](draw_run(random.Random(1))), "as_is", False) | {"step_time_s": wanted}
    assert right(told, {"step_time_s": got}) is good


def test_an_error_counts_one_at_most():
    row = {"step_time_s": "0.5", "step_time_tol": "0.25"}
    assert capped_error(row, {"step_time_s": 500.0}) == 1
    assert capped_error(row, {}) == 1
    assert capped_error(row, {"step_time_s": 0.6}) == pytest.approx(0.2)
    assert capped_error(row | {"step_time_s": "0.5|null"}, {}) is None


def test_clocks_read_as_bars_print_them():
    assert (hms(65), hms(3725)) == ("01:05", "1:02:05")
