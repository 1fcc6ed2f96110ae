"""Who states which part failed goes before who met it, as does a thread whose end left all others waiting."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(60)]
MET = "[1772421071.123456] [n{0:02d}:4 :0] ib_mlx5_log.c:177  UCX  ERROR Transport retry count exceeded on mlx5_0:1"
WAITED = (
    "[rank{0}]:[E302 03:22:11.000001 ProcessGroupNCCL.cpp:616] [Rank {0}] Watchdog caught collective operation timeout:"
    " WorkNCCL(SeqNum=40, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600034 milliseconds before timing out."
)


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def died(thread, function="run"):
    return [
        f"Exception in thread {thread}:",
        "Traceback (most recent call last):",
        '  File "/usr/lib/python3.12/threading.py", line 1045, in _bootstrap_inner',
        "    self.run()",
        f'  File "/w/pipe.py", line 33, in {function}',
        "    row = table[name]",
        "KeyError: 'depth'",
    ]


def test_a_switch_that_restarted_is_the_cause_of_transfers_that_timed_out(tmp_path):
    said = "[weave-watch Jun 17 03:22:06] leaf 4 has restarted, its ports are down"
    found = read(tmp_path, [*STEPS, *(MET.format(host) for host in (3, 4, 5)), said, "done with the dump"])
    assert (found.subcategory, found.root_line) == ("network", len(STEPS) + 4)


def test_a_port_that_was_back_is_not(tmp_path):
    said = ["[weave-watch Jun 17 03:12:06] port 4 of leaf 4 is down", "[weave-watch Jun 17 03:12:07] port 4 is up"]
    found = read(tmp_path, [*STEPS[:20], *said, *STEPS[20:], *(MET.format(host) for host in (3, 4, 5))])
    assert found.root_line == len(STEPS) + 3


def test_a_feeder_that_died_long_before_is_why_all_waited(tmp_path):
    steps = [f"epoch 2 step {step} loss {3 - step / 100:.3f} and more words than a buffer holds" for step in range(200)]
    found = read(tmp_path, [*STEPS, *died("feeder-3 (rank 5)"), *steps, *map(WAITED.format, (1, 2))])
    assert (found.category, found.root_line) == ("script", len(STEPS) + 7)
    assert found.confidence < 0.8


@pytest.mark.parametrize(("who", "root"), [("rank5", 7), ("rank2", 212)])
def test_a_thread_that_its_own_process_misses_is_why(tmp_path, who, root):
    steps = [f"epoch 2 step {step} loss {3 - step / 100:.3f} and more words than a buffer holds" for step in range(200)]
    missed = [
        "Traceback (most recent call last):",
        '  File "/w/train.py", line 90, in <module>',
        '  File "/w/pipe.py", line 80, in get',
        "    raise RuntimeError('the reader thread has died')",
        "RuntimeError: the reader thread has died",
    ]
    lines = [*(f"[rank5]: {line}" for line in died("reader-3")), *steps, *(f"[{who}]: {line}" for line in missed)]
    assert read(tmp_path, [*STEPS, *lines]).root_line == len(STEPS) + root


@pytest.mark.parametrize(
    "said",
    [
        "starting a thread failed: Resource temporarily unavailable",
        "worker thread 3 failed: CUDA error: an illegal memory access was encountered",
    ],
)
def test_who_says_more_than_that_a_thread_is_dead_says_why(tmp_path, said):
    missed = [
        "Traceback (most recent call last):",
        '  File "/w/train.py", line 90, in <module>',
        f"RuntimeError: {said}",
    ]
    lines = [*died("reader-3"), *STEPS, *missed]
    assert read(tmp_path, lines).root_line == len(lines)


@pytest.mark.parametrize(("then", "first"), [("reader: worker restarted, file left out", False), ("STEP", True)])
def test_a_thread_that_was_started_again_is_not_missed(tmp_path, then, first):
    missed = ["Traceback (most recent call last):", '  File "/w/train.py", line 90, in <module>']
    missed += ["RuntimeError: the reader thread has died"]
    behind = [] if then == "STEP" else [then]
    lines = [*died("reader-3"), *behind, *STEPS, *missed]
    assert read(tmp_path, lines).root_line == (len(died("reader-3")) if first else len(lines))


@pytest.mark.parametrize("thread", ["heart-1", "Thread-7 (beat)", "Thread-2 (upload_metrics)", "update-1"])
def test_a_thread_that_feeds_nobody_is_not(tmp_path, thread):
    steps = [f"epoch 2 step {step} loss {3 - step / 100:.3f} and more words than a buffer holds" for step in range(200)]
    found = read(tmp_path, [*STEPS, *died(thread, "beat"), *steps, *map(WAITED.format, (1, 2))])
    assert found.root_line == len(STEPS) + 208
