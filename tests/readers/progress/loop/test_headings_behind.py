"""A heading behind the last step is that of the next pass: the step that is told is none of it."""

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_heading_behind_the_last_step_is_that_of_the_next_pass():
    rows = [f"Epoch 6, Step {25 * n}, total used time {7.5 * n} (s), loss 0.{60 - n}" for n in range(1, 9)]
    found = read("\n".join([*rows, "Epoch 6, val loss is 0.25", "Starting epoch 7 current lr is 0.001"]) + "\n")
    assert (found.step, found.epoch) == (200, 6)


def test_a_heading_counts_where_steps_do_not_name_their_pass():
    rows = [f"Step {25 * n}/200, loss 0.{60 - n}, 0.3 s/it" for n in range(1, 9)]
    found = read("\n".join(["Starting epoch 6", *rows, "Starting epoch 7", rows[0]]) + "\n")
    assert (found.step, found.epoch) == (25, 7)


def test_a_record_with_its_loss_is_no_heading():
    told = []
    for n in range(1, 4):
        head = (
            f"[2026-11-29 13:0{n}:51,116] [INFO] [timer.py:260:stop] epoch=0/micro_step={10 * n}/global_step={10 * n}, "
        )
        told.append(head + "RunningAvgSamplesPerSec=111.01, CurrSamplesPerSec=111.13")
        told.append(f"{{'loss': 0.{9 - n}, 'learning_rate': 0.0004, 'epoch': 0.0{n}}}")
    found = read("\n".join(told) + "\n")
    assert (found.step, found.epoch) == (30, 0.03)
