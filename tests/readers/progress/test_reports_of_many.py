"""A time of many batches, a tick of a clock, columns without names: each is read as what it is, or not at all."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


DEEPMD = {
    "as it was": "DEEPMD INFO    batch {:7d} training time {:.2f} s, testing time 0.02 s, total wall time 4.20 s",
    "as it is": "DEEPMD INFO    batch {:7d}: total wall time = {:.2f} s",
}


@pytest.mark.parametrize("form", ["as it was", "as it is"])
def test_what_is_told_of_all_batches_since_the_last_report_is_divided_by_them(form):
    found = read(DEEPMD[form].format(100 * n, 4 + n % 3 / 50) for n in range(1, 21))
    assert found.step == 2000
    assert found.step_time_s == pytest.approx(0.04, rel=0.02)


def test_beside_the_curve_of_what_is_learnt_too():
    curve = "DEEPMD INFO    batch {0:7d}: trn: rmse = {1:.2e}, rmse_e = 1.2e-01, rmse_f = 3.1e-01, lr = 9.8e-04"
    pairs = [(curve.format(100 * n, 9 / n), DEEPMD["as it is"].format(100 * n, 4 + n % 3 / 50)) for n in range(1, 21)]
    found = read(row for pair in pairs for row in pair)
    assert found.step_time_s == pytest.approx(0.04, rel=0.02)
    assert found.loss == pytest.approx(0.45)


@pytest.mark.parametrize(("steps", "told"), [(1, 1.2), (8, 1.0)])
def test_one_tick_of_keras_clock_lies_above_its_unit(steps, told):
    bar = f"{steps}/{steps} [{'=' * 30}] - {steps}s 1s/step"
    found = read(row for n in range(1, 11) for row in (f"Epoch {n}/10", f"{bar} - loss: {3 / n:.4f} - accuracy: 0.5"))
    assert found.step_time_s == pytest.approx(told, rel=0.07)  # what is less than a second is printed in ms


def test_columns_without_names_are_no_loop():
    rows = (f"[Feb 03, 10:{10 + n // 60:02d}:{n % 60:02d}] {10 * n} \t\t {5 - n / 20:.15f}" for n in range(40))
    assert read(rows).step_time_s is None
