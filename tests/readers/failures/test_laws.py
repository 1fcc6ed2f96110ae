"""Laws of reading a whole job: what changes nothing about the fault must not move the answer."""

import pytest

from schedmate import diagnose

RANKS, STEPS = 8, 30
PREFIXES = {
    "srun": "",
    "srun --label": "{rank}: ",
    "torchrun": "[rank{rank}]: ",
    "torchrun --tee": "[default{rank}]:",
    "mpirun": "[1,{rank}]<stderr>:",
    "kubernetes": "[pod/job-worker-{rank}/pytorch] ",
    "ray": "(TrainWorker pid=70{rank}, ip=10.0.0.{rank}) ",
    "pdsh": "gpu00{rank}: ",
}
RAISED = (
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    main()",
    "zoo.Hungry: no bananas left in the store",
)
FULL = (
    "Traceback (most recent call last):",
    '  File "/home/user/save.py", line 8, in save',
    "    torch.save(model, path)",
    "OSError: [Errno 28] No space left on device: '/local/ckpt'",
)
LOST = "ConnectionResetError: [Errno 104] Connection reset by peer"
XID = "NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus."


def steps(first, last, prefix):
    return [f"{prefix.format(rank=0)}epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(first, last)]


def said(rank, lines, prefix):
    return [prefix.format(rank=rank) + line for line in lines]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
@pytest.mark.parametrize("handled", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_neither_launcher_nor_handled_errors_nor_delay_move_the_answer(tmp_path, prefix, handled, late):
    caught = [*said(5, FULL, prefix), *said(5, ["could not save the checkpoint, going on without it"], prefix)]
    lost = [line for rank in (1, 2, 4) for line in said(rank, [LOST], prefix)]
    cause = said(3, RAISED, prefix)
    before = [*steps(1, 20, prefix), *(caught if handled else []), *steps(20, STEPS, prefix)]
    found = read(tmp_path, [*before, *(lost + cause if late else cause + lost)])
    assert (found.category, found.failure_id) == ("script", "script.hungry")
    assert found.root_excerpt.endswith(RAISED[-1])


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
def test_progress_of_any_rank_clears_errors_of_every_rank(tmp_path, prefix):
    lines = [*steps(1, 20, prefix), *said(7, FULL, prefix), *steps(20, 200, prefix)]
    assert read(tmp_path, lines).category == "none"


def test_two_more_steps_clear_nothing(tmp_path):
    assert read(tmp_path, [*steps(1, 20, ""), *RAISED, *steps(20, 22, "")]).failure_id == "script.hungry"


def test_the_process_going_on_clears_an_error_without_any_training(tmp_path):
    shards = [f"2025-03-04 08:00:{second:02d} INFO wrote shard {second:03d}.parquet" for second in range(60)]
    caught = "2025-03-04 08:00:20 ERROR upload failed: OSError: [Errno 5] Input/output error"
    assert read(tmp_path, [*shards[:20], caught, *shards[20:]]).category == "none"


def test_a_repeated_traceback_counts_once_and_opens_no_attempt(tmp_path):
    lines = [*steps(1, STEPS, ""), *RAISED, *said(3, RAISED, "[rank{rank}]: "), *said(3, RAISED, "[default{rank}]:")]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.attempts) == ("script.hungry", 1)
    assert found.root_line == STEPS - 1 + len(RAISED)


def test_an_old_line_of_an_appended_dump_is_no_cause(tmp_path):
    dump = ["[ 1000.000001] nvme0: mounted", f"[ 2000.000001] {XID}", "[90000.000001] perf: interrupt took too long"]
    found = read(tmp_path, [*steps(1, STEPS, ""), *RAISED, "--- dmesg ---", *dump])
    assert found.failure_id == "script.hungry"


def test_a_line_of_the_kernel_where_the_job_stopped_is_the_cause(tmp_path):
    kernel = f"Mar  4 08:10:00 gpu17 kernel: [ 2000.000001] {XID}"
    found = read(tmp_path, [*steps(1, STEPS, ""), kernel, *said(1, [LOST], "[rank{rank}]: ")])
    assert (found.failure_id, found.root_host) == ("gpu.xid_79", "gpu17")


ENDS = {
    "slurmstepd: error: *** JOB 4711 ON gpu17 CANCELLED AT 2025-03-01T12:00:00 DUE TO TIME LIMIT ***": "other",
    "slurmstepd: error: *** JOB 4711 ON gpu17 CANCELLED AT 2025-03-01T12:00:00 ***": "other",
    "slurmstepd: error: *** JOB 4711 ON gpu17 CANCELLED AT 2025-03-01T12:00:00 DUE TO PREEMPTION ***": "infrastructure",
}
DYING = {
    "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Terminated. ": "framework",
    "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. ": "framework",
    "RuntimeError: DataLoader worker (pid(s) 4711) exited unexpectedly": "framework",
    "KeyboardInterrupt": "other",
    "Fatal Python error: Segmentation fault": "framework",
}


@pytest.mark.parametrize(("end", "category"), ENDS.items())
@pytest.mark.parametrize("line", DYING)
@pytest.mark.parametrize("first", [False, True])
def test_what_an_end_from_outside_produces_is_no_cause(tmp_path, end, category, line, first):
    traceback = [*RAISED[:-1], line] if "Fatal" not in line else [line]
    lines = [*steps(1, STEPS, ""), *([end, *traceback] if first else [*traceback, end])]
    assert read(tmp_path, lines).category == category


@pytest.mark.parametrize(("line", "category"), DYING.items())
def test_the_same_line_alone_is_a_cause(tmp_path, line, category):
    traceback = [*RAISED[:-1], line] if "Fatal" not in line else [line]
    assert read(tmp_path, [*steps(1, STEPS, ""), *traceback]).category == category


def test_a_cause_printed_before_a_time_limit_outranks_it(tmp_path):
    assert read(tmp_path, [*steps(1, STEPS, ""), *RAISED, next(iter(ENDS))]).failure_id == "script.hungry"


@pytest.mark.parametrize(
    "line",
    [
        "data.stream: GET s3://corpus/part-7.tar failed (ConnectionResetError(104)), still trying",
        "part-7.tar: OSError: [Errno 5] Input/output error, fetched again",
        "ERROR sample 77 is broken: UnidentifiedImageError, skipped",
        "RuntimeError: CUDA out of memory, falling back to a smaller batch",
        "UserWarning: CUDA initialization: no kernel image is available",
        "fatal_errors=0",
        "--on-error abort",
        "log_file: /logs/fatal_error.log",
    ],
)
def test_soft_words_alone_are_no_failure(tmp_path, line):
    assert read(tmp_path, [*steps(1, STEPS, ""), line, *steps(STEPS, STEPS + 2, "")]).category in {"none"}


def test_a_started_process_more_is_no_attempt(tmp_path):
    opening = ["launching the trainer on this machine", "reading the dataset index from disk"]
    lines = [*opening, *steps(1, 10, ""), LOST, *opening, *steps(10, STEPS, ""), *RAISED]
    assert read(tmp_path, lines).attempts == 1
