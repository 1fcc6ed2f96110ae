"""Logs of programs never met: the same each time, labelled with the numbers they print, in looks that lose nothing."""

import json
import random
import re

import pytest

from evals.training_logs.run import draw_run
from evals.unmet_logs.__main__ import write_set
from evals.unmet_logs.looks import LOOKS
from evals.unmet_logs.noise import NOISES, drown
from evals.unmet_logs.programs import HELD, PROGRAMS
from evals.unmet_logs.shapes import clock, short, words

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?"


def test_no_program_is_in_both_parts():
    names = [program.__name__ for program in (*PROGRAMS, *HELD)]
    assert len(names) == len(set(names)) >= 130


@pytest.mark.parametrize("program", [*PROGRAMS, *HELD], ids=lambda program: program.__name__)
def test_a_label_names_numbers_that_the_log_prints(program):
    first, second = (program(draw_run(random.Random(program.__name__))) for _ in range(2))
    assert first == second
    numbers = {float(found.replace(",", "")) for found in re.findall(NUMBER, "\n".join(first.lines))}
    for value in (first.loss, first.step):
        wanted = [float(part) for part in str(value).split("|")] if value != "" else []
        assert not wanted or any(abs(number - one) <= 0.01 * max(one, 1) for number in numbers for one in wanted)
    assert all(part == "null" or float(part) > 0 for part in first.step_time_s.split("|"))


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.__name__)
def test_a_look_loses_no_word(look):
    lines = [f"step {index} of {index * 31} " + "x" * 90 for index in range(40)]
    shown = look(random.Random(2), lines)
    if look.__name__ == "docker_json":
        shown = [json.loads(line)["log"] for line in shown]
    text = "".join(shown).replace("\n", "")
    assert all(line in text for line in lines)


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: noise.__name__)
def test_noise_names_no_loss_and_has_numbers(noise):
    lines = noise(random.Random(3), 30)
    assert len(lines) == 30
    assert "loss" not in "".join(lines)
    assert all(re.search(r"\d", line) for line in lines[1:])


def test_what_is_drowned_keeps_its_order():
    lines = [f"own {index}" for index in range(50)]
    mixed = drown(random.Random(4), lines, 3000)
    assert [line for line in mixed if line.startswith("own")] == lines
    assert len(mixed) > 2500


def test_numbers_are_written_as_programs_write_them():
    assert (short(1048576), short(1230), short(0.5)) == ("1.05M", "1.23K", "0.5")
    assert (clock(90061), clock(61), words(3723)) == ("1 day, 1:01:01", "0:01:01", "1h2m3s")


def test_each_log_is_written_clean_and_drowned(tmp_path):
    write_set(tmp_path, seed=1, held=True, noise=200)
    assert len(list(tmp_path.glob("*_clean.log"))) == len(list(tmp_path.glob("*_noisy.log"))) == len(HELD)
