"""The time of an episode is that of the row that tells of it."""

import random

import pytest

from schedmate import Tracker


def metrics_of(text):
    tracker = Tracker("progress.csv")
    tracker.feed(text.encode())
    return tracker.metrics()


@pytest.mark.parametrize("name", ["episode_time", "episode time", "episode_duration"])
def test_a_row_an_episode_tells_what_its_steps_took(name):
    rng, done, rows = random.Random(3), 0, [f"episode,{name},episode_reward,steps_done"]
    for episode in range(60):
        steps = rng.randrange(180, 420)
        done += steps
        rows.append(f"{episode},{steps * 0.02 * rng.uniform(0.97, 1.03):.6f},{rng.randrange(0, 300)}.0,{done}")
    metrics = metrics_of("\n".join(rows) + "\n")
    assert metrics.step == done
    assert metrics.step_time_s == pytest.approx(0.02, rel=0.1)


def test_a_word_of_an_episode_alone_is_no_time():
    rows = ["episode,episode_reward,steps_done", *(f"{at},{at * 3}.0,{at * 250}" for at in range(1, 40))]
    assert metrics_of("\n".join(rows) + "\n").step_time_s is None


def test_whole_numbers_called_the_time_of_an_episode_may_be_its_steps():
    rows = [f"episode {at}, episode_time: 200, reward: {at * 3}.0" for at in range(1, 40)]
    assert metrics_of("\n".join(rows) + "\n").step_time_s is None
