"""Bars and lines of other work train nothing, though nothing in them says so."""

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def bar(name, end, seconds):
    steps = [n * end // 10 for n in range(1, 11)]
    rate = f"{1 / seconds:.2f}it/s"
    lines = [f"{n}/{end} [00:{int(n * seconds) % 60:02d}<00:10, {rate}]" for n in steps]
    return "\r".join(f"{name}{10 * n:3d}%|███       | {line}" for n, line in enumerate(lines, 1))


def test_a_bar_over_what_is_then_asked_is_no_training():
    text = bar("", 800, 0.01) + "\n" + bar("Running requests: ", 800, 2.0) + "\n"
    assert read(text).step_time_s is None
    assert read(bar("", 800, 0.01) + "\n").step_time_s is not None


def test_a_bar_that_goes_slower_than_what_made_its_data_ready_trains():
    text = bar("Processing images: ", 800, 0.01) + "\n" + bar("", 800, 2.0) + "\n"
    assert read(text).step_time_s is not None


def test_a_bar_that_a_warning_ran_into_before_it_moved_is_no_other_work():
    text = "[05:12:40][main] epoch 0, lr=[0.0002]\n  0%|          | 0/800 [00:00<?, ?it/s]\r"
    text += "  0%|          | 0/800 [00:00<?, ?it/s]/opt/vision/resize.py:88: UserWarning: to be changed\n"
    found = read(text + bar("", 800, 0.5) + "\n")
    assert found.step_time_s is not None
    assert (found.step, found.total_steps) == (800, 800)


def test_words_of_training_elsewhere_make_no_bar_of_prompts_train():
    text = bar("", 800, 0.01) + "\n" + bar("Running requests: ", 800, 2.0) + "\nseen before: train loss = 0.24\n"
    assert read(text).step_time_s is None


def test_what_a_scheduler_says_of_its_jobs_counts_nothing():
    assert read("".join(f"Submitted batch job {71000 + 3 * n}\n" for n in range(30))).step is None


def test_a_format_in_a_line_of_code_is_no_value():
    line = 'Step 1/90\n    print(f"Epoch {epoch} | Train Loss: {loss:.4f}")\nTypeError: unsupported format\n'
    assert read(line).loss is None
