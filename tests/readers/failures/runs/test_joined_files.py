"""Files of one run that were joined in a log: what stands further down was not said later."""

import pytest

from schedmate import diagnose

FORMS = ["==> {} <==", "######## {}", "[file: {}]", ">>> cat logs/{}", "----- {} -----", "$ tail -n 500 {}"]
SECTIONS = [
    "=== rank {} ===",
    "--- worker-{} ---",
    ">>> node0{} <<<",
    "[file: gpu{}]",
    "##### Logs of pod train-{}",
    "--- node 7{} stderr",
]
DIED = [
    "[rank1]: Traceback (most recent call last):",
    '[rank1]:   File "/home/user/train.py", line 88, in <module>',
    "[rank1]:     main()",
    '[rank1]:   File "/home/user/train.py", line 61, in main',
    "[rank1]:     loss = model(batch)",
    "[rank1]: RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 79.15 GiB total capacity)",
]
OPENED = ["loading the configuration from conf/base.yaml", "building the model, 1.3 billion parameters"]


def steps(first, last):
    return [
        f"2026-05-04 10:{step // 60:02d}:{step % 60:02d} step {step}/9000 | loss {3 - step / 900:.4f} | lr 1e-4"
        for step in range(first, last)
    ]


def joined(form, parts):
    names = (f"rank_{rank}.log" for rank, _ in parts)
    return [line for name, (_, lines) in zip(names, parts, strict=True) for line in (form.format(name), *lines)]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("form", FORMS)
def test_steps_of_another_file_clear_nothing_wherever_it_stands(tmp_path, form, order):
    said = {0: [*OPENED, *steps(1, 200)], 1: [*OPENED, *DIED], 2: OPENED}
    lines = joined(form, [(rank, said[rank]) for rank in order])
    found = read(tmp_path, lines)
    assert (found.failure_id, found.attempts) == ("cuda.out_of_memory", 1)
    assert found.root_line == lines.index(DIED[-1]) + 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_steps_of_another_file_that_are_later_by_their_clock_clear_what_has_one(tmp_path, order):
    handled = "2026-05-04 10:00:20 ERROR could not reach the metrics server: Connection refused"
    said = {0: [*OPENED, *steps(1, 200)], 1: [*OPENED, handled]}
    assert read(tmp_path, joined(FORMS[0], [(rank, said[rank]) for rank in order])).category == "none"


def test_what_its_own_file_goes_on_after_is_cleared(tmp_path):
    said = [*steps(1, 40), *(line.removeprefix("[rank1]: ") for line in DIED[:3]), "ValueError: bad", *steps(40, 400)]
    assert read(tmp_path, joined(FORMS[0], [(0, said), (1, OPENED)])).category == "none"


def test_files_that_are_named_again_and_again_are_followed_as_they_grow(tmp_path):
    lines = [*joined(FORMS[0], [(0, steps(1, 40)), (1, DIED)]), *joined(FORMS[0], [(0, steps(40, 4000))])]
    assert read(tmp_path, lines).category == "none"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_what_a_file_says_before_its_next_run_began_is_over(tmp_path, order):
    launcher = [
        "slurmstepd: error: *** JOB 4711 ON n7 CANCELLED AT 2026-05-04T09:30:11 DUE TO PREEMPTION ***",
        "[wrapper] job 4711 requeued (restart count 1) after preemption",
        "srun: error: n7: task 1: Exited with exit code 1",
        "srun: Terminating StepId=4711.0",
        "srun: error: n8: task 2: Killed",
    ]
    said = {0: [*OPENED, *steps(1, 200)], 1: [*OPENED, *DIED], 2: launcher}
    assert read(tmp_path, joined(FORMS[0], [(rank, said[rank]) for rank in order])).failure_id == "cuda.out_of_memory"
    asked = {**said, 1: OPENED, 2: launcher[:2]}
    assert (
        read(tmp_path, joined(FORMS[0], [(rank, asked[rank]) for rank in order])).failure_id
        == "scheduler.slurm_preempted"
    )


