"""Lines of other days, of start-up and of tries: none of them states why this job failed."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step}/9000 | loss {3 - step / 900:.4f} | lr 1e-4" for step in range(1, 60)]
TRACE = [
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    main()",
    '  File "/home/user/train.py", line 61, in main',
    "    save(state)",
    "google.api_core.exceptions.RetryError: Timeout of 120.0s exceeded, last exception: 503 POST https://storage",
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(
    "line",
    [
        "note: job was requeued twice last week after NODE_FAIL of n12 (see ticket 4412), that node is excluded now",
        "prolog: n3 had GPU has fallen off the bus yesterday, replaced",
        "prolog: last job on n3 ended: OUT_OF_MEMORY, oom-kill event",
        "epilog: if your job failed for a reason of the node (NODE_FAIL, Xid 79, ECC), open a ticket",
        "in case the run was killed by the OOM killer (oom-kill), ask for more memory",
        "news: hall 2 had a cooling failure on Friday; no node of this job is in it",
        "watch: n90 (not in this job): Xid (PCI:0000:5d:00): 79, GPU has fallen off the bus",
        "fatal: not a git repository (or any of the parent directories): .git",
        "modprobe: FATAL: Module nvidia-peermem not found in directory /lib/modules/6.1.0-18-amd64",
        'wandb: 429 encountered ({"error":"quota exceeded"}), retrying request',
        "xla_bridge.py:889] Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so: libtpu.so: "
        "cannot open shared object file: No such file or directory",
        "[W socket.cpp:663] [c10d] The IPv6 network addresses of (n1, 29500) cannot be retrieved (gai error: -2 - Name "
        "or service not known).",
        "A module that was compiled using NumPy 1.x cannot be run in",
        'corpus: 41 texts, e.g. "GPU has fallen off the bus, the node was reset"',
        "sample 7 (label 2): `Out of memory: Killed process 4711 (python)` -> predicted 2",
        "Error loading optional extension rotary: cannot import name 'rotary_cuda' - using the python implementation",
    ],
)
def test_it_ends_no_run_and_hides_no_cause(tmp_path, line):
    assert read(tmp_path, *STEPS, line).category == "none"
    found = read(tmp_path, line, *STEPS, line, *TRACE)
    assert (found.root_line, found.attempts) == (len(STEPS) + 2 + len(TRACE), 1)


def test_tries_before_an_exception_that_left_its_script_do_not_undo_it(tmp_path):
    tries = [f"retry.py:207] Retrying due to 503 Backend Error, sleeping {wait}s ..." for wait in (1, 2, 4, 8)]
    found = read(tmp_path, *STEPS, *tries, *TRACE)
    assert found.category == "infrastructure"
    assert found.root_line is not None
    assert found.root_line > len(STEPS)


def test_numpy_warns_and_what_needs_its_interface_fails(tmp_path):
    lines = [
        "A module that was compiled using NumPy 1.x cannot be run in",
        *TRACE[:5],
        "RuntimeError: Numpy is not available",
    ]
    found = read(tmp_path, *lines)
    assert (found.category, found.root_line) == ("framework", 1)


def test_what_a_tracker_tries_again_is_not_what_the_program_met(tmp_path):
    tracker = 'wandb: 429 encountered ({"error":"too many calls, limit exceeded"}), retrying request'
    found = read(tmp_path, *STEPS, *TRACE[:-1], "PermissionError: [Errno 13] Permission denied: '/keep/7'", tracker)
    assert (found.failure_id, found.root_line) == ("python.permission_denied", len(STEPS) + 6)


def test_what_the_terminal_shows_of_ctrl_c_states_the_end(tmp_path):
    found = read(tmp_path, *STEPS, "^CKilling subprocess 71", *TRACE[:-1], "KeyboardInterrupt")
    assert (found.category, found.root_line) == ("other", len(STEPS) + 1)


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: Xid (PCI:0000:1b:00): 79, pid=7, name=python, GPU has fallen off the bus, in case the job died of it",
        "spotwatch: Spot instance will be terminated in 2 minutes. Save your work if the job is interrupted.",
    ],
)
def test_a_condition_behind_a_statement_takes_nothing_from_it(tmp_path, line):
    assert read(tmp_path, *STEPS, line).category == "infrastructure"


def test_what_was_told_of_another_day_does_not_explain_ranks_that_lost_each_other(tmp_path):
    note = "[prolog] note: gn03 had Xid 79 last Tuesday, its GPU was replaced"
    lost = "[rank1]: RuntimeError: acme gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.7]:41122"
    assert read(tmp_path, note, *STEPS[:6], lost).root_line == 8
