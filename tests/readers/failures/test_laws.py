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
    "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Terminated. ": "other",
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


HELD_BACK = 60
"""Steps that a buffer of 8 KiB holds."""


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
@pytest.mark.parametrize("held_back", [HELD_BACK, STEPS - 1])
def test_steps_held_back_in_a_buffer_clear_no_exception_that_ended_a_process(tmp_path, prefix, held_back):
    first = HELD_BACK + STEPS - held_back
    printed, late = steps(1, first, prefix), steps(first, first + held_back, prefix)
    lost = [line for rank in (1, 2) for line in said(rank, [LOST], prefix)]
    found = read(tmp_path, [*printed, *said(3, RAISED, prefix), *lost, *late, *lost])
    assert (found.failure_id, found.root_line) == ("script.hungry", len(printed) + len(RAISED))


def test_steps_that_a_clock_places_before_the_exception_clear_nothing(tmp_path):
    def stamped(first, last):
        return [
            f"2025-03-04 08:{at // 60:02d}:{at % 60:02d} step {at} loss 0.5 {'x' * 99}" for at in range(first, last)
        ]

    lines = [*stamped(1, 100), "2025-03-04 08:10:00 rank 3: saving what is left", *FULL, *stamped(100, 500), LOST]
    assert read(tmp_path, lines).failure_id == "storage.disk_full"


def test_more_steps_than_a_buffer_holds_clear_what_looked_like_an_end(tmp_path):
    assert read(tmp_path, [*steps(1, STEPS, ""), *RAISED, *steps(STEPS, 600, ""), LOST]).failure_id != "script.hungry"


def test_what_an_exception_says_in_further_lines_is_no_ordinary_output(tmp_path):
    said_further = [
        "making sure that the store is filled before the animals are",
        "if you have done so already, tell us",
        "Indices of what was not eaten by rank: 12 13",
    ]
    blocks = [line for rank in range(6) for line in said(rank, [*RAISED, *said_further], "[rank{rank}]: ")]
    found = read(tmp_path, ["reading the dataset index from disk", *blocks, LOST])
    assert (found.failure_id, found.root_line) == ("script.hungry", 1 + len(RAISED))


def test_a_traceback_glued_to_a_bar_is_read(tmp_path):
    bar = "Epoch 0:   9%|##        | 37/400 [20.88it/s, train_loss=0.009]"
    first, *others = said(3, RAISED, "[rank{rank}]: ")
    found = read(tmp_path, [bar + first, *others, bar + said(1, RAISED, "[rank{rank}]: ")[0]])
    assert (found.failure_id, found.root_line) == ("script.hungry", len(RAISED))


def test_what_ray_says_again_for_others_is_not_later_than_what_it_repeats(tmp_path):
    prefix, again = PREFIXES["ray"], " [repeated 4x across cluster]"
    caught = said(5, ["ERROR could not save", *FULL], prefix)
    lines = [*steps(1, 40, prefix), *caught, *steps(40, 200, prefix), *(line + again for line in caught)]
    assert read(tmp_path, lines).category == "none"
    raised = [*said(5, RAISED, prefix), *(line + again for line in said(2, RAISED, prefix))]
    assert read(tmp_path, [*steps(1, 40, prefix), *raised]).failure_id == "script.hungry"


def test_what_a_launcher_ended_did_not_die_by_itself(tmp_path):
    agent = "W1122 11:09:06.796000 3682 elastic/multiprocessing/api.py:1047] "
    closed = [
        f"{agent}Sending process 3717 closing signal SIGTERM",
        f"{agent}Unable to shutdown process 3717 via 15, forcefully exiting via 9",
    ]
    waited = [
        *RAISED[:-1],
        "RuntimeError: [tcp/unbound_buffer.cc:78] Timed out waiting 30000ms for recv operation to complete",
    ]
    summary = ["exitcode  : -9 (pid: 3717)  (SIGKILL)", "traceback : Signal 9 (SIGKILL) received by PID 3717"]
    found = read(tmp_path, [*steps(1, STEPS, ""), *said(4, waited, "[rank{rank}]: "), *closed, *summary])
    assert found.failure_id == "distributed.gloo_timeout"
    assert read(tmp_path, [*steps(1, STEPS, ""), *summary]).failure_id == "distributed.elastic_sigkill"


def test_a_launcher_that_was_asked_to_end_says_so_first(tmp_path):
    told = "W1122 11:09:51.321000 5080 elastic/agent/server/api.py:753] Received 15 death signal, shutting down workers"
    raised = [
        *RAISED[:-1],
        "torch.distributed.elastic.multiprocessing.api.SignalException: Process 5080 got signal: 15",
    ]
    found = read(tmp_path, [*steps(1, STEPS, ""), told, *raised])
    assert (found.category, found.root_line) == ("other", STEPS)


def test_what_rays_driver_raised_ended_the_job_whatever_it_still_hands_on(tmp_path):
    worker = "(TrainWorker pid=704, ip=10.0.0.4) "
    assert read(tmp_path, [*RAISED, *steps(1, HELD_BACK, worker)]).failure_id == "script.hungry"


def test_what_hydra_shortened_ended_its_process(tmp_path):
    hydra = [
        "Error executing job with overrides: ['lr=0.1']",
        *RAISED[:1],
        '  File "/home/user/train.py", line 31, in main',
        *RAISED[2:],
    ]
    ended = "srun: error: gpu17: task 0: Exited with exit code 1"
    assert read(tmp_path, [*steps(1, 10, ""), *hydra, ended, *steps(10, HELD_BACK, "")]).failure_id == "script.hungry"


def test_two_exceptions_far_apart_are_no_end_of_several_processes(tmp_path):
    filler = [f"reading shard {number:05d} of the corpus from the store" for number in range(9000)]
    caught = [*RAISED, "could not read it, going on"]
    lines = ["fatal: not a git repository", *caught, *filler, *caught, *filler[:5000], *steps(1, 40, "")]
    assert read(tmp_path, lines).category == "none"


@pytest.mark.parametrize("words", ["epilog: scratch of job 4711 removed", "wandb: ", "wandb: find the logs in ./wandb"])
def test_a_word_under_a_traceback_that_was_cut_short_names_no_exception(tmp_path, words):
    found = read(tmp_path, [*steps(1, STEPS, ""), *RAISED, *RAISED[:2], words])
    assert found.failure_id == "script.hungry"
    assert read(tmp_path, [*steps(1, STEPS, ""), *RAISED[:2], words]).failure_id == "script.stack_cut_off"


def test_go_writes_what_the_kernel_answers_in_small_letters(tmp_path):
    said_by_go = (
        '{"level":"ERROR","msg":"writer: failed to save record: write /out/run.wandb: no space left on device"}'
    )
    assert read(tmp_path, [*steps(1, STEPS, ""), said_by_go]).failure_id == "storage.disk_full"


def test_lines_that_were_numbered_read_as_they_were(tmp_path):
    lines = [*steps(1, STEPS, ""), *RAISED, LOST]
    found = read(tmp_path, [f"{number:6d}\t{line}" for number, line in enumerate(lines, 1)])
    assert (found.failure_id, found.root_line, found.last_progress_line) == ("script.hungry", STEPS + 3, STEPS - 1)
