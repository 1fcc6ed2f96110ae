"""Where printed times differ, the newest tells how long a step takes now."""

import pytest

from schedmate import Tracker


def read(times):
    tracker = Tracker("job.log", formats=())
    rows = [
        f"epoch: 1, iter: {10 * n}/900, iter_time: {time:.3f}s, loss: 2.{90 - n}" for n, time in enumerate(times, 1)
    ]
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


@pytest.mark.parametrize(
    ("times", "now"),
    [
        ([2.0, 2.1, 1.9, 2.0, 2.05, 2.02], 2.02),
        ([9.1, 8.8, 7.9, 8.1, 6.2, 5.0], 5.0),
        ([2.0, 3.9, 2.2, 4.1, 2.1, 3.9, 2.3, 3.8], 3.8),
        ([2.0, 2.1, 1.9, 2.0, 2.05, 9.5], 2.05),
        ([2.0, 2.1, 9.3, 2.0, 2.05, 2.1, 9.5, 2.0, 2.1, 2.05, 9.4], 2.05),
        ([2.0, 2.1, 2.0, 2.0, 2.05, 2.1, 2.05, 2.0, 4.1, 3.9, 4.0], 4.0),
        ([1.0, 1.5, 1.0, 1.5, 30.0, 1.5, 1.0, 1.5, 1.0, 1.5, 1.0, 1.5, 30.0], 1.5),
    ],
    ids=[
        "steady",
        "drifting",
        "up and down",
        "one that fell out",
        "a pause now and then",
        "a new pace",
        "a pause among uneven ones",
    ],
)
def test_the_newest_time_counts_but_where_it_fell_out(times, now):
    assert read(times).step_time_s == pytest.approx(now, rel=0.03)


def test_a_time_that_differs_from_most_is_less_sure():
    assert read([9.1, 8.8, 7.9, 8.1, 6.2, 5.0]).confidence < read([2.0, 2.1, 1.9, 2.0, 2.05, 2.02]).confidence


def test_a_last_line_that_was_cut_before_its_formats_end_still_tells_its_time():
    head = "2031-08-03 08:{at} | INFO     | yolox.core.trainer:259 - epoch: 1/90, iter: {step}/983, mem: 77Mb, "
    line = (
        head
        + "iter_time: {time:.3f}s, data_time: 0.002s, total_loss: 5.6, lr: 2.587e-05, size: 768, ETA: 5 days, 13:18:47"
    )
    times = [8.7, 14.4, 1.8, 0.3]
    rows = [line.format(at=f"0{n}:30", step=240 + 10 * n, time=time) for n, time in enumerate(times)]
    rows.append(line.format(at="04:30", step=280, time=4.5)[:-60])
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert (tracker.metrics().step, tracker.metrics().step_time_s) == (280, pytest.approx(4.5))
