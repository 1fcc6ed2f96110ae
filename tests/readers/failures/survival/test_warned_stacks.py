"""A stack that a logger printed as part of a warning was caught: three ordinary lines of the process clear it."""

import pytest

from schedmate import diagnose

STACK = [
    "Traceback (most recent call last):",
    '  File "/srv/env/lib/python3.11/site-packages/server/extensions.py", line 20, in load',
    "    module = importlib.import_module(name)",
    "ModuleNotFoundError: No module named 'pretty_tables'",
]
INDENTED = [f"    {line}" for line in STACK]
FORMS = {
    "stamped": ("2026-01-03 10:00:0{} WARNING server: {}", "2026-01-03 10:0{}:00 INFO server: request {} answered"),
    "dashed": ("2026-01-03 10:00:0{} - server - WARNING - {}", "2026-01-03 10:0{}:00 - server - INFO - request {}"),
    "plain": ("WARNING:server:at {} {}", "INFO:server:at {} request {} answered"),
    "tornado": ("[W 10:00:0{}.055 ServerApp] {}", "[I 10:0{}:00.055 ServerApp] Saving file at /run{}.ipynb"),
    "absl": ("W0103 10:00:0{}.000000 4321 server.py:33] {}", "I0103 10:0{}:00.000000 4321 server.py:55] request {}"),
}


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def parts(form, said="extension pretty_tables could not be loaded"):
    warning, ordinary = FORMS[form]
    return warning.format(1, said), [ordinary.format(number, number) for number in range(1, 7)]


@pytest.mark.parametrize("stack", [STACK, INDENTED])
@pytest.mark.parametrize("form", FORMS)
def test_who_warned_and_went_on_got_over_it(tmp_path, form, stack):
    warning, ordinary = parts(form)
    assert read(tmp_path, [warning, *stack, *ordinary]).category == "none"


@pytest.mark.parametrize("form", FORMS)
def test_who_said_nothing_more_did_not(tmp_path, form):
    warning, ordinary = parts(form)
    assert read(tmp_path, [*ordinary, warning, *STACK]).failure_id == "python.module_not_found"
    ended = "srun: error: gpu01: task 0: Exited with exit code 1"
    assert read(tmp_path, [*ordinary, warning, *STACK, ended]).failure_id == "python.module_not_found"


@pytest.mark.parametrize("form", FORMS)
def test_a_warning_of_something_else_above_a_crash_is_not_its_own(tmp_path, form):
    warning, ordinary = parts(form, "the default port is used")
    assert read(tmp_path, [warning, *STACK, *ordinary]).failure_id == "python.module_not_found"


@pytest.mark.parametrize("form", FORMS)
def test_what_came_out_at_the_top_was_caught_by_nobody(tmp_path, form):
    warning, ordinary = parts(form)
    stack = [STACK[0], '  File "/srv/train.py", line 3, in <module>', *STACK[2:]]
    assert read(tmp_path, [warning, *stack, *ordinary]).failure_id == "python.module_not_found"
