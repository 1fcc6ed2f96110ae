"""Where a step's time comes from: units, ticks, contradictions, examples for steps, and what is no time at all."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends


def read(rows, ends=NO_ENDS):
    tracker = Tracker("job.log", formats=(), ends=ends)
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


def clock(second):
    return f"2031-04-05 {10 + second // 3600:02.0f}:{second // 60 % 60:02.0f}:{second % 60:06.3f}"


def steps(line, count=25, pace=0.2, stride=100):
    return read(
        line.format(at=clock(n * stride * pace), step=n * stride, loss=9 / n, wobble=n % 5) for n in range(1, count)
    )


@pytest.mark.parametrize("printed", ["200.{step}", "0.2{step}"])
def test_a_unit_that_is_missing_is_told_by_the_clock(printed):
    assert steps(f"{{at}} step {{step}} loss {{loss:.3f}} step_time {printed}").step_time_s == pytest.approx(
        0.2, rel=0.2
    )


def test_minutes_are_told_by_a_clock_alone():
    assert steps(
        "{at} step {step} loss {loss:.3f} step_time 1.50{wobble}", pace=90, stride=1
    ).step_time_s == pytest.approx(90, rel=0.01)


def test_a_missing_unit_is_told_by_the_rate():
    found = steps("step {step} loss {loss:.3f} time 85.{step} samples/s 376.5 global_batch_size 32")
    assert found.step_time_s == pytest.approx(0.085, rel=0.05)


def test_a_missing_unit_that_nothing_tells_is_doubted():
    found = steps("step {step} loss {loss:.3f} iter_time 412.{step}")
    assert found.step_time_s == pytest.approx(0.412, rel=0.01)
    assert found.confidence < 0.5


def test_a_number_that_no_unit_reconciles_is_unknown():
    found = steps("{at} step {step} loss {loss:.3f} step_time 31.{step}", pace=7, stride=10)
    assert found.step_time_s is None
    assert "denied" in found.notes[0]


def test_a_clock_that_denies_an_explicit_time_leaves_it_unknown():
    found = steps("{at} step {step} loss {loss:.3f} took 0.31{wobble} s/it", pace=7, stride=1)
    assert found.step_time_s is None


def test_steps_that_seem_a_few_times_faster_than_printed_are_the_clocks_but_hardly_sure():
    found = steps("{at} step {step} loss {loss:.3f} took 0.9{wobble} s/it", pace=0.2)
    assert found.step_time_s == pytest.approx(0.2, rel=0.02)
    assert found.confidence < 0.5


def test_a_clock_that_goes_back_again_and_again_is_none():
    rows = [f"{clock(n * 7 % 5)} step {n * 10} loss {9 / n:.3f}" for n in range(1, 25)]
    assert read(rows).step_time_s is None


def test_a_clock_without_days_goes_on_behind_midnight():
    rows = [f"{n * 10 % 24:02}:00:00 step {n * 10} loss {9 / n:.3f}" for n in range(1, 25)]
    assert read(rows).step_time_s == pytest.approx(3600, rel=0.01)


def test_a_second_witness_settles_it():
    found = steps(
        "{at} step {step} loss {loss:.3f} 0.31{wobble} s/it global_batch_size 32 103.2 samples/s", pace=7, stride=1
    )
    assert found.step_time_s == pytest.approx(0.31, rel=0.05)


def test_an_explicit_time_is_not_overwritten_by_arithmetic():
    found = steps("{at} step {step} loss {loss:.3f} 0.35{wobble} s/it", pace=0.2)
    assert found.step_time_s == pytest.approx(0.35, rel=0.02)


def test_a_counter_of_examples_keeps_the_steps_own_time():
    rows = [
        f"{clock(n * 7.35)} Train Epoch: 0 [{n * 40960}/10968539] Batch (t): 0.73{n % 9} Loss: {9 / n:.3f}"
        for n in range(1, 30)
    ]
    found = read(rows, Ends(epochs=1))
    assert found.step_time_s == pytest.approx(0.735, rel=0.01)
    assert "the counter counts examples, not steps" in found.notes
    assert found.eta_s == pytest.approx((10968539 - 29 * 40960) / 4096 * 0.735, rel=0.05)


@pytest.mark.parametrize("line", ["step {step} loss {loss:.3f} time 0s", "step {step} loss {loss:.3f} 1 s/it"])
def test_one_tick_of_a_clock_is_no_time(line):
    assert steps(line).step_time_s is None


@pytest.mark.parametrize("line", ["loss {loss:.3f} elapsed {step}s", "{at} loss={loss:.3f} acc=0.5"])
def test_without_a_counter_a_clock_tells_nothing(line):
    assert steps(line).step_time_s is None


def test_the_newest_pace_wins():
    rows = [f"step {n} loss {9 / n:.3f} step_time {1.0 if n < 40 else 2.0}{n % 9}s" for n in range(1, 55)]
    assert read(rows).step_time_s == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize(
    "line",
    [
        "step {step} loss {loss:.3f} slowest 0.91{wobble}s fastest 0.31{wobble}s mean step time 0.44{wobble}s",
        "step {step} loss {loss:.3f} time 0.44{wobble} ± 0.021 s/step",
        "step {step} loss {loss:.3f} time 0.44{wobble} +/- 0.021 s/step",
        "step {step} loss {loss:.3f} step_ms p50=440.{step} p99=910.{step}",
        "step {step} loss {loss:.3f} step_time_std 0.05 step_time 0.44{wobble}s step_time_max 0.9",
        "step {step} loss {loss:.3f} sec/step 0.44{wobble} samples/sec 145.4 batch_size 64",
        "step {step} loss {loss:.3f} step_time 0.44{wobble}s data_time 0.61{wobble}s",
    ],
)
def test_extremes_and_spreads_are_no_times(line):
    assert steps(line).step_time_s == pytest.approx(0.44, rel=0.01)


def test_frames_a_second_are_no_steps_a_second():
    rows = []
    for n in range(1, 25):
        rows += [
            f"update = {n}",
            f"steps per second = {400 + n % 3}.5",
            f"frames = {n * 512}",
            f"value loss = {9 / n:.3f}",
        ]
        rows += [f"fps = {400 + n % 3}", "===="]
    assert read(rows).step_time_s == pytest.approx(1.28, rel=0.02)


def test_the_time_that_each_pass_tells_is_nearer_than_a_clock_that_holds_its_evaluation():
    rows = []
    for n in range(1, 9):
        rows += [f"{clock(130 * n)} Epoch {n} Train, reg: 0.{n}1, Cost: {90 + n % 2}.5 sec"]
        rows += [f"{clock(130 * n + 40)} Epoch {n} Val, MAE: 1{n}.2 Cost {39 + n % 2}.1 sec"]
    assert read(rows).step_time_s == pytest.approx(91, rel=0.02)


def test_minutes_of_an_elapsed_time_are_told_by_time_stamps():
    rows = [f"{clock(35 * n)} iter {100 * n} loss {9 / n:.4f} elapsed {35 * n / 60:.2f}" for n in range(1, 20)]
    assert read(rows).step_time_s == pytest.approx(0.35, rel=0.02)


def test_pauses_between_reports_do_not_deny_the_only_unit_that_fits():
    found = steps("{at} iter {step} loss {loss:.3f} iter_time 0.35{wobble}", pace=0.95)
    assert found.step_time_s == pytest.approx(0.352, rel=0.02)
    assert found.confidence < 0.8


MNIST = "{at} Train Epoch: 1 [{step}/60000 ({share:.0f}%)] Loss: {loss:.4f}"


@pytest.mark.parametrize(("batch", "expected"), [("64", 0.35), (None, None), ("100", None)])
def test_a_counter_of_samples_needs_to_know_the_batch(batch, expected):
    rows = [MNIST.format(at=clock(3.5 * n), step=640 * n, share=n * 640 / 600, loss=9 / (n + 1)) for n in range(1, 40)]
    found = read([f"{'batch size'}: {batch}" if batch else "start", *rows])
    assert found.step_time_s == (pytest.approx(expected, rel=0.02) if expected else None)
    assert found.step == 640 * 39


def test_a_unit_behind_a_value_without_a_name_names_no_other_value():
    rows = [f"step {50 * n}/9000 loss {9 / n:.4f} lr 1.00e-04 0.35 s/step 91 samples/s" for n in range(1, 20)]
    found = read(rows)
    assert found.step_time_s == pytest.approx(0.35)
    assert found.throughput == 91


def test_an_epoch_of_seconds_is_no_pass():
    rows = [f"{clock(n)} page {n} of 200 fetched in 1.0{n % 5}s (epoch 1930000{n:03})" for n in range(1, 60)]
    assert read(rows).step_time_s is None


def test_what_stands_still_while_thousands_of_steps_are_made_is_no_clock_of_the_run():
    rows = [
        f"epoch: {n} | nupdates: {3000 * n - 2990} | runtime: 00:0{9 if n > 1 else 0}:12 | bch(ms): {176 + n}.20 | "
        f"loss: {9 / n:.4f}"
        for n in range(1, 4)
    ]
    assert read(rows).step_time_s == pytest.approx(0.179, rel=0.02)


def test_how_long_a_pass_is_must_be_known_within_a_third():
    rows = []
    for n in range(1, 5):
        rows += [f"Epoch {n} Batch {at} Loss {5 / n - at / 9000:.4f}" for at in (0, 700)]
        rows += [f"Time taken for 1 epoch: {140 + n}.2 secs"]
    found = read(rows)
    assert found.step_time_s is None
    assert found.step == 700
