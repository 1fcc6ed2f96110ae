"""The field sets: reproducible, labelled where the fault is stated, in every launcher's words."""

import random
import re

import pytest

from evals.field.faults import HELD, OPEN
from evals.field.job import LAUNCHERS, draw_job
from evals.field.launchers import close_job, open_job
from evals.field.score import accepted, infrastructure_f1, placed
from evals.field.stage import Line, Stage
from evals.field.story import tell, tell_broken
from evals.field.written import write_out


def stage_of(launcher, seed="1", size=400):
    job = draw_job(random.Random(seed), launcher, size)
    job.style = "logging"
    return Stage(job, 0.0)


@pytest.mark.parametrize("fault", [*OPEN, *HELD], ids=lambda fault: fault.name)
def test_the_label_is_the_line_that_states_the_fault(fault):
    fitting = [stage for name in LAUNCHERS if fault.fits((stage := stage_of(name, fault.name)).job)]
    assert fitting
    for stage in fitting:
        open_job(stage)
        truth = tell_broken(stage, fault, 0.0)
        for line in stage.lines:
            line.stream = "tail" if line.stream == "kernel" else line.stream
        text, root, also = write_out(stage)
        lines = text.split("\n")
        stated = tuple(line.text for line in stage.lines if line.mark)
        assert truth.category == fault.category
        assert root
        assert all(lines[number - 1].endswith(stated) for number in (root, *also))


def test_the_same_seed_tells_the_same_story():
    first, second = (tell(random.Random("a"), launcher="k8s", largest=500) for _ in range(2))
    assert first == second
    assert first.text != tell(random.Random("b"), launcher="k8s", largest=500).text


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_a_healthy_run_states_no_fault(launcher):
    story = tell(random.Random("well"), launcher=launcher, healthy=True, largest=600)
    assert (story.truth.category, story.root, story.also) == ("none", 0, [])


def test_a_process_that_is_killed_loses_what_it_had_not_flushed():
    stage = stage_of("srun")
    stage.job.buffered = True
    stage.say(1, 0, ["kept back"], stream="out")
    stage.say(2, 0, ["said at once"])
    stage.dies(0, 3, -9)
    assert write_out(stage)[0] == "said at once\n"


def test_what_was_kept_back_comes_when_the_process_ends():
    stage = stage_of("srun")
    stage.job.buffered = True
    stage.say(1, 0, ["kept back"], stream="out")
    stage.say(2, 0, ["said at once"])
    stage.dies(0, 3, 1)
    assert write_out(stage)[0] == "said at once\nkept back\n"


def test_an_error_after_a_bar_stands_on_the_bars_line():
    stage = stage_of("srun")
    stage.lines = [Line(1, "\r10%", end=""), Line(2, "\r20%", end=""), Line(3, "ValueError: no", mark=1)]
    assert write_out(stage) == ("\r10%\r20%ValueError: no\n", 1, [])


def test_the_first_to_die_is_the_one_that_mpirun_names():
    stage = stage_of("mpirun")
    stage.dies(3, 9, 1)
    stage.dies(5, 7, -11)
    close_job(stage)
    told = "\n".join(line.text for line in stage.lines)
    assert re.search(r"process rank 5 .* exited on signal 11", told)


def row(**labels):
    return {
        "category": "script",
        "root_line": "10",
        "root_span": "2",
        "accept_also": "",
        "also_root_lines": "",
        **labels,
    }


@pytest.mark.parametrize(("line", "right"), [(7, True), (15, True), (6, False), (16, False), (None, False), (41, True)])
def test_a_place_counts_near_the_cause_or_its_twin(line, right):
    assert placed(row(also_root_lines="40"), {"root_line": line}) is right


def test_a_class_that_is_accepted_too_does_not_hurt():
    either = (row(accept_also="infrastructure"), {"category": "infrastructure"})
    wrong = (row(category="infrastructure"), {"category": "script"})
    assert accepted(*either)
    assert not accepted(*wrong)
    assert infrastructure_f1([either, wrong]) == pytest.approx(2 / 3)
