"""The parts of a step that have a line each, in an indented record."""

import pytest

from schedmate import Tracker

RECORD = """
                           Learning iteration {n}/900

                            Total steps: {total}
                       Steps per second: {rate}
                        Collection time: {slow:.3f}s
                          Learning time: 0.250s
                        Mean value loss: 0.7{n}
                            Mean reward: -6{n}.47
"""


def read(*records):
    tracker = Tracker("job.log")
    tracker.feed("".join(records).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def record(n, slow=1.15):
    return RECORD.format(n=n, total=98304 * (n + 1), rate=round(98304 / (slow + 0.25)), slow=slow)


@pytest.mark.parametrize("count", [1, 3])
def test_the_parts_of_a_step_add_up_though_each_has_a_line_and_the_rate_is_that_of_an_environment(count):
    found = read(*(record(n) for n in range(5, 5 + count)))
    assert found.step == 4 + count
    assert found.step_time_s == pytest.approx(1.4, rel=0.01)
    assert found.throughput == pytest.approx(70217, rel=0.01)
    assert found.confidence < 0.8


def test_the_parts_of_each_step_are_its_own():
    assert read(record(5, 4.75), record(6), record(7), record(8)).step_time_s == pytest.approx(1.4, rel=0.01)


def test_one_part_alone_is_no_step():
    rows = [line for line in record(5).splitlines(keepends=True) if "Learning time" not in line]
    assert read(*rows).step_time_s is None
