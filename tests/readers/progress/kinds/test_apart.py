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


@pytest.mark.parametrize("brought", ["episode reward", "episode return", "episode score"])
def test_what_an_episode_brings_is_no_number_of_episodes(brought):
    rows = (
        f"Update {n}/500: {brought}: {n}.20, steps per second: {1200 + n % 5}, loss: {3 / n:.3f}" for n in range(1, 25)
    )
    assert read(rows).step_time_s is None


def test_the_steps_of_an_episode_take_what_its_duration_says():
    rows, total = [], 0
    for n in range(1, 25):
        steps = 20 + 7 * n % 31
        total += steps
        episode = f"episode: {n}, duration: {steps / 60:.3f}s, episode steps: {steps}, steps per second: 60"
        rows.append(f" {total:5d}/10000: {episode}, episode reward: {steps}.000, loss: {3 / n:.6f}")
    found = read(rows)
    assert found.step_time_s == pytest.approx(1 / 60, rel=0.05)
    assert (found.step, found.total_steps) == (total, 10000)


def test_steps_a_second_of_what_counts_steps_are_those():
    found = read(f"step {10 * n}: reward {n / 3:.2f}, loss {3 / n:.3f}, 4.0 steps/s" for n in range(1, 15))
    assert found.step_time_s == pytest.approx(0.25)
