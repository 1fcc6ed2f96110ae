"""Processes that try what a model wrote die all the time; what ends the trainer or one of its workers still counts."""

import pytest

from schedmate import diagnose

STEPS = [f"(Tuner pid=9) step {step}/60 loss 2.{step:03d} lr 1e-4" for step in range(61)]
ERRORS = ["NameError: name 'np' is not defined", "MemoryError", "AssertionError", "IndexError: list index out of range"]


def trace(pid, error, name="Sandbox", path="<candidate>"):
    lines = ["Traceback (most recent call last):", f'  File "{path}", line {pid}, in <module>', error]
    return [f"({name} pid={pid}) {line}" for line in lines]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def among_steps(steps, name="Sandbox"):
    return [line for at, step in enumerate(steps) for line in (step, *trace(400 + at, ERRORS[at % 4], name))]


@pytest.mark.parametrize("name", ["Sandbox", "CodeGrader"])
def test_what_tries_candidates_ends_nothing_when_it_dies(tmp_path, name):
    over = ["(Tuner pid=9) Training Progress: 100%|##########| 60/60 [5:00:11<00:00, 90.06s/it]"]
    assert read(tmp_path, [*among_steps(STEPS, name), *over]).category == "none"


def test_what_ends_the_trainer_behind_them_is_the_cause(tmp_path):
    end = trace(9, "ValueError: cannot reshape array of size 12 into shape (5,)", "Tuner", "/srv/fit.py")
    lines = [*among_steps(STEPS[:40]), *end]
    found = read(tmp_path, lines)
    assert (found.category, found.root_line) == ("script", len(lines))


def test_a_few_deaths_or_of_those_who_make_the_steps_are_none_of_helpers(tmp_path):
    few = [*STEPS[:40], *trace(411, ERRORS[0])]
    assert read(tmp_path, few).category == "script"
    workers = [f"(Fit pid={at % 8}) step {at}/60 loss 2.{at:03d} lr 1e-4" for at in range(40)]
    last = trace(6, "ValueError: cannot reshape array of size 12 into shape (5,)", "Fit", "/srv/fit.py")
    assert read(tmp_path, [*workers, *last]).root_line == len(workers) + 3
