"""Buffers of several processes that are handed over one after the other are no progress."""

import pytest

from schedmate import diagnose

RAISED = (
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 311, in <module>',
    "    main()",
    "OSError: [Errno 116] Stale file handle: '/corpus/part_018.bin'",
)
GONE = "tensorflow.python.framework.errors_impl.UnavailableError: Collective ops is aborted by: Socket closed"
RANKS, BEFORE, HELD = 3, 40, 70


def step(rank, number, of=""):
    return f"INFO: loss = {3 - number / 100 + rank / 1000:.6f}, step = {number}{of} (478.{number:03d} sec)"


def read(tmp_path, lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return diagnose(path)


@pytest.mark.parametrize("prefix", ["", "[pod/w-0/pytorch] ", "[pod/w-{rank}/pytorch] ", "{rank}: "])
@pytest.mark.parametrize("of", ["", "/500"])
def test_steps_that_processes_print_one_after_the_other_clear_nothing(tmp_path, prefix, of):
    lived = [prefix.format(rank=r) + step(r, n, of) for n in range(BEFORE) for r in range(RANKS)]
    died = [prefix.format(rank=0) + line for line in RAISED]
    held = [prefix.format(rank=r) + step(r, n, of) for r in range(RANKS) for n in range(BEFORE, BEFORE + HELD)]
    found = read(tmp_path, [*lived, *died, *held])
    assert (found.failure_id, found.root_line) == ("storage.stale_nfs", len(lived) + 4)


def test_steps_side_by_side_are_progress(tmp_path):
    lived = [step(r, n) for n in range(BEFORE) for r in range(RANKS)]
    after = [step(r, n) for n in range(BEFORE, BEFORE + 200) for r in range(RANKS)]
    assert read(tmp_path, [*lived, *RAISED, *after]).category == "none"


def test_epochs_that_begin_anew_are_progress(tmp_path):
    lived = [step(0, n, "/80") for n in range(BEFORE)]
    after = [step(0, n, "/80") for _ in range(6) for n in range(1, 81)]
    helper = [line.replace("train.py", "helper.py") for line in RAISED]
    assert read(tmp_path, [*lived, *helper, *after]).category == "none"


def test_what_others_say_of_a_peer_that_is_gone_is_their_end(tmp_path):
    pods = "[pod/w-0/pytorch] ", "[pod/w-1/pytorch] "
    lived = [pods[0] + step(0, n) for n in range(BEFORE)]
    died = [pods[1] + line for line in RAISED]
    gone = [pods[0] + GONE, pods[1] + GONE]
    held = [pods[0] + step(0, n) for n in range(BEFORE, BEFORE + HELD)]
    found = read(tmp_path, [*lived, *died, *gone, *held])
    assert (found.failure_id, found.root_line) == ("storage.stale_nfs", BEFORE + 4)
    assert read(tmp_path, [*lived, *gone, *held]).category == "none"
