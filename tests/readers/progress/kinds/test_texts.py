"""Texts that a log shows, such as questions and what a model answers, tell of no training."""

from schedmate import Tracker

QUESTION = (
    '{{"question": "A desk costs 1/{n} of what a bed costs. If a bed costs ${p}, and it takes {n} hours to carry each '
    'of them up, how long will it take to carry {n} beds?", "answer": "{p}"}}'
)


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_questions_are_no_progress():
    found = read(QUESTION.format(n=n, p=40 + n) for n in range(2, 30))
    assert (found.step_time_s, found.step, found.loss) == (None, None, None)


def test_what_a_model_answers_takes_none_of_its_own_time():
    rows = []
    for n in range(1, 25):
        if n % 5 == 0:
            rows += [f"**Final answer: It will take {n} hours.**", f"Production = {n}2.5 parts/hour * {n} hours"]
        rows += ["Some words of reasoning about the question.", "[timing] sampled"] * 6
        rows += [f"[step {10 * n}] avg_loss={3 / n:.4f} acc=0.5{n}"]
    found = read(rows)
    assert found.step == 240
    assert found.step_time_s is None
    assert found.throughput is None


def test_steps_of_an_answer_are_none_of_the_training():
    rows = []
    for n in range(1, 25):
        rows += [f"**Step {k}: Find the {k}th price**" for k in (1, 2, 3)] * 3
        rows += [f"   * Total cost = ${n} * 3", f"[step {10 * n}] avg_loss={3 / n:.4f} acc=0.5{n}"]
    found = read([*rows, "**Step 1: Find the first price**", "   * Total cost = $15 * 3"])
    assert found.step == 240
    assert found.loss == 0.125


def test_a_step_may_show_what_was_made_up_in_it():
    told = "a walker on a hill saw two birds and one of them sang while others slept in the old tree near a pond"
    found = read(f"step {50 * n} loss {6 / n:.4f} 0.31 s/step sample: {told}" for n in range(1, 20))
    assert (found.step, found.step_time_s) == (950, 0.31)


def test_samples_by_the_hour_are_a_throughput_and_what_a_text_tells_is_none():
    found = read(f"step {50 * n} loss {6 / n:.4f} 90000 samples/hour" for n in range(1, 20))
    assert found.throughput == 25
    assert read(f"step {50 * n} loss {6 / n:.4f} 90000 parts/hour" for n in range(1, 20)).throughput is None
