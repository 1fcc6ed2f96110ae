"""What carries a log or prints beside it moves no answer; what a model writes is no progress of its training."""

import json
import random

import pytest

from evals.progress.bystanders import BYSTANDERS, stood_by
from evals.progress.carriers import carried
from schedmate import Tracker
from schedmate.readers.progress.text.dress import Dress


def metrics_of(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def read(text):
    metrics = metrics_of(text)
    return metrics.step_time_s, metrics.step, metrics.loss


STEPS = "".join(f"step {n} loss {9 / n:.4f} took 2.50s\n" for n in range(1, 25))
EPOCHS = "".join(f"Epoch {n}: train loss {9 / n:.4f}, valid loss {8 / n:.4f}\n" for n in range(1, 12))
TABLE = "epoch   train_loss  valid_loss  accuracy  time\n" + "".join(
    f"{n}       {3 / n:.6f}    {4 / n:.6f}    0.{50 + n}0000  02:0{n % 3}\n" for n in range(0 + 1, 12)
)


@pytest.mark.parametrize("kind", BYSTANDERS)
@pytest.mark.parametrize("name", ["steps", "table"])
def test_a_bystander_moves_nothing(name, kind):
    text = {"steps": STEPS, "table": TABLE}[name]
    assert read(stood_by(random.Random(f"{name}/{kind}"), text, 400, [kind])) == read(text)


def test_a_log_that_was_received_when_it_was_over_tells_no_pace():
    lines = EPOCHS.splitlines()
    packed = [
        json.dumps({"log": line + "\n", "stream": "stderr", "time": f"2031-04-05T10:11:12.{at * 80_000_000:09d}Z"})
        for at, line in enumerate(lines)
    ]
    assert metrics_of("\n".join(packed) + "\n").step_time_s is None


def test_a_clock_of_one_moment_denies_no_printed_time():
    lines = [f"2031-04-05 10:11:1{n // 6},{n % 6}00 - INFO - step {n} loss 0.5 took 2.50s" for n in range(1, 20)]
    assert metrics_of("\n".join(lines) + "\n").step_time_s == 2.5


def test_sentences_with_numbers_are_not_a_steps_time():
    said = (
        "1. **Understand the problem:** We are given the car's fuel consumption rate (8 liters/hour) and the time it"
        " uses fuel (5 hours). We need to find the total fuel used.\n2. **Step 2: Multiply the hours by the liters**\n"
        "So it's 0.15 * $18 = $2.70.\n"
    )
    log = "".join(f"{said * 3}[step {n}] avg_loss=0.{n} acc=0.78\n" for n in range(20, 200, 20))
    metrics = metrics_of(log)
    assert (metrics.step_time_s, metrics.step) == (None, 180)


def test_the_newest_of_several_runs_tells_the_pace():
    def run(first_s, pace, count):
        lines = []
        for n in range(1, count):
            at = int(first_s + n * 100 * pace)
            lines.append(
                f"2031-04-05 {at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d} Iter: {n * 100} Loss: {2 / n:.3f}\n"
            )
        return "".join(lines)

    assert metrics_of(run(0, 0.1, 26) + run(3600, 0.7, 15)).step_time_s == pytest.approx(0.7, rel=0.05)


def test_records_of_events_count_no_steps():
    line = (
        ':::MLLOG {{"time_ms": {ms}, "event_type": "INTERVAL_END", "key": "epoch_stop", "value": null,'
        ' "metadata": {{"lineno": 9, "epoch_num": {n}}}}}\n'
    )
    assert metrics_of("".join(line.format(ms=1683515861782 + 290 * n, n=n) for n in range(1, 14))).step_time_s is None


def test_the_total_of_several_losses_is_the_loss():
    log = "".join(
        f"[batch {n}4/152, epoch 9/15]: loss_rmse:0.04 loss_det:0.10 loss_total:1.9 binary_loss:0.08\n"
        for n in range(9)
    )
    assert metrics_of(log).loss == 1.9


def test_a_setting_named_after_the_least_step_is_none():
    assert metrics_of(STEPS.replace("took 2.50s", "") + '  "time_step_min": 16,\n' * 3).step_time_s is None


@pytest.mark.parametrize("prefix", ["[{}]: ", "[trainer/{}]: ", "[gpu-{}:0] ", "node-7: {}: "])
def test_of_two_processes_one_is_followed(prefix):
    first = "Some words of a setup\nTrain epoch time: 17270 ms, per step time: 1151.343 ms\n"
    later = "".join(f"step {n} loss {3 / n:.3f}, per step time: 9{n}.5 ms\n" for n in range(1, 8))
    text = first + later
    lines = [prefix.format(rank) + line for line in text.splitlines() for rank in (0, 1)]
    assert read("\n".join(lines) + "\n") == read(text)


@pytest.mark.parametrize("form", ["{}:{}", "{:>6}  {}", "{:6d}\t{}"])
def test_numbered_lines(form):
    text = "Some words of a setup\nloaded 3 shards of data\ntraining begins\n" + STEPS + "saved the last weights\n"
    lines = [form.format(number, line) for number, line in enumerate(text.splitlines(), 1)]
    assert read("\n".join(lines) + "\n") == read(text)


def test_a_counter_in_front_of_all_lines_numbers_none():
    dress = Dress()
    dress.learn("".join(f"{step}: 0.5, 0.4 avg loss, 0.001 rate\n" for step in range(1, 60)).encode())
    assert dress.prefixes == ()


def test_carriers_come_out_alike_for_one_seed():
    assert carried("over each other", random.Random(4), STEPS) == carried("over each other", random.Random(4), STEPS)
