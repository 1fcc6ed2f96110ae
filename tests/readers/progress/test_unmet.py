"""What programs taught that the reader had never met; each log is of this file's own making."""

import pytest

from schedmate import Tracker


def metrics_of(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def steps(line, *, head="", count=20):
    rows = [
        line.format(n=n, step=10 * n, loss=9 / n, rate=400 + n % 3, unix=1_700_000_000 + 7 * n) for n in range(1, count)
    ]
    return head + "\n".join(rows) + "\n"


SAMPLES = "step {step} loss {loss:.4f} throughput {rate} samples/s"
ITSELF = "{step}\timages/sec: {rate}.0 +/- 1.2\t{loss:.3f}"
FRAMES = "[{step}00] return {loss:.1f} / total_episodes {n} / loss {loss:.2f} / fps {rate}"
REQUESTS = "Running loglikelihood requests: {n}%|##  | {n}/100 [00:{n:02d}<01:00, 1.01it/s]"
LOGS = [
    ("a plain batch", steps(SAMPLES, head="Namespace(batch_size=200, lr=0.1)\n"), 0.5),
    ("an evaluation's batch", steps(SAMPLES, head="eval_batch_size: 200\n"), None),
    ("a device's batch", steps(SAMPLES, head="micro_batch_size: 200\n"), None),
    ("two batches", steps(SAMPLES, head="batch_size: 200\ndisc_batch_size: 100\n"), None),
    ("a cell that names itself", steps(ITSELF, head="Batch size: 200\nStep\tImg/sec\ttotal_loss\n"), 0.5),
    ("so many steps took", steps("step {step} | loss {loss:.4f} | 10 steps took 2.5s"), 0.25),
    ("no validation yet", steps("iter {step} | loss train: {loss:.3f}, val: n/a | iter time: 250.00 ms"), 0.25),
    ("a Unix clock", steps('{{"ts": {unix}.25, "iteration": {step}, "loss": {loss:.3f}}}'), 0.7),
    ("frames beside episodes", steps(FRAMES), 1 / 401),
    ("steps of an image", steps("Step {n}/40 : RUN pip install package-{n} took 2.5s"), None),
    ("requests of an evaluation", steps(REQUESTS), None),
]


@pytest.mark.parametrize(("text", "step_time_s"), [log[1:] for log in LOGS], ids=[log[0] for log in LOGS])
def test_the_step_time_is_read_or_left_open(text, step_time_s):
    found = metrics_of(text).step_time_s
    assert found == (None if step_time_s is None else pytest.approx(step_time_s, rel=0.03))


def test_a_batch_that_may_be_one_devices_is_no_sure_answer():
    assert metrics_of(LOGS[0][1]).confidence < 0.5


@pytest.mark.parametrize("look", ["{at:6d}\t{line}", "slurm-7.out:{at}:{line}"])
def test_numbers_of_lines_are_no_counter(look):
    plain = steps("Step: {step}\nLoss: {loss:.3f}\nSpeed: 0.2{n:02d} s/step")
    numbered = "".join(look.format(at=at, line=line) + "\n" for at, line in enumerate(plain.splitlines(), 1))
    want, got = metrics_of(plain), metrics_of(numbered)
    assert (got.step, got.loss, got.step_time_s) == (want.step, want.loss, want.step_time_s)
    assert want.step == 190


@pytest.mark.parametrize("look", ["{at:6d}\t{line}", "slurm-7.out:{at}:{line}"])
def test_numbers_of_lines_are_no_counter_of_a_long_log(look):
    noise = "".join(f"{n}s ok\nready {n} in {n}.{n % 7}s\n" for n in range(4000))
    plain = noise + steps("Step: {step}\nLoss: {loss:.3f}\n")
    numbered = "".join(look.format(at=at, line=line) + "\n" for at, line in enumerate(plain.splitlines(), 1))
    assert metrics_of(plain).step_time_s is None
    assert (metrics_of(numbered).step_time_s, metrics_of(numbered).step) == (None, 190)


def test_a_table_whose_first_column_counts_keeps_it():
    rows = "".join(f"{n}\t{9 / n:.4f}\t0.25\n" for n in range(1, 30))
    assert metrics_of("epoch\tloss\tepoch_seconds\n" + rows).epoch == 29


def test_a_build_amid_an_evaluation_does_not_end_it():
    train = [f"step {n}/900 | loss {9 / n:.3f} | 0.5{n:02d} s/step" for n in range(1, 30)]
    inner = [f"step {n}/20 | loss 3.0 | 0.0{n + 10} s/step" for n in range(1, 21)]
    built = [f"[{n}/40] nvcc -c {n}.cu" for n in range(3)]
    told = metrics_of("\n".join([*built, *train, "running evaluation", built[2], *inner]) + "\n")
    assert told.step_time_s == pytest.approx(0.5, rel=0.1)


def test_stamps_of_a_burst_deny_no_clock_of_the_log():
    stamp = "2025-06-01T12:00:00.{:03d}000000Z stdout F "
    rows = [stamp.format(n) + f"{10 * n},{9 / n:.3f},{5 * n}.0" for n in range(1, 40)]
    found = metrics_of("\n".join([stamp.format(0) + "step,loss,elapsed_s", *rows]) + "\n")
    assert found.step_time_s == pytest.approx(0.5)


def test_a_time_that_its_share_follows_is_that_of_a_part_and_no_clock():
    def table(n: int) -> str:
        rows = (f"Steps {n * 65}K Evaluate {2 * n}s 61%", f"SPS 32.9K Train {n}s 31%", f"Epoch {10 * n} Losses Value")
        return "".join(f"| {row} |\n" for row in rows)

    told = metrics_of("".join(table(n) for n in range(1, 15)))
    assert (told.step_time_s, told.epoch, told.throughput) == (None, 140, 32900)
