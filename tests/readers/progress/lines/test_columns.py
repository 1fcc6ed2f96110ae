"""Tables: a clock in the first column, cells of words, borders, units glued to names, tables of known programs."""

from datetime import datetime, timedelta

import pytest

from schedmate import Tracker

BEGAN = datetime(2031, 5, 6, 10, 4, 1)


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def at(seconds, form="%Y-%m-%d %H:%M:%S"):
    return (BEGAN + timedelta(seconds=seconds)).strftime(form)


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M:%S", "%Y%m%d-%H%M%S"])
def test_a_date_in_the_first_column_parts_no_others(form):
    rows = [f"{at(24 * n, form)},{n // 9},{40 * n},{8 / n:.3f},0.0002" for n in range(1, 21)]
    found = read(["timestamp,epoch,step,loss,lr", *rows])
    assert found.step == 800
    assert found.epoch == 2
    assert found.loss == pytest.approx(0.4)
    assert found.step_time_s == pytest.approx(0.6, rel=0.02)


def test_a_comma_behind_a_time_of_day_parts_cells_and_no_second():
    found = read(["time,step,loss", *(f"{at(30 * n)},{100 * n},{7 / n:.3f}" for n in range(1, 15))])
    assert found.step == 1400
    assert found.step_time_s == pytest.approx(0.3, rel=0.02)


def test_seconds_since_1970_in_the_first_column():
    found = read(["timestamp,step,loss", *(f"{1930000000.25 + 30 * n},{100 * n},{7 / n:.3f}" for n in range(1, 15))])
    assert found.step == 1400
    assert found.loss == pytest.approx(0.5)
    assert found.step_time_s == pytest.approx(0.3, rel=0.02)


def test_a_scalar_of_tensorboard_is_a_training():
    found = read(["Wall time,Step,Value", *(f"{1930000000.25 + 18 * n},{60 * n},{7 / n:.3f}" for n in range(1, 15))])
    assert found.step == 840
    assert found.step_time_s == pytest.approx(0.3, rel=0.02)


@pytest.mark.parametrize(("measure", "step_time"), [("Test_Return", 1800.0), ("Score", 0.5)])
def test_a_table_that_only_looks_like_one_that_counts_hours_counts_seconds(measure, step_time):
    rows = (f"{n},{0.5 * n:.1f},{4096 * n},{n / 3:.2f},{3 / n:.3f}" for n in range(1, 15))
    found = read([f"Iteration,Wall_Time,Samples,{measure},Loss", *rows])
    assert found.step == 14
    assert found.step_time_s == pytest.approx(step_time)


def table(rounds):
    rule = "+----------------+---------+---------+--------+------------------+-----------+"
    for n in rounds:
        yield rule
        yield "| Trial name     | id      | loc     |   iter |   total time (s) |    reward |"
        yield "|----------------+---------+---------+--------+------------------+-----------|"
        yield f"| SAC_Ant_00_11f | 11f0{n:03d} | pid=901 |   {n:4d} |        {3.2 * n:9.3f} |    {n / 7:6.3f} |"
        yield rule


@pytest.mark.parametrize("rounds", [range(3, 40, 3), (50, 50)])
def test_cells_of_words_and_borders_leave_a_row_one(rounds):
    found = read(table(rounds))
    assert found.step == list(rounds)[-1]
    assert found.step_time_s == pytest.approx(3.2, rel=0.02)


def test_a_unit_set_right_behind_a_columns_name():
    rows = [f"{50 * n:6d}  {5 / n:9.4f}  {0.7 + n / 99:9.4f}  {0.21 + n % 3 / 100:10.4f}" for n in range(1, 20)]
    found = read(["  Iter       Loss   GradNorm    Time/iter(s)", *rows])
    assert found.step == 950
    assert found.step_time_s == pytest.approx(0.22, rel=0.05)


def test_empty_cells_keep_their_columns():
    rows = (
        f"{n // 20},0.001,{50 * n - 1}," + (f",0.7,{6 / n:.2f}" if n % 4 == 0 else f"{4 / n:.4f},,")
        for n in range(1, 22)
    )
    found = read(["epoch,lr,step,train_loss,val_acc,val_loss", *rows])
    assert found.step == 1049
    assert found.epoch == 1
    assert found.loss == pytest.approx(0.1905)


def test_a_column_of_the_rows_numbers_needs_no_name():
    rows = (f"{n},{100 * n},{5 / n:.3f},{35.1 * n:.1f}" for n in range(1, 20))
    found = read([",step,loss,elapsed_s", *rows])
    assert found.step == 1900
    assert found.loss == pytest.approx(5 / 19, abs=0.001)
    assert found.step_time_s == pytest.approx(0.351, rel=0.02)
