"""A line that nobody knows is weighed by who says it, by what it merely supposes, and by where it stands."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.sightings.catalogue_search import ready_entries

STACK = ["Traceback (most recent call last):", '  File "/home/user/train.py", line 88, in <module>', "    main()"]
STEPS = [f"step {step} loss {3 - step / 100:.3f}" for step in range(1, 41)]
WATCHDOG = (
    "[E ProcessGroupNCCL.cpp:587] [Rank 1] Watchdog caught collective operation timeout: "
    "WorkNCCL(OpType=BROADCAST, Timeout(ms)=1800000) ran for 1803000 milliseconds before timing out."
)


def found_in(tmp_path, *parts):
    lines = [line for part in parts for line in ([part] if isinstance(part, str) else part)]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    return found.category, found.subcategory, lines[found.root_line - 1] if found.root_line else None


@pytest.mark.parametrize(
    ("line", "klass"),
    [
        ("[  12.5] [drm:acme_wait_idle [amdgpu]] *ERROR* Error waiting for the block: status=5", "gpu"),
        ("[  12.5] xe 0000:17:00.0: [drm] *ERROR* GT0: acme queue does not empty", "gpu"),
        ("[  12.5] NVRM: GPU6 acmeSend_IMPL: acme message timed out", "gpu"),
    ],
)
def test_a_driver_that_says_what_nobody_knows_speaks_of_its_device(tmp_path, line, klass):
    assert found_in(tmp_path, STEPS, line) == ("infrastructure", klass, line)


@pytest.mark.parametrize(
    "said",
    [
        "2026-Jan-07 07:24:59.0615    58:58    ERROR   NRT:nrt_acme_set      Incompatible acme state",
        "[ERROR] DEVICE(161,fffe34f4,python):2026-12-29-12:03:04.156.780 [acme/stream.cc:194] Sync] Call acme error.",
    ],
)
def test_what_a_run_time_said_above_a_bare_runtime_error_is_the_cause(tmp_path, said):
    assert found_in(tmp_path, STEPS, said, STACK, "RuntimeError: it failed") == ("framework", None, said)


def test_what_a_run_time_said_long_before_is_not(tmp_path):
    said = "2026-Jan-07 07:24:59.0615    58:58    ERROR   NRT:nrt_acme_set      Incompatible acme state"
    notes = [f"note {number} of the start" for number in range(80)]
    assert found_in(tmp_path, said, notes, STACK, "RuntimeError: it failed")[2] == "RuntimeError: it failed"


def test_what_a_line_supposes_counts_only_where_it_states_nothing():
    stated = "Task failed because the node it was running on is dead or unavailable. "
    supposed = "This can happen if the node was preempted or had a hardware failure."
    found = ready_entries().match(stated + supposed)
    assert found
    assert found[0].id == "scheduler.ray_node_gone"
    alone = ready_entries().match("Acme error. This can happen if the node was preempted")
    assert alone
    assert alone[0].id == "scheduler.preemption_notice"


def test_a_helper_that_the_shell_did_not_find_amid_steps_ended_nothing(tmp_path):
    missing = "/bin/sh: gpustat: command not found"
    assert found_in(tmp_path, STEPS, missing, WATCHDOG)[2] == WATCHDOG
    assert found_in(tmp_path, missing, WATCHDOG)[2] == missing
    assert found_in(tmp_path, STEPS, missing)[2] == missing


def test_a_ruler_is_no_statement(tmp_path):
    ruler = "2026-03-26T03:43:31Z ERROR 42759 [acme.Driver]: ***************************************"
    said = "2026-03-26T03:43:31Z ERROR 42759 [acme.Driver]:  An Internal Compiler Error has occurred"
    assert found_in(tmp_path, ruler, said, ruler) == ("framework", None, said)


@pytest.mark.parametrize(
    "line",
    [
        "MOAB_INFO:  job exceeded wallclock limit",
        "Job exceeded its walltime limit. Job was aborted",
        "ERROR:Post Not retrying job due to wall clock limit (job automatically killed on the worker node)",
    ],
)
def test_a_time_limit_in_other_schedulers_words(tmp_path, line):
    assert found_in(tmp_path, STEPS, line) == ("other", None, line)


def test_what_pbs_announces_gives_way_to_its_reason(tmp_path):
    reason = "Job exceeded its walltime limit. Job was aborted"
    assert found_in(tmp_path, "Job Name:   training", "Aborted by PBS Server", reason)[:2] == ("other", None)


SERVED = "(VllmWorker TP1 pid=961) ERROR 09-07 01:11:09 [multiproc_executor.py:596] "


def test_a_traceback_that_a_server_logged_line_by_line_is_read(tmp_path):
    frames = [
        "Traceback (most recent call last):",
        '  File "/home/user/worker.py", line 37, in execute_method',
        "    return executor(*args, **kwargs)",
        "RuntimeError: NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details)",
    ]
    found = found_in(tmp_path, [SERVED + line for line in frames])
    assert (found[0], found[2]) == ("infrastructure", SERVED + frames[-1])


def test_what_only_goes_on_with_a_logged_line_states_nothing(tmp_path):
    said = SERVED + "the engine core gave up: acme failed"
    assert found_in(tmp_path, said, SERVED + "        Rectify the fault: look at the acme log")[2] == said


def test_a_traceback_folded_into_one_line_is_looked_at(tmp_path):
    folded = (
        "18:48:08.021 INFO     An exception was raised: ['Traceback (most recent call last):\\n', '  File \"/w/a.py\", "
        "line 1, in run\\n    file.write(text)\\n', 'OSError: [Errno 5] Input/output error\\n']"
    )
    assert found_in(tmp_path, folded)[0] == "infrastructure"


@pytest.mark.parametrize(
    ("line", "klass"),
    [
        ("gpu07:47:48 [0] include/socket.h:360 WARN Call to connect failed : Connection timed out", "infrastructure"),
        (
            "[rank11]:[E Process.cpp:1537] [Rank 11] Timeout at NCCL work: 15, last enqueued NCCL work: 16.",
            "infrastructure",
        ),
        (
            "gpu07:47:48 [0] bootstrap.cc:131 NCCL WARN Bootstrap Root : rank 1 of 8 ranks has already checked in",
            "script",
        ),
        ("2026/11/27 03:44:12 Could not register device plugin: context deadline exceeded", "infrastructure"),
        (
            "RuntimeError: acme/xla/client.cc:1478 : Check failed: session.Run() == OK() (Invalid argument: x)",
            "framework",
        ),
    ],
)
def test_lines_of_collectives_plugins_and_native_checks(tmp_path, line, klass):
    assert found_in(tmp_path, line)[0] == klass


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("I 12-10 21:39:39 controller.py:118] Cluster is preempted (status: INIT).", "scheduler.preemption_notice"),
        ("Child process unexpectedly failed with an exit code 11. pid=293198", "python.child_crashed"),
        ("[12-16 14:27:08] Rank 0 scheduler is dead. Please check if there are relevant logs.", "torch.engine_dead"),
    ],
)
def test_words_of_those_who_watch_over_processes(line, entry):
    found = ready_entries().match(line)
    assert found
    assert found[0].id == entry
