"""Lines that are records: a time of day is no duration, and a value may be named by the field beside it."""

import json

import pytest

from schedmate import Tracker
from schedmate.readers.progress.kinds.shapes import Shapes

BEGAN_S = 1_714_862_430.27


def read(rows):
    tracker = Tracker("job.log")
    tracker.feed("".join(json.dumps(row) + "\n" for row in rows).encode())
    return tracker.metrics()


@pytest.mark.parametrize(
    ("name", "scale"), [("time", 1.0), ("timestamp", 1.0), ("_timestamp", 1.0), ("time_ms", 1e3), ("ts", 1e9)]
)
def test_a_time_of_day_in_a_record_is_its_clock(name, scale):
    moments = [(step, (BEGAN_S + 0.32 * step) * scale) for step in range(10, 510, 10)]
    rows = [
        {"step": step, "loss": 2.3 - step / 900, name: round(moment, 3) if scale == 1.0 else int(moment)}
        for step, moment in moments
    ]
    answer = read(rows)
    assert answer.step_time_s == pytest.approx(0.32, rel=0.02)
    assert answer.step == 500


def test_a_time_of_day_is_never_a_duration():
    shape, numbers = Shapes(()).read_text('{"key": "epoch_stop", "time_ms": 1714862430274, "epoch_num": 3}')
    assert not shape.find("time")
    assert not shape.find("step_time")
    assert shape.stamp_s(numbers) == pytest.approx(1_714_862_430.274)
    assert shape.find("epoch").value(numbers) == 3


def test_billions_of_something_else_are_no_time():
    shape, numbers = Shapes(()).read_text('{"step": 3, "tokens": 1714862430, "loss": 2.5}')
    assert shape.stamp_s(numbers) is None
    assert shape.find("things").value(numbers) == 1_714_862_430


@pytest.mark.parametrize("naming", ["key", "name", "metric", "tag"])
def test_a_value_is_named_by_the_field_beside_it(naming):
    rows = []
    for step in range(10, 510, 10):
        rows += [
            {naming: "train/loss", "value": round(2.3 - step / 900, 4), "step": step},
            {naming: "train/step_time_ms", "value": 320 + step % 7, "step": step},
        ]
    answer = read(rows)
    assert answer.loss == pytest.approx(2.3 - 500 / 900, abs=1e-3)
    assert answer.step_time_s == pytest.approx(0.323, rel=0.02)


def test_the_number_of_a_step_is_a_counter_and_the_number_of_steps_an_end():
    shape, numbers = Shapes(()).read_text("step_num: 30 loss: 2.5")
    assert shape.find("step").value(numbers) == 30
    shape, numbers = Shapes(()).read_text("num_steps: 30 loss: 2.5")
    assert shape.find("total_steps").value(numbers) == 30


@pytest.mark.parametrize("line", ['{"step": 3, "step_time_ns": 1714862430}', '{"step": 3, "sm_clock": 1410000000}'])
def test_ten_digits_are_no_time_of_day_where_the_name_says_otherwise(line):
    shape, numbers = Shapes(()).read_text(line)
    assert shape.stamp_s(numbers) is None


def test_a_records_own_clock_is_believed_before_that_of_who_carried_it():
    shape, numbers = Shapes(()).read_text(
        'Jun 01 12:00:00 gpu-7 train[41]: {"ts": 1736521691.52, "step": 10, "loss": 5.8}'
    )
    assert shape.stamp_s(numbers) == 1_736_521_691.52
