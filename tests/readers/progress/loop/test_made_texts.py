"""A bar over prompts is no training; one of training stays one, whatever is made in between."""

from schedmate import Tracker

MADE = "Setting `pad_token_id` to `eos_token_id`:7 for open-end generation."


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def bar(at, told=""):
    return f" {at}%|{'█' * (at // 10):10}| {at}/100 [00:{at // 2:02}<00:{50 - at // 2:02},  2.00it/s{told}]"


def test_a_bar_over_prompts_is_no_training():
    assert read("\n".join(f"{bar(at)}{MADE}" for at in range(2, 80, 2)) + "\n").step_time_s is None


def test_a_bar_that_learns_stays_training_where_texts_are_made_too():
    rows = [f"{bar(at, f', loss=2.{99 - at}')}" + (MADE if at % 20 == 0 else "") for at in range(2, 80, 2)]
    assert read("\n".join(rows) + "\n").step_time_s == 0.5


def test_a_note_that_stands_there_once_denies_no_loop():
    rows = [bar(at) for at in range(2, 80, 2)]
    assert read("\n".join(["training the policy", MADE, *rows]) + "\n").step_time_s == 0.5
