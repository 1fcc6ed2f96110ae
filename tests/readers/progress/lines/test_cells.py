"""Cells of a row that hold lists, or the names of runs, have no value, and hide none."""

import pytest

from schedmate import Tracker

HEADER = "reward_mean,training_iteration,experiment_id,date,time_this_iter_s,time_total_s,hist/rewards,info/total_loss"


def read(text):
    tracker = Tracker("progress.csv")
    tracker.feed(text.encode())
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize("many", [3, 900])
def test_a_table_with_lists_and_hashes_in_its_cells_is_read(many):
    rows = [HEADER]
    for at in range(1, 30):
        listed = ", ".join(f"{at + item}.0" for item in range(many))
        rows.append(
            f'{at}.5,{at},1e8be35ceffe4ec4,2031-04-03_15-47-{at:02d},12.25,{at * 12.25},"[{listed}]",0.{500 - at}'
        )
    found = read("\n".join(rows) + "\n")
    assert found.step == 29
    assert found.step_time_s == pytest.approx(12.25, rel=0.01)
    assert found.loss == pytest.approx(0.471)


def test_a_day_and_a_month_without_a_year_are_a_clock():
    rows = [
        f"22-Nov 15:{at // 60:02d}:{at % 60:02d}:INFO:root:{at * 20:06d} :: TRAIN obj-val = 0.{900 - at}"
        for at in range(5, 300, 5)
    ]
    found = read("\n".join(rows) + "\n")
    assert found.step == 5900
    assert found.step_time_s == pytest.approx(0.05, rel=0.1)


def test_what_is_finished_is_no_time_that_is_left():
    rows = [
        row for n in range(1, 9) for row in (f"[{n}/30] iter: 200/278. lr:0.01 . Loss: 0.{90 - n}", f"Finish {n} epoch")
    ]
    assert read("\n".join(rows) + "\n").step_time_s is None
