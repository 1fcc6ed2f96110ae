"""Loops that learn by acting count episodes, or the steps that their world has made."""

import pytest

from schedmate import Tracker

LENGTHS = [31, 74, 52, 18, 66, 45, 27, 80]


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


def test_an_episode_is_a_step_where_nothing_else_counts():
    found = read(f"Episode {n} | Reward: {n % 7 - 3:.1f} | Time: 2.{n % 3}1s" for n in range(30, 46))
    assert (found.step, found.step_time_s) == (45, pytest.approx(2.11, rel=0.05))


def test_stamps_between_episodes_tell_their_time():
    found = read(
        f"2031-04-05 10:{n // 3:02d}:{n % 3 * 20:02d} - INFO - Episode {n} reward {n * 0.3:.2f}" for n in range(1, 12)
    )
    assert (found.step, found.step_time_s) == (11, pytest.approx(20, rel=0.05))


def test_the_length_of_an_episode_is_no_counter():
    rows = [f"Episode: {n}, Steps: {LENGTHS[n % 8]}, Reward: {n % 5 - 2:.1f}, Time: 4.{n % 4}s" for n in range(60, 80)]
    found = read(rows)
    assert (found.step, found.step_time_s) == (79, pytest.approx(4.15, rel=0.05))


def test_the_length_of_a_pass_that_wavers_is_no_counter():
    found = read(f"Ep: {n} | steps {LENGTHS[n % 8]} | 1.{n % 4}s" for n in range(20, 36))
    assert (found.epoch, found.step_time_s) == (35, pytest.approx(1.15, rel=0.1))


def test_steps_of_the_world_count_where_no_episode_is_numbered():
    found = read(f"Num steps: {n * 5000}  Return: {n * 11.5:.1f}  Time: 0:{n:02d}:40" for n in range(1, 12))
    assert (found.step, found.step_time_s) == (55000, pytest.approx(60 / 5000, rel=0.05))


def test_a_score_beside_an_episode_is_no_evaluation():
    found = read(f"2031-04-05 10:00:{n * 4:02d} Episode: {n} Score: {n / 3:.2f}" for n in range(12))
    assert (found.step, found.step_time_s) == (11, pytest.approx(4, rel=0.05))


def test_an_episode_beside_a_loop_of_its_own_is_none():
    rows = []
    for n in range(1, 20):
        rows += [f"[Episode {n * 5}] mean delay: {n % 3 + 4}.5 s", f"update {n * 10}, loss 0.{90 - n}, 3.0 s/it"]
    found = read(rows)
    assert (found.step, found.step_time_s) == (190, pytest.approx(3.0))


@pytest.mark.parametrize(
    "rows",
    [
        [f"Num steps: 5000  Return: {n}.5  Time: 0:{n:02d}:40" for n in range(12)],
        [f"Episode {n} | Time: 2.{n}s" for n in (9, 3, 8, 1, 7, 2)],
        [f"[eval] Episode {n} | Reward: {n}.5 | Time: 2.1s" for n in range(12)],
    ],
    ids=["a setting", "no order", "an evaluation"],
)
def test_what_does_not_rise_or_evaluates_counts_nothing(rows):
    assert read(rows).step_time_s is None


def test_a_batch_that_stands_still_leaves_the_count_to_the_passes():
    found = read(f"Epoch {n}, Batch 0: 0.03{n % 5} sec" for n in range(12, 30))
    assert (found.epoch, found.step_time_s) == (29, pytest.approx(0.032, rel=0.05))


def test_the_steps_of_a_whole_pass_divide_its_time():
    rows = []
    for n in range(1, 9):
        rows += [f"Epoch: {n} cost time: 8.{n}", f"Epoch: {n}, Steps: 160 | Train Loss: 0.4{n} Vali Loss: 0.5{n}"]
    found = read(rows)
    assert (found.step, found.total_steps, found.epoch) == (160, 160, 8)
    assert (found.step_time_s, found.phase) == (pytest.approx(8.5 / 160, rel=0.02), "train")


def test_a_size_of_batches_divides_nothing():
    found = read(f"Epoch {n}: loss=0.4{n}, batch=32, time=8.{n % 3}s" for n in range(1, 9))
    assert (found.epoch, found.step_time_s) == (8, pytest.approx(8.1, rel=0.02))
