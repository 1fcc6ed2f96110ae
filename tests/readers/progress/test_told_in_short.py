"""What a line says in few words: whose loss it is, over which data, a mean with its spread, a counter in thousands."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_value_that_is_named_before_two_counters_is_none_of_them():
    found = read(f"Loss at epoch {n // 2} and iteration {300 * (n % 2)} is {2 / n:.6f}" for n in range(1, 22))
    assert (found.epoch, found.step) == (10, 300)
    assert found.loss == pytest.approx(2 / 21, abs=1e-5)


def test_who_names_the_data_that_are_held_out_evaluates_whatever_the_phase():
    rows = []
    for n in range(1, 15):
        rows.append(f"Phase: Training, Dataset used:      Train, Batches Done: 90, Epoch: {n}, Loss: {2 / n:.6f}")
        rows.append(f"Phase: Training, Dataset used: Validation, Batches Done: 11, Epoch: {n}, Loss: {3 / n:.6f}")
    found = read(rows)
    assert found.loss == pytest.approx(1 / 7, abs=1e-5)
    assert found.epoch == 14


def table(score):
    rows = ["  Epoch      Dice (mean±std)      Folds(%)    sec"]
    return rows + [f"   {n:4d}     {score(n)}      0.{n % 7}00%   0.2{n % 10}5" for n in range(1, 60)]


def test_a_table_of_means_with_their_spread_is_of_what_was_tested():
    found = read(table(lambda n: f"0.6{n:02d}7 ± 0.0{n:02d}1"))
    assert found.step_time_s is None


def test_a_step_time_with_its_spread_is_one():
    found = read(f"step {n} loss {2 / n:.4f} step time: 0.42 ± 0.02 s" for n in range(1, 30))
    assert found.step_time_s == pytest.approx(0.42)


def test_numbers_of_32_bits_are_read_as_julia_shows_them():
    found = read(f"epoch {n}, loss = {2 / n:.6f}f0, rate = 1.0f-3" for n in range(1, 12))
    assert found.loss == pytest.approx(2 / 11, abs=1e-5)


def stamped(second):
    return f"2031-02-03 10:{second // 60:02d}:{second % 60:02d}"


def test_a_counter_in_thousands_is_timed_from_where_it_goes_on():
    rows = [
        f"INFO {stamped(100 * n)} step:{n // 5}K smpl:{n}K ep:{7 * n} epch:{n / 2:.2f} loss:{2 / (n + 1):.3f}"
        for n in range(1, 35)
    ]
    found = read(rows)
    assert found.epoch == 17
    assert found.step_time_s == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(("name", "counted"), [("i", 780), ("x", None)])
def test_the_first_column_of_a_table_that_tells_a_loss_may_be_called_i(name, counted):
    rows = [f"{name},time,loss,likeness"]
    rows += [f"{20 * n},{1.5 * n + n % 3 / 40:.4f},{2 / (n + 1):.6f},0.{n}1" for n in range(40)]
    found = read(rows)
    assert (found.step if counted else found.loss) == counted
    if counted:
        assert found.loss == pytest.approx(0.05, abs=1e-4)


def test_one_tick_of_a_pass_of_one_step_lies_above_the_unit():
    rows = []
    for n in range(1, 20):
        rows += [f"Epoch {n}/40", f"1/1 [==============================] - 1s 1s/step - loss: {1 / n:.4e}"]
    assert read(rows).step_time_s == pytest.approx(1.2)
