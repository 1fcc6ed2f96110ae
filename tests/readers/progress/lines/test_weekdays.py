"""Days of the week, days before months, milliseconds behind seconds; versions of what is called by a time."""

import pytest

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log", formats=())
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize(
    "stamp",
    [
        "Mon Mar  2 23:{m:02}:{s:02} 2020",
        "Wed Apr  8 21:{m:02}:{s:02} UTC 2020",
        "Sun May 17 21:{m:02}:{s:02}",
    ],
)
def test_a_day_of_the_week_belongs_to_the_time_behind_it(stamp):
    rows = [f"{stamp.format(m=90 * n // 60, s=90 * n % 60)} [{140 + n}] loss: {3 / n:.4f}" for n in range(1, 9)]
    answer = read("\n".join(rows) + "\n")
    assert (answer.step, answer.step_time_s) == (148, pytest.approx(90))


@pytest.mark.parametrize("sep", [" ", "-", "/"])
def test_a_date_whose_day_stands_before_its_month_goes_past_midnight(sep):
    times = [f"{n}{sep}Apr{sep}2020 10:00:00" for n in (28, 29)] + [f"{n}{sep}May{sep}2020 10:00:00" for n in (1, 2)]
    answer = read("".join(f"{time} step {n} loss {3 / n:.4f}\n" for n, time in zip((1, 2, 4, 5), times, strict=True)))
    assert answer.step_time_s == pytest.approx(86400)
    assert answer.metrics == {}


def test_milliseconds_stand_right_behind_seconds():
    bar = "[=========> {}/391 ....]  Step: 3s50{}ms | Tot: {}m{}s | Loss: {:.3f} | Acc: 41.2%\n"
    answer = read("".join(bar.format(n, n % 7, 7 * n // 120, 7 * n // 2 % 60, 3 / n) for n in range(1, 60)))
    assert answer.step_time_s == pytest.approx(3.5, rel=0.01)
    assert (answer.step, answer.total_steps) == (59, 391)


def test_the_version_of_a_runtime_is_no_time():
    told = "W0505 21:25:39.0 3159 res.cc:61] device: 0, Driver API Version: 11.6, Runtime API Version: 11.6\n"
    assert read("INFO: Number of train images: 49,400, iters: 6,175\n" + told).step_time_s is None
