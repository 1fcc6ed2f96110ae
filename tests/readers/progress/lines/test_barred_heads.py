"""Level, time and source between bars are no part of what a line says."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.lines.head import head_of


@pytest.mark.parametrize(
    "prefix",
    [
        "INFO|2031-02-07T14:06:56|/srv/run.py|27| ",
        "2031-02-07 14:06:56|INFO|train.py:27|",
        "2031-02-07 14:06:56.125 | WARNING | ",
        "INFO|2031-02-07 14:06:56|",
        "[INFO|trainer.py:27] 2031-02-07 14:06:56,123 >> ",
    ],
)
def test_what_loggers_set_between_bars_is_peeled(prefix):
    line = f"{prefix}step 90 loss 7.9"
    head = head_of(line)
    assert line[head.end :] == "step 90 loss 7.9"
    assert head.stamp is not None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("INFO|2031-02-07T14:06:56|epoch3|loss 0.4", "epoch3|loss 0.4"),
        ("INFO|2031-02-07T14:06:56|100|0.4|12.1", "100|0.4|12.1"),
        ("2031-02-07 14:06:56 | INFO | 0.25 | 3 |", "0.25 | 3 |"),
    ],
)
def test_cells_that_are_no_source_are_the_message(line, message):
    assert line[head_of(line).end :] == message


@pytest.mark.parametrize("name", ["val", "my.dev", "validate"])
def test_a_logger_that_is_called_after_what_it_evaluates_says_so(name):
    tracker = Tracker("job.log", formats=())
    rows = [f"INFO:train:[{n}0/200] loss {2 - n / 100:.4f}" for n in range(1, 11)]
    rows += [f"INFO:{name}:[{n}0/40] loss 0.4{n}" for n in (1, 2)]
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert (tracker.metrics().step, tracker.metrics().total_steps, tracker.metrics().loss) == (100, 200, 1.9)


def test_a_logger_s_name_before_a_bracket_names_nothing():
    tracker = Tracker("job.log", formats=())
    rows = [f"INFO:tensorflow:[{5000 * n}] | gnorm  1.{n} lr  0.0004 | loss  {5 / n:.3f}" for n in range(1, 7)]
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step == 30000
    assert "tensorflow" not in tracker.metrics().metrics


@pytest.mark.parametrize("stamp", ["I0402 10:11:12.345678    35 Trainer.cpp:182]  ", "[2031-04-02 10:11:12] "])
def test_dots_that_were_printed_meanwhile_are_no_part_of_the_next_message(stamp):
    line = f"{'.' * 47}{stamp}Pass=3 Batch=782"
    head = head_of(line)
    assert line[head.end :] == "Pass=3 Batch=782"
    assert head.stamp is not None
    assert head_of("...loading 2031 files").end == 0
