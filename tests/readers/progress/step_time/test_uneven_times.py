"""Single steps' times without a unit, of which the newest lies far off: the unit is known by most of them."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.borne_out import beside_clocks
from schedmate.readers.progress.step_time.evidence import StepTimeEvidence

TIMES = [0.52, 0.61, 0.48, 2.1, 0.55, 0.43, 1.9, 0.6, 0.51, 2.3, 0.47]


@pytest.mark.parametrize("last", [3.4, 2.1])
def test_a_last_time_far_off_yields_to_the_clock_between_reports(last):
    tracker = Tracker("job.log")
    rows = [
        f"2031-07-15 16:{at:02}:30,250   INFO  Train:   3/80 [{60 * at:4}/900]  Loss: 1.{90 - at} (1.95)  "
        f"Batch time: {time:.2f}(0.97)"
        for at, time in enumerate([*TIMES, last], 1)
    ]
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    assert tracker.metrics().step_time_s == pytest.approx(1.0, rel=0.1)


def told(value, usual, usual_trust):
    return StepTimeEvidence("printed step time", value, 0.01, 0.9, "step_time", usual, usual_trust)


@pytest.mark.parametrize(
    ("printed", "clock_s", "chosen_s"),
    [
        (told(3.2, 0.55, 0.75), 0.9, 0.9),  # steps differ so much that the clock between them says more
        (told(3.2, 0.85, 1.0), 0.9, 0.85),  # they do not: most of them are believed, the newest is a pause
        (told(4.5, 3.1, 0.75), 6.0, 4.5),  # the clock takes the newest one's side
    ],
)
def test_a_newest_time_is_taken_back_where_a_clock_lies_nearer_to_most(printed, clock_s, chosen_s):
    clock = StepTimeEvidence("time stamps", clock_s, 0.01, 0.8, "stamp")
    assert beside_clocks([printed, clock], Rows())[0].value == chosen_s


def test_what_is_called_total_and_rises_as_often_as_it_falls_is_each_steps():
    tracker = Tracker("job.log")
    times = [1.94, 1.92, 1.94, 1.96, 1.98, 1.94, 1.93, 1.97, 1.95, 1.96, 1.93, 1.94, 1.95, 1.97, 1.97, 1.98]
    for at, time in enumerate(times):
        moment = f"{4 + at * 19 // 60:02}:{at * 19 % 60:02}"
        row = f"2031-12-01 12:{moment} Steps {10 * at}, Total time {time:.2f}, data 0.02%. Loss {30 - at:.3e}\n"
        tracker.feed(row.encode(), now_s=0)
    assert tracker.metrics().step_time_s == pytest.approx(1.95, rel=0.05)
