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


def epochs(first, last, tenth=0):
    return [f"Epoch {epoch} loss {tenth}.{90 - epoch}" for epoch in range(first, last)]


def bars(*done, name="", end=100):
    rest = "[00:10<1:50, 1.0s/it]"
    return [f"{name}{n * 100 // end:3}%|{'#' * (n * 10 // end):10}| {n}/{end} {rest}" for n in done]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_the_next_seed_ran(tmp_path):
    lines = ["seed 1", *epochs(1, 5), "seed 2", *STACK, "seed 3", *epochs(1, 5, 1), "accuracy 0.81"]
    assert read(tmp_path, *lines).category == "none"
    found = read(tmp_path, *lines, "seed 4", *STACK[:3], "KeyError: 'fold'")
    assert found.root_excerpt == "KeyError: 'fold'"


def test_what_a_dead_program_held_back_goes_on(tmp_path):
    found = read(tmp_path, *epochs(1, 5), *STACK, *epochs(5, 9))
    assert (found.category, found.root_line) == ("script", 8)


def test_one_step_behind_the_first_shows_nothing(tmp_path):
    assert read(tmp_path, *epochs(1, 2), *STACK, *epochs(1, 3)).root_line == 5


def test_one_step_further_shows_no_counter_that_went_back(tmp_path):
    assert read(tmp_path, *epochs(1, 3), *STACK, *epochs(1, 3, 1)).root_line == 6


def test_ranks_hand_over_what_they_held_back_one_after_the_other(tmp_path):
    found = read(tmp_path, *epochs(1, 5), *STACK, *epochs(1, 5), ENDED)
    assert (found.category, found.root_line) == ("script", 8)


def test_a_bar_is_drawn_once_more_as_it_is_closed(tmp_path):
    bars = [f"Train:   0%|          | {n}/58114 [34:1{n}<183:39:40, 11.41s/it]" for n in range(6)]
    found = read(tmp_path, *bars, bars[-1], *STACK, bars[-1])
    assert (found.category, found.root_line) == ("script", 11)


UNREAD = ['  File "run.py", line 12', "    x = = 3", "        ^", "SyntaxError: invalid syntax"]
WARNED = ["/home/acme/run.py:12: UserWarning: the layer is not used", '  warnings.warn("the layer is not used")']
OTHERS_WARNING = ["/opt/env/lib/python3.11/site-packages/tracker/send.py:7: UserWarning: the queue is empty"]


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
        [*UNREAD, *OTHERS_WARNING, "done"],
        [*UNREAD, *bars(0, 100, name="sending the logs: ")],
        [*UNREAD, *bars(0, 100)],
        [*UNREAD, "+ python plots.py", *epochs(1, 3)],
        [*UNREAD, "Evaluating the baseline", *epochs(1, 3)],
        [*UNREAD, *epochs(1, 2)],
        [*UNREAD, *WARNED, STACK[0], '  File "test.py", line 6, in <module>', "FileNotFoundError: 'best.pt'"],
    ],
)
def test_what_a_shell_says_or_another_script_raises_behind_it_is_no_later_start(tmp_path, lines):
    found = read(tmp_path, *lines)
    assert (found.category, found.root_excerpt) == ("script", UNREAD[-1])


def test_a_program_that_was_running_as_it_could_not_read_a_file_holds_steps_back(tmp_path):
    loads = [
        "Traceback (most recent call last):",
        '  File "/app/jobs.py", line 40, in start',
        "    import_module(name)",
    ]
    assert read(tmp_path, *loads, *UNREAD, *epochs(1, 3)).root_excerpt == UNREAD[-1]


def test_a_script_that_is_started_again_by_its_name_was_mended(tmp_path):
    assert read(tmp_path, *UNREAD, "+ python -u run.py --seed 3", *epochs(1, 3)).category == "none"


NO_MODULE = [*STACK[:2], "    import nets", "ModuleNotFoundError: No module named 'nets'"]
BEGINS = [f"  {n}%|          | {n}/100 [00:0{n}<15:50, 10.0s/it]" for n in (0, 5)]
MEMORY = "slurmstepd: error: Detected 1 oom_kill event in StepId=8.batch. Some of the step tasks have been OOM Killed."


@pytest.mark.parametrize("end", [KILLED, MEMORY])
def test_a_bar_that_begins_behind_the_end_of_the_only_program_is_anothers(tmp_path, end):
    assert read(tmp_path, *NO_MODULE, *BEGINS, end).category == "infrastructure"


def test_a_bar_that_goes_on_is_not(tmp_path):
    assert read(tmp_path, BEGINS[0], *NO_MODULE, BEGINS[1], MEMORY).root_line == 5


