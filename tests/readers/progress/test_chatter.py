"""Other programs' chatter between a log's lines moves no answer; each log is of this file's own making."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.lines.columns import find_header, read_row
from schedmate.readers.progress.lines.tokens import tokens_of

CHATTER = (
    *(f"pod-{n}: cache of layer {n} is warm after {n}.5 ms, {7 * n} entries" for n in range(40)),
    *(f"import time: {300 + n:9} | {900 + n:9} |     part{n}.core" for n in range(40)),
    *(f"mounted volume {n}" for n in range(40)),
)


def read(text):
    tracker = Tracker("job.log", formats=())
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def amid_chatter(rows, between=60, before=1500):
    """Put chatter that comes again and again before a log's lines, and between them."""
    at, told = 0, []
    for row in rows:
        some = before if row is rows[0] else between
        told += [CHATTER[(at + n) * 7 % len(CHATTER)] for n in range(some)]
        at += some
        told.append(row)
    return "\n".join(told) + "\n"


RECORD = [
    *("Epoch 5", "  Training took 31.20 secs", "  Training measures:", "    loss = 0.6511, accuracy = 0.71"),
    *("Epoch 6", "  Training took 31.41 secs", "  Training measures:", "    loss = 0.6092, accuracy = 0.73"),
]


def test_the_lines_of_a_record_are_found_however_much_is_said_over_and_over_between_them():
    plain, noisy = read("\n".join(RECORD) + "\n"), read(amid_chatter(RECORD))
    assert plain.step_time_s == pytest.approx(31.3, rel=0.01)
    assert (noisy.step_time_s, noisy.step, noisy.loss) == (plain.step_time_s, plain.step, plain.loss)


def test_what_is_said_but_once_far_from_the_steps_stays_apart_from_them():
    news = [f"file shard_{n:03}.bin of {chr(97 + n % 26)}{n} was read" for n in range(60)]
    rows = ["loading took 31.20 secs", *news, *(f"Epoch {n}: loss = {1 / n:.4f}" for n in (1, 2))]
    assert read("\n".join(rows) + "\n").step_time_s is None


def rates(count):
    return [f"step {20 * n} loss {3 / n:.4f} speed 640.0 samples/sec" for n in range(1, count + 1)]


def test_a_batch_size_that_is_said_over_and_over_before_the_first_step_is_that_of_other_programs():
    filler = [f"worker {n} of {n % 7} waits" for n in range(500)]
    told = [row for _ in range(4) for row in ("per_device_train_batch_size=8", *filler)]
    assert read("\n".join([*told, *rates(6)]) + "\n").step_time_s is None


@pytest.mark.parametrize("ranks", [1, 8])
def test_a_batch_size_that_each_process_says_as_the_run_begins_is_its_own(ranks):
    told = [row for n in range(ranks) for row in ("per_device_train_batch_size=8", f"process {n} is ready")]
    assert read("\n".join([*told, *rates(6)]) + "\n").step_time_s == pytest.approx(8 / 640)


def records(others):
    """Put a third of other lines before each of three passes' records."""
    rows = [f"epoch: {n}\nthis epoch took {90 + n}.5 s\ntrain loss : 0.{90 - n}" for n in range(3, 6)]
    part = len(others) // 3
    return "\n".join(line for n in range(3) for line in (*others[part * n : part * (n + 1)], rows[n])) + "\n"


def test_an_option_of_a_command_counts_nothing():
    told = read(records([f"  --train-iters ........................ {700 - 7 * n % 200}00" for n in range(40)]))
    assert told.step == 5
    assert told.step_time_s == pytest.approx(94.5, rel=0.02)


def test_what_was_timed_many_times_before_the_first_step_times_no_step():
    took = [f"Building module kernels took {200 + 17 * n % 90}.5 seconds" for n in range(9)]
    rows = [f"Epoch 2 Batch {50 * n} Loss {5 - n / 9:.4f}" for n in range(8)]
    among = [line for n, row in enumerate(rows) for line in ([row, took[6 + n // 2]] if n in {1, 3, 5} else [row])]
    assert read("\n".join([*took[:6], *among]) + "\n").step_time_s is None


HEAD = "| run | status | host | iter | total time (s) | ts | reward | reward_max | reward_min | episode_len |"


def test_a_row_that_its_border_closes_too_early_is_one_of_another_table():
    line = "|task_74          |      2|none  |     2|acc   |0.0799|±  |0.0020|"
    assert read_row(find_header(HEAD), tokens_of(line), line) is None


def test_a_row_that_is_cut_short_is_still_read():
    told = read("\n".join([HEAD, "| run_a | RUNNING | node1:77 | 250 | 6614.97 | 1.2e+06 | 177.12 | 20"]) + "\n")
    assert told.step == 250


def test_a_table_of_devices_counts_no_steps():
    state = "| 00000000:{:02}:00.0 Off |  {}C  P0  {}MiB / 81559MiB |  {:3}%  Default |"
    devices = [f"| {n % 8}  GPU-80GB   On  {state.format(n, 40 + n, 900 + 37 * n, 7 * n % 99)}" for n in range(42)]
    told = read(records(devices))
    assert told.step == 5
    assert told.step_time_s == pytest.approx(94.5, rel=0.02)
