"""What a script caught and printed at its top is no end of it; what ended it is, however the log words it before."""

import pytest

from schedmate import diagnose

STACK = [
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 40, in <module>',
    "    step(batch)",
    '  File "/home/user/train.py", line 12, in step',
    "    loss = model(batch)",
    "ValueError: cannot reshape array of size 12 into shape (5,)",
]
FORMS = {
    "bars": "Epoch 1: {0}%|###    | {0}/100 [00:{0}<01:00,  1.9it/s, loss=2.{0}]",
    "logger": "INFO:__main__:step {0} loss 2.{0}",
    "stamped logger": "[INFO] train.py:88 step {0} loss 2.{0}",
    "print": "step {0} loss 2.{0}",
}
AT_ONCE = [name for name in FORMS if name != "print"]


def steps(form, first, last):
    return [FORMS[form].format(step) for step in range(first, last)]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("form", AT_ONCE)
def test_steps_that_no_buffer_holds_show_that_the_script_went_on(tmp_path, form):
    assert read(tmp_path, [*steps(form, 10, 40), *STACK, *steps(form, 40, 60)]).category == "none"


def test_steps_that_a_buffer_may_have_held_do_not(tmp_path):
    assert read(tmp_path, [*steps("print", 10, 40), *STACK, *steps("print", 40, 60)]).failure_id == "python.value_error"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "said", ["ERROR:__main__:batch 40 failed, skipping it", "2026-01-03 10:00:00 ERROR skipped 40"]
)
def test_what_a_logger_prints_above_a_stack_says_what_became_of_it(tmp_path, form, said):
    assert read(tmp_path, [*steps(form, 10, 40), said, *STACK, *steps(form, 40, 60)]).category == "none"
    assert read(tmp_path, [*steps(form, 10, 40), said, *STACK]).failure_id == "python.value_error"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("said", ["WARNING:root:upload failed, retrying", "ERROR:root:batch 40 failed"])
def test_what_ended_a_script_did_whatever_was_said_before_it(tmp_path, form, said):
    assert read(tmp_path, [*steps(form, 10, 40), said, *STACK]).failure_id == "python.value_error"


@pytest.mark.parametrize("form", AT_ONCE)
def test_where_others_met_its_end_it_ended(tmp_path, form):
    lost = "[rank1]: RuntimeError: [../gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.7]:21211"
    assert read(tmp_path, [*steps(form, 10, 40), *STACK, *steps(form, 40, 44), lost]).failure_id == "python.value_error"


DONE = "INFO:root:processed file {0}.json, {0} records"
OVER = "slurmstepd: error: *** JOB 4711 ON gpu17 CANCELLED AT 2026-03-01T12:00:00 DUE TO TIME LIMIT ***"


def test_a_logger_that_goes_on_shows_it_in_a_program_that_does_not_train(tmp_path):
    before, after = ([DONE.format(number) for number in range(*ends)] for ends in ((0, 20), (20, 60)))
    assert read(tmp_path, [*before, *STACK, *after]).category == "none"
    printed = [line.removeprefix("INFO:root:") for line in (*before, *after)]
    assert read(tmp_path, [*printed[:20], *STACK, *printed[20:]]).failure_id == "python.value_error"


@pytest.mark.parametrize(("last", "category"), [(80, "other"), (43, "script")])
def test_what_a_script_got_over_for_long_is_not_why_somebody_ended_it_later(tmp_path, last, category):
    lines = [*steps("logger", 10, 40), "ERROR:train:checkpoint failed", *STACK, *steps("logger", 40, last), OVER]
    assert read(tmp_path, lines).category == category


def test_what_python_passes_over_behind_an_interrupt_is_another_exception(tmp_path):
    interrupted = [*STACK[:-1], "KeyboardInterrupt"]
    torn = ["Exception ignored in: <function Loader.__del__ at 0x7fa1>", STACK[0], "AssertionError: not a child"]
    found = read(tmp_path, [*steps("bars", 10, 40), *interrupted, *torn])
    assert (found.category, found.failure_id) == ("other", "python.keyboard_interrupt")
