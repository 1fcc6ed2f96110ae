"""Values of one line are told apart by each other."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_rate_is_that_of_what_is_counted_beside_the_updates():
    found = read(
        f"Update {5 * n}, env steps {5 * n * 4096}, {8192 + n % 3} steps/s, mean reward {n}.5, value loss {3 / n:.3f}"
        for n in range(1, 15)
    )
    assert found.step == 70
    assert found.step_time_s == pytest.approx(0.5, rel=0.02)
    assert found.throughput == pytest.approx(8194, rel=0.01)


def test_steps_a_second_of_one_who_acts_are_not_its_updates():
    found = read(f"iteration {n}: reward {n / 3:.2f}, loss {3 / n:.3f}, 51200 steps/s" for n in range(1, 15))
    assert found.step_time_s is None


def test_steps_a_second_of_what_counts_steps_are_those():
    found = read(f"step {10 * n}: reward {n / 3:.2f}, loss {3 / n:.3f}, 4.0 steps/s" for n in range(1, 15))
    assert found.step_time_s == pytest.approx(0.25)
