"""What logs that strangers had published taught; each log is of this file's own making."""

import json

import pytest

from schedmate import Tracker


def metrics_of(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def clock(seconds):
    return f"{9 + seconds // 3600 % 12:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def joined(lines):
    return "\n".join(lines) + "\n"


def passes(line, after, batches=4, count=6):
    """Print so many passes over the data, each with lines of its batches and lines behind them."""
    rows = []
    for epoch in range(1, count):
        rows += [line.format(epoch=epoch, step=50 * n, loss=9 / (epoch + n)) for n in range(batches)]
        rows += [text.format(epoch=epoch, minutes=1.05 * epoch, hour=1 + epoch) for text in after]
    return joined(rows)


def evaluated():
    """Train 240 steps a pass, ten in 2 s, and evaluate between in the same words and to another end."""
    rows, now = [], 0
    for epoch in range(1, 4):
        for step in range(10, 241, 10):
            now += 2
            rows.append(f"INFO:root:{clock(now)} [Epoch {epoch} Batch {step}/240] loss={9 / step:.4f}, lr=0.001")
        for step in range(10, 101, 10):
            rows.append(f"INFO:root:{clock(now)} [Batch {step}/109] loss={5 / step:.4f}, accuracy=0.9")
    return joined(rows)


def repeated():
    """Name the pass alone on 60 lines of it, a line in 2 s."""
    lines = [(at // 60 + 1, 2 * at) for at in range(700)]
    return joined(f"2025-03-02 {clock(now)},000 - INFO - Epoch {epoch} - Batch loss: 0.5" for epoch, now in lines)


def bars(head, end, rate, after="", count=12):
    drawn = [
        f"{head}{at * 100 // count:3d}%|##  | {at * end // count}/{end} [00:{5 * at:02d}<01:00, {rate}it/s]{after}"
        for at in range(1, count + 1)
    ]
    return joined(drawn)


def inner():
    rows = [" 20% 266/1330 [02:49<09:37,  1.84it/s]"]
    rows += [f"{at * 100 // 31:3d}% {at}/31 [00:{at // 4:02d}<00:08,  3.50it/s]" for at in range(1, 32)]
    return joined([*rows, " 20% 266/1330 [02:58<09:37,  1.84it/s]", "{'loss': 0.69, 'epoch': 0.2}"])


def scaled():
    kit = (
        "10:25:{at:02d}.604 [I] Progress on: {done}kit/200kit rate:1.5s/it remaining:78:56:55 elapsed:5:10:{at:02d} x:-"
    )
    return joined(kit.format(at=10 + at, done=f"11.{at}") for at in range(1, 10))


def packed(line):
    """Wrap lines as a container runtime does whose buffer was emptied at once."""
    stamp = "2025-06-01T12:00:00.{at:03d}123456Z"
    rows = [(line.format(n=n, loss=9 / n), stamp.format(at=31 * n)) for n in range(1, 25)]
    return joined(json.dumps({"log": text + "\n", "stream": "stderr", "time": time}) for text, time in rows)


COSTS = joined(f"Total batch #  {200 * n}/3830   Curr. Batch Cost: {9 / n:.5f}" for n in range(1, 12))
ROWS = joined([" Step\tTraining Loss", *(f" {100 * n}\t{9 / n:.6f}" for n in range(1, 13))])
DONE = passes("Epoch {epoch} step {step} loss: {loss:.3f}", ["EPOCH {epoch} COMPLETED @ 0{hour}:51 PM"])
BATCH = "Epoch: {epoch:03d}/040 | Batch {step:04d}/0200 | Loss: {loss:.4f}"
VALIDATED = joined(
    f"step:{125 * n}/3040 val_loss:{9 / n:.3f} train_time:{45.0 * n:.3f}s step_avg:360.00ms" for n in range(1, 12)
)
TOKENS = joined(
    ["Tokens / optimizer step : 32,768", "Max steps : 100,000"]
    + [f"step {10 * n} | loss {9 / n:.4f} | 32.8k tok/s | mfu 37.5%" for n in range(1, 12)]
)
DATED = joined(f"2017-08-18 02:45:{2 * n:02d},232:\tLoss at step {4 * n}: {9 / n:.4f}" for n in range(1, 20))
NUMBERED = joined(
    f"{at:6d}\t{row}"
    for at, row in enumerate(["epoch,iter,loss,sec_per_iter", *(f"1,{10 * n},2.5,0.41" for n in range(1, 15))], 1)
)
LOGS = [
    ("a clock behind a logger, and an evaluation to another end", evaluated(), 0.2),
    ("the time of a pass", passes(BATCH, ["[Epoch {epoch}] time cost 50.0s, valid loss 4.3"]), 0.25),
    ("a clock through all passes", passes(BATCH, ["Time elapsed: {minutes:.2f} min"], count=12), 1.05 * 60 / 200),
    ("a time of day", DONE, None),
    ("a cost that is learnt", COSTS, None),
    ("lines of passes alone, of a batch each", repeated(), 2.0),
    ("what is being done", bars("Getting answers: ", 10000, 0.8), None),
    ("a bar over data", bars("", 2571752, "516263.00") + "train loss = 0.24\n", None),
    ("a bar within a bar", inner(), 1 / 1.84),
    ("thousands of steps", scaled(), 1.5),
    ("validation, timed as training", VALIDATED, 0.36),
    ("tokens of a step", TOKENS, 1.0),
    ("a loss at a step", DATED, 0.5),
    ("a numbered table", NUMBERED, 0.41),
    ("a buffer's clock", "batch_size: 96\n" + packed("step {n}0 loss {loss:.4f} throughput 192.0 samples/s"), 0.5),
    ("a table below its bar", "[1200/10400 10:00 < 1:16:40, 2.00 it/s, Epoch 0.31/3]\n" + ROWS, 0.5),
    ("a compiler", joined(f"[{n}/80] /usr/bin/nvcc -O3 -c kernel_{n}.cu took 3.2s" for n in range(1, 30)), None),
]


@pytest.mark.parametrize(("text", "step_time_s"), [log[1:] for log in LOGS], ids=[log[0] for log in LOGS])
def test_the_step_time_is_read_or_left_open(text, step_time_s):
    found = metrics_of(text).step_time_s
    assert found == (None if step_time_s is None else pytest.approx(step_time_s, rel=0.05))


def test_a_cost_without_a_unit_is_what_is_learnt():
    found = metrics_of(COSTS)
    assert (found.step, found.total_steps, found.loss) == (2200, 3830, pytest.approx(9 / 11, rel=0.001))


def test_a_batch_cost_beside_a_loss_is_a_time():
    text = joined(f"step {10 * n} loss: {9 / n:.3f} batch_cost: 0.31 reader_cost: 0.02" for n in range(1, 12))
    assert metrics_of(text).step_time_s == pytest.approx(0.31)


def test_a_loss_is_read_behind_the_counter_that_its_name_holds():
    found = metrics_of(DATED)
    assert (found.step, found.loss) == (76, pytest.approx(9 / 19, rel=0.001))


def test_a_bar_that_tells_of_no_learning_is_never_sure():
    assert metrics_of(bars("", 400, "5.90")).confidence <= 0.75
    assert metrics_of(bars("", 400, "5.90", after=" loss=2.1")).step_time_s == pytest.approx(1 / 5.9, rel=0.02)


def test_a_value_whose_only_clock_was_a_buffers_is_never_sure():
    assert metrics_of(packed("step {n}0 loss {loss:.4f} step_time 2.5 s")).confidence <= 0.75


def test_whole_seconds_that_many_lines_share_are_a_clock():
    text = joined(f"Mar 23 05:20:{n // 8:02d} Iter {n} Loss {9 / n:.4f} Time 125" for n in range(1, 200))
    assert metrics_of(text).step_time_s == pytest.approx(0.125, rel=0.05)


def test_a_terminal_that_moves_up_ends_a_line():
    bar = "Validation: |          | 0/? [00:00<?, ?it/s]\x1b[A"
    rows = [f"{bar}13/09/24 {clock(225 * n)} INFO   Epoch {n}: v_loss 2.1  loss {9 / n:.4f}" for n in range(1, 12)]
    found = metrics_of(joined(rows))
    assert (found.epoch, found.loss) == (11, pytest.approx(9 / 11, rel=0.001))
