"""A traceback's line is shown as the user's code only where the repository holds the line that ran."""

import pytest

from schedmate.readers.failures.answer.user_code import add_user_code
from schedmate.readers.failures.lines.tracebacks import TracebackReader
from schedmate.readers.lines import clean
from schedmate.schemas import Diagnosis

PRINTED = """\
Traceback (most recent call last):
  File "/home/jd/run7/train.py", line 2, in fit
    loss = model(batch,  y)
           ^^^^^^^^^^^^^^^^
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1736, in _call_impl
    return forward_call(*args)
ValueError: too many values
"""


def raised_by(text):
    reader = TracebackReader()
    taken = [reader.take(number, 0, clean(raw)) for number, raw in enumerate(text.splitlines(), 1)]
    return next(raised for raised in taken if raised)


def add(tmp_path, source, printed=PRINTED):
    (tmp_path / "train.py").write_text(source)
    return add_user_code(Diagnosis(category="script"), tmp_path, raised_by(printed))


def test_the_line_that_ran_is_quoted(tmp_path):
    (quote,) = add(tmp_path, "import torch\n    loss = model(batch, y)\n").evidence
    assert (quote.path, quote.line, quote.quote) == ("train.py", 2, "loss = model(batch, y)")


@pytest.mark.parametrize("source", ["import torch\nimport os\n", "import torch\n", "import torch\n\nx = 1\n", ""])
def test_another_line_at_that_place_is_never_quoted(tmp_path, source):
    found = add(tmp_path, source)
    assert not found.evidence
    assert "train.py:2" in found.notes[-1]
    assert "not the line that ran" in found.notes[-1]
    assert "loss = model(batch,  y)" in found.notes[-1]


def test_where_the_log_printed_no_source_the_repository_is_believed(tmp_path):
    bare = 'Traceback (most recent call last):\n  File "/x/train.py", line 1, in <module>\nValueError: no\n'
    assert add(tmp_path, "fit()\n", bare).evidence[0].quote == "fit()"


def test_each_rank_keeps_its_own_source_lines():
    lines = [f"[rank{rank}]: {line}" for line in PRINTED.splitlines() for rank in (0, 1)]
    raised = raised_by("\n".join(lines))
    assert [frame.code for frame in raised.frames] == ["loss = model(batch,  y)", "return forward_call(*args)"]


def test_a_repository_without_the_file_is_said(tmp_path):
    found = add_user_code(Diagnosis(category="script"), tmp_path, raised_by(PRINTED))
    assert found.notes == (f"no line of this traceback lies in {tmp_path}",)
