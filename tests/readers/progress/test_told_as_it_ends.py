"""What a log tells last, or as its run is over, and what tells of a step's parts or of an evaluation alone."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_columns_under_total_count_what_was_done_so_far():
    rows = ["rollout/return,total/steps,train/loss_actor,total/epochs,total/duration,rollout/steps"]
    rows += [
        f"{3.5 * n:.3f},{1000 * n},{2 / n:.6f},{n},{20.25 * n + n % 3 / 7:.5f},{90 + n % 4}.5" for n in range(1, 30)
    ]
    found = read(rows)
    assert (found.step, found.epoch) == (29000, 29)
    assert found.step_time_s == pytest.approx(0.02025, rel=0.02)


@pytest.mark.parametrize(
    ("last", "step_time_s"),
    [
        ("After Training 600 Iterations Needs Time: it passes 33.0 seconds", 0.055),
        ("After training 600 steps, 33.0 seconds elapsed", 0.055),
        ("After training 600 steps, accuracy 33.0", None),
        ("After 600 images: 33.0 seconds", None),
    ],
)
def test_what_all_steps_took_is_told_when_they_are_over(last, step_time_s):
    found = read([f"Epoch 1  Iteration {n}  loss = {3 / n:.5f}" for n in range(100, 601, 100)] + [last])
    assert found.step_time_s == (pytest.approx(step_time_s) if step_time_s else None)
    assert found.step == 600


def test_the_newest_rate_is_that_behind_the_last_step():
    rows = []
    for n in range(8):
        rows += [f"loss = {1 / (n + 1):.4f}, step = {200 * n}", f"global_step/sec: 7.{n}1", f"global_step/sec: 7.{n}2"]
    assert read(rows).throughput == pytest.approx(7.72)


def test_a_rate_of_training_that_sums_up_a_run_counts():
    rows = []
    for n in range(1, 12):
        rows += ["{", f'  "loss": {2 / n:.4f},', f'  "step": {10 * n}', "},"]
    rows += ['  "train_runtime": 440.2,', '  "train_samples_per_second": 4.003,', '  "train_steps_per_second": 0.25']
    found = read(rows)
    assert found.throughput == pytest.approx(4.003)
    assert found.step_time_s == pytest.approx(4)


def test_a_loss_that_has_come_to_stay_is_told_all_the_same():
    rows = []
    for n in range(1, 7):
        rows += [
            f"train: 100%|██████████| 900/900 [00:1{n % 2}<00:00, 81.{n}8it/s]",
            "train_loss: 0.0007",
            f"eval r2: 0.6{n}",
        ]
    assert read(rows).loss == pytest.approx(0.0007)


def test_how_many_iterations_there_will_be_is_their_end():
    rows = ['"meta":{"tests":["held"],"iteration_count":700,"name":"forest"},', '"iterations":[']
    rows += [
        f'{{"learn":[{1 / (n + 1):.6f}],"iteration":{n},"passed_time":{0.25 * (n + 1):.4f},'
        f'"remaining_time":{0.25 * (699 - n):.3f}}},'
        for n in range(40)
    ]
    found = read(rows)
    assert found.total_steps == 700
    assert found.step == 39


def test_what_calls_of_functions_took_is_no_step():
    rows = []
    for n in range(30):
        rows.append(f"{n}000: Train Epoch 1 batch {n} (samples {32 * n} - {32 * n + 32}) starts")
        rows.append(f"{n}100: void Dense<32, 10>::forward(grid<real, M / 2> &) [M = 32, K = 10]: starts")
        rows.append(
            f"{n}200: void Dense<32, 10>::forward(grid<real, M / 2> &) [M = 32, K = 10]: ends. took {n}1000 nsec"
        )
        rows.append(f"{n}300: real Pool::back(grid<real> &): ends. took {n}7000 nsec")
    found = read(rows)
    assert found.step_time_s is None
    assert found.loss is None
    assert found.step == 29


def test_a_pass_that_is_told_again_under_the_heading_of_an_evaluation_is_its():
    rows = []
    for n in range(1, 9):
        rows += [f"epoch: {n},  loss is: {2 / n:.5f}, acc is: 0.8{n}", "testing in eval mode……"]
        rows += [f"epoch: {n},  loss is: {3 / n + 1:.5f}, acc is: 0.7{n}", "Now continue training……"]
    found = read(rows)
    assert found.epoch == 8
    assert found.loss == pytest.approx(0.25)


def test_a_pass_that_is_told_once_is_training_s_whatever_was_headed_before():
    rows = []
    for n in range(1, 9):
        rows += ["Validating", f"epoch: {n},  loss is: {2 / n:.5f}, acc is: 0.8{n}"]
    assert read(rows).loss == pytest.approx(0.25)
