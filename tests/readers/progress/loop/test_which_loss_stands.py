"""Which loss stands at the end: not the mean of the whole run, nor that of a second optimizer."""

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(rows) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def trained():
    return [f"{{'loss': {3 / at:.4f}, 'grad_norm': 0.2, 'epoch': {at / 10}}}" for at in range(1, 21)]


SUMMED = (
    "{'train_runtime': 640.25, 'train_samples_per_second': 12.5, 'train_steps_per_second': 0.78, "
    "'train_loss': 0.5391, 'epoch': 2.0}"
)


def test_the_mean_of_the_run_is_no_newest_loss():
    assert read([*trained(), SUMMED]).loss == 0.15


def test_the_mean_of_the_run_is_told_where_no_step_told_a_loss():
    bars = [f"{5 * at:3d}%|██  | {25 * at}/500 [00:{32 * at % 60:02d}<05:00, 1.28s/it]" for at in range(1, 21)]
    assert read([*bars, SUMMED]).loss == 0.5391


def test_the_loss_of_a_second_optimizer_is_not_that_of_the_first():
    rows = []
    for at in range(1, 9):
        rows += [
            f"   --> STEP: {25 * at}/400 -- GLOBAL_STEP: {8000 + 25 * at}",
            f"     | > loss_0: {40 - at}.25  (41.0)",
        ]
        rows += [f"     | > loss_1: 2.{at}1  (2.5)", "     | > step_time: 0.8123  (0.8100)"]
    assert read(rows).loss == 32.25