def under(form, parts):
    return [line for name, lines in parts for line in (form.format(name), *lines)]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
@pytest.mark.parametrize("form", SECTIONS)
def test_a_heading_may_name_a_process_or_a_machine(tmp_path, form, order):
    opened = [f"2026-05-04 10:00:00 {line}" for line in OPENED]
    died = [f"2026-05-04 10:03:19 {line}" for line in DIED]
    said = {0: [*opened, *steps(1, 200)], 1: [*opened, *died], 2: opened}
    lines = under(form, [(rank, said[rank]) for rank in order])
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("cuda.out_of_memory", lines.index(died[-1]) + 1)


def test_files_without_a_clock_lie_side_by_side_where_processes_that_are_named_open_alike(tmp_path):
    bare = [line.partition(" step")[2] for line in steps(1, 200)]
    counted = [f"step{line}" for line in bare]
    lines = under("=== rank {} ===", [(1, [*OPENED, *DIED]), (0, [*OPENED, *counted])])
    assert read(tmp_path, lines).root_line == 1 + len(OPENED) + len(DIED)
    assert (
        read(tmp_path, under("=== epoch {} ===", [(1, [*OPENED, *DIED]), (2, [*OPENED, *counted])])).category == "none"
    )


@pytest.mark.parametrize("form", ["=== gpu{} ===", "--- node0{} ---", "=== stage {} ==="])
def test_a_program_that_heads_what_it_does_in_turn_joined_nothing(tmp_path, form):
    caught = ["2026-05-04 09:59:00 checking the fabric", f"2026-05-04 09:59:10 {DIED[-1]}"]
    lines = under(form, [(1, caught), (2, steps(1, 200))])
    assert read(tmp_path, lines).category == "none"


@pytest.mark.parametrize(("clock", "failure"), [("10:02:40", "gpu.xid_79"), ("09:30:00", "cuda.out_of_memory")])
def test_a_dump_in_front_of_a_joined_file_is_placed_by_its_clock(tmp_path, clock, failure):
    lost = f"2026-05-04T{clock} node07 kernel: NVRM: Xid (PCI:0000:07:00): 79, pid=4711, GPU has fallen off the bus."
    quiet = [f"2026-05-04T08:{n}0:00 node07 kernel: perf: interrupt took too long ({n})" for n in range(4)]
    again = "===== restart 1 of job 4711, 2026-05-04 10:00:00 ====="
    died = [f"2026-05-04 10:02:44 {line}" for line in DIED]
    opened = [f"2026-05-04 10:00:09 {line}" for line in OPENED]
    rank_0 = [again, *opened, "2026-05-04 10:00:10 seed 7", *steps(60, 150)]
    lines = [*quiet, lost, *rank_0, *joined("==> {} <==", [(1, [*opened, *died]), (2, opened)])]
    assert read(tmp_path, lines).failure_id == failure


def named(name, lines):
    return [f"{name} {line}" for line in lines]


TAKEN = "2026-05-04 10:04:59 W0504 10:04:59.112 driver.cc] The Google Compute Engine VM is being preempted (spot)"
LOST = "  Warning  NodeNotReady  node/pool-3f  Node is not ready"


@pytest.mark.parametrize("form", ["fit-{}", "[pod/fit-{}/main]", "fit-{} |"])
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_what_pods_said_may_stand_one_after_the_other_each_line_under_a_name(tmp_path, form, taken):
    parts = [named(form.format(pod), [*steps(1, 300), *([TAKEN] if pod == taken else [])]) for pod in range(3)]
    lines = [*(line for part in parts for line in part), LOST]
    found = read(tmp_path, lines)
    assert (found.category, found.attempts) == ("infrastructure", 1)
    assert found.root_excerpt.endswith(TAKEN[20:])


def test_names_that_follow_each_other_in_time_are_no_joined_files(tmp_path):
    lines = [*named("fit-1", steps(1, 200)), *named("fit-2", steps(200, 400)), *named("fit-1", steps(400, 600))]
    assert read(tmp_path, [*lines[:100], "fit-1 KeyError: 'lr'", *lines[100:]]).category == "none"
