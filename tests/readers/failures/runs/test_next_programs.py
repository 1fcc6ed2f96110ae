"""A script goes on with the next seed when a program fails: its counter begins again, as no held-back output does."""

import pytest

from schedmate import diagnose

STACK = [
    "Traceback (most recent call last):",
    '  File "run.py", line 12, in <module>',
    "    main()",
    "ValueError: Input contains NaN",
]
ENDED = "[2031-04-05 10:00:00] torch.distributed.elastic: [ERROR] failed (exitcode: 1) local_rank: 1 (pid: 4711)"


def epochs(first, last):
    return [f"Epoch {epoch} loss 0.{90 - epoch}" for epoch in range(first, last)]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_the_next_seed_ran(tmp_path):
    lines = ["seed 1", *epochs(1, 5), "seed 2", *STACK, "seed 3", *epochs(1, 5), "accuracy 0.81"]
    assert read(tmp_path, *lines).category == "none"
    found = read(tmp_path, *lines, "seed 4", *STACK[:3], "KeyError: 'fold'")
    assert found.root_excerpt == "KeyError: 'fold'"


def test_what_a_dead_program_held_back_goes_on(tmp_path):
    found = read(tmp_path, *epochs(1, 5), *STACK, *epochs(5, 9))
    assert (found.category, found.root_line) == ("script", 8)


def test_one_step_behind_the_first_shows_nothing(tmp_path):
    assert read(tmp_path, *epochs(1, 2), *STACK, *epochs(1, 3)).root_line == 5


def test_ranks_hand_over_what_they_held_back_one_after_the_other(tmp_path):
    found = read(tmp_path, *epochs(1, 5), *STACK, *epochs(1, 5), ENDED)
    assert (found.category, found.root_line) == ("script", 8)


def test_a_bar_is_drawn_once_more_as_it_is_closed(tmp_path):
    bars = [f"Train:   0%|          | {n}/58114 [34:1{n}<183:39:40, 11.41s/it]" for n in range(6)]
    found = read(tmp_path, *bars, bars[-1], *STACK, bars[-1])
    assert (found.category, found.root_line) == ("script", 11)


UNREAD = ['  File "run.py", line 12', "    x = = 3", "        ^", "SyntaxError: invalid syntax"]
WARNED = ["/home/acme/nets.py:12: UserWarning: the layer is not used", '  warnings.warn("the layer is not used")']


LIMIT = "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2031-04-05T10:00:00 DUE TO TIME LIMIT ***"
KILLED = "run.sh: line 3: 4711 Killed                  python run.py"


@pytest.mark.parametrize(
    ("ran", "category"),
    [
        (epochs(1, 3), "none"),
        (WARNED, "none"),
        ([*epochs(1, 3), LIMIT], "other"),
        ([*WARNED, LIMIT], "other"),
        ([*epochs(1, 3), KILLED], "infrastructure"),
    ],
)
def test_a_script_that_could_not_be_read_was_mended_where_a_program_ran_later(tmp_path, ran, category):
    assert read(tmp_path, *UNREAD, *ran).category == category


@pytest.mark.parametrize(
    "lines",
    [
        [*UNREAD, "mv: cannot stat 'out.pt': No such file or directory"],
        [*epochs(1, 4), *UNREAD],
        [*UNREAD, *WARNED, STACK[0], '  File "test.py", line 6, in <module>', "FileNotFoundError: 'best.pt'"],
    ],
)
def test_what_a_shell_says_or_another_script_raises_behind_it_is_no_later_start(tmp_path, lines):
    assert read(tmp_path, *lines).root_excerpt == UNREAD[-1]


NO_MODULE = [*STACK[:2], "    import nets", "ModuleNotFoundError: No module named 'nets'"]
BEGINS = [f"  {n}%|          | {n}/100 [00:0{n}<15:50, 10.0s/it]" for n in (0, 5)]
MEMORY = "slurmstepd: error: Detected 1 oom_kill event in StepId=8.batch. Some of the step tasks have been OOM Killed."


@pytest.mark.parametrize("end", [KILLED, MEMORY])
def test_a_bar_that_begins_behind_the_end_of_the_only_program_is_anothers(tmp_path, end):
    assert read(tmp_path, *NO_MODULE, *BEGINS, end).category == "infrastructure"


def test_a_bar_that_goes_on_is_not(tmp_path):
    assert read(tmp_path, BEGINS[0], *NO_MODULE, BEGINS[1], MEMORY).root_line == 5
