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


@pytest.mark.parametrize("took", ["done in 31.2 s", "Setup took 31.20 secs", "time: 31.2 s"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_came_but_once_is_far_from_the_steps_though_only_one_thing_is_said_over_and_over_between(took, place):
    rows = ["Epoch 1: loss = 0.9000", "Epoch 2: loss = 0.5000"]
    rows.insert(place, took)
    told = read("\n".join(line for row in rows for line in (row, *["heartbeat ok"] * 300)) + "\n")
    assert (told.epoch, told.loss, told.step_time_s) == (2, 0.5, None)


def rates(count):
    return [f"step {20 * n} loss {3 / n:.4f} speed 640.0 samples/sec" for n in range(1, count + 1)]


@pytest.mark.parametrize("between", [1, 450])
@pytest.mark.parametrize("ranks", [1, 4])
def test_a_batch_size_that_each_process_says_as_the_run_begins_is_its_own_however_much_else_each_says(ranks, between):
    filler = [f"layer {n} is on the device" for n in range(between)]
    told = [row for n in range(ranks) for row in (f"rank {n}: per_device_train_batch_size=8", *filler)]
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


@pytest.mark.parametrize(("heads", "total"), [("--step {0}0", None), ("--Epoch {0}/20", 20)])
def test_what_rises_again_and_again_or_is_out_of_something_is_no_option(heads, total):
    told = read("".join(f"{heads.format(n)}\n--train_loss: {2 / n:.4f}\n" for n in range(1, 8)))
    assert (told.step, told.total_steps) == ((7, total) if total else (70, total))
    assert told.loss == pytest.approx(0.2857)


def test_options_of_runs_that_were_started_twice_count_nothing():
    starts = [f"--epoch {n}\n--step {100 * n}\n--lr 0.0{n}\nstarted\n" for n in (5, 20)]
    assert read("".join(starts)).step is None


def test_what_was_timed_many_times_before_the_first_step_times_no_step():
    took = [f"Building module kernels took {200 + 17 * n % 90}.5 seconds" for n in range(9)]
    rows = [f"Epoch 2 Batch {50 * n} Loss {5 - n / 9:.4f}" for n in range(8)]
    among = [line for n, row in enumerate(rows) for line in ([row, took[6 + n // 2]] if n in {1, 3, 5} else [row])]
    assert read("\n".join([*took[:6], *among]) + "\n").step_time_s is None


HEAD = "| run | status | host | iter | total time (s) | ts | reward | reward_max | reward_min | episode_len |"


def test_a_row_that_its_border_closes_too_early_is_one_of_another_table():
    line = "|task_74          |      2|none  |     2|acc   |0.0799|±  |0.0020|"
    assert read_row(find_header(HEAD), tokens_of(line), line) is None


def test_a_closed_row_that_leaves_out_a_measure_that_is_not_known_yet_is_still_read():
    rows = [
        "| epoch | step | loss | val_loss |",
        "|---|---|---|---|",
        *(f"| 2 | {n}00 | 0.{n}5 |" for n in range(1, 9)),
    ]
    told = read("\n".join(rows) + "\n")
    assert (told.step, told.epoch, told.loss) == (800, 2, 0.85)


def test_a_row_that_is_cut_short_is_still_read():
    told = read("\n".join([HEAD, "| run_a | RUNNING | node1:77 | 250 | 6614.97 | 1.2e+06 | 177.12 | 20"]) + "\n")
    assert told.step == 250


def test_a_table_of_devices_counts_no_steps():
    state = "| 00000000:{:02}:00.0 Off |  {}C  P0  {}MiB / 81559MiB |  {:3}%  Default |"
    devices = [f"| {n % 8}  GPU-80GB   On  {state.format(n, 40 + n, 900 + 37 * n, 7 * n % 99)}" for n in range(42)]
    told = read(records(devices))
    assert told.step == 5
    assert told.step_time_s == pytest.approx(94.5, rel=0.02)


def test_a_bar_that_shows_the_memory_beside_its_pace_trains():
    bar = " {:2}%|███   | {}/500 [00:{:02}<06:10, 1.00it/s, GPU 10.2GB/80GB]"
    told = read("\n".join(bar.format(n // 5, n, n) for n in range(5, 60, 5)) + "\n")
    assert (told.step, told.total_steps, told.phase) == (55, 500, "train")