FAULT = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
MEMORY_FULL = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB"


@pytest.mark.parametrize("raised", [FAULT, MEMORY_FULL, "KeyboardInterrupt", "ImportError: cannot import name 'nets'"])
@pytest.mark.parametrize(
    "drawn",
    [
        bars(0, 5, name="Uploading the reports: ", end=5),
        [
            "metrics.json:   0%|          | 0.00/7.2k [00:00<?, ?B/s]",
            "metrics.json: 100%|#####| 7.2k/7.2k [00:00, 9kB/s]",
        ],
        ["Keeping what there is", *bars(0, 5, end=5), "all sent"],
        ["+ python draw.py", *bars(0, 4, name="drawing: ", end=4)],
        bars(0, 4, name="Saving shards: ", end=4),
        bars(0, 1, 2, 3, 4, 5, name="Uploading the reports: ", end=5),
    ],
)
def test_no_bar_behind_a_program_that_died_hides_why(tmp_path, raised, drawn):
    assert read(tmp_path, "Building the net", *STACK[:3], raised, *drawn).root_line == 5


def test_a_programs_own_bar_that_begins_anew_and_comes_as_far_is_the_next_ones(tmp_path):
    dead = [*bars(0, 20, 40, 60, name="train: "), *STACK]
    assert read(tmp_path, *dead, *bars(0, 30, 60, 100, name="train: "), "accuracy 0.81").category == "none"
    for others in (
        bars(0, 50, name="train: "),
        bars(0, 100, name="valid: "),
        bars(0, 70, name="train: ", end=70),
    ):
        assert read(tmp_path, *dead, *others, "accuracy 0.81").root_line == 8


def test_a_bar_of_each_pass_begins_anew_in_one_program(tmp_path):
    passes = [*bars(0, 50, 100), *bars(0, 50, 100), *bars(0, 50)]
    assert read(tmp_path, *passes, *STACK, *bars(0, 100)).root_line == len(passes) + 4


def batches(first, last, loss=1):
    return [f"Batch {n}/100 loss {loss}.{n:03}" for n in range(first, last, 10)]


def test_a_counter_of_a_pass_goes_back_in_one_program(tmp_path):
    for before in (batches(70, 101), batches(40, 71), [*batches(10, 101), *batches(10, 51)]):
        assert read(tmp_path, *before, *STACK, *batches(10, 101, 2)).root_line == len(before) + 4
    listed = [f"{n}/100 [====>.....] - loss: 1.{n:03}" for n in range(70, 101, 10)]
    later = [f"{n}/100 [====>.....] - loss: 0.{n:03}" for n in range(10, 101, 10)]
    assert read(tmp_path, *listed, *STACK, *later).root_line == len(listed) + 4


def steps(first, last, loss=1):
    return [f"step {n} loss {loss}.{n:03}" for n in range(first, last)]


def test_a_counter_that_never_went_back_before_is_the_next_programs(tmp_path):
    assert read(tmp_path, *steps(1, 30), *STACK, "seed 2", *steps(1, 60, 2)).category == "none"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([*steps(1, 20), *steps(1, 20), *steps(1, 9)], steps(1, 20, 2)),
        (steps(1, 30), steps(1, 9, 2)),
        (steps(1, 30), ["Evaluating the last checkpoint", *steps(1, 40, 2)]),
        (epochs(1, 5), ["scoring with the best model", *epochs(1, 5, 1)]),
        (epochs(1, 5), ["what was measured:", *epochs(1, 5)]),
    ],
)
def test_what_a_dead_program_still_counts_is_no_next_program(tmp_path, before, after):
    assert read(tmp_path, *before, *STACK, *after).root_line == len(before) + 4


def test_the_epoch_that_goes_back_shows_the_next_program_whatever_its_batches_did(tmp_path):
    def run(first, last, loss):
        return [f"Epoch {e} batch {b}/30 loss {loss}.{e}{b}" for e in range(first, last) for b in (10, 20, 30)]

    assert read(tmp_path, *run(1, 4, 1), *STACK, *run(1, 6, 2)).category == "none"
    assert read(tmp_path, *run(1, 4, 1), *STACK, *run(4, 5, 1)[:2]).root_line == 13


@pytest.mark.parametrize("above", [[], ["NVRM: Xid (PCI:0000:52:00): 79, pid=61, GPU has fallen off the bus."]])
def test_a_machines_fault_is_not_over_as_the_next_program_runs(tmp_path, above):
    lines = [*epochs(1, 5), *above, *STACK[:3], FAULT, *epochs(1, 9, 1)]
    assert read(tmp_path, *lines).category == "infrastructure"
