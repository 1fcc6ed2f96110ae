"""A stack that a structured logger put into one line is read as one that was printed."""

import json

import pytest

from schedmate import diagnose
from schedmate.readers.failures.lines.folded_stacks import MOST_PARTS, unfolded
from schedmate.readers.lines import clean

STACK = (
    "Traceback (most recent call last):\n"
    '  File "/app/fit.py", line 9, in <module>\n    main()\n'
    '  File "/app/fit.py", line 5, in main\n    tag = row["tag"]\n'
    "KeyError: 'tag'"
)
STEPS = [json.dumps({"ts": 1794260000 + step, "msg": "batch", "step": step, "loss": 2.1}) for step in range(60)]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("head", ["", "[pod/kiln-worker-1/trainer] "])
@pytest.mark.parametrize("key", ["exc_info", "exception", "stack_trace", "msg"])
def test_the_exception_is_told_wherever_the_stack_is_kept(tmp_path, head, key):
    row = head + json.dumps({"ts": 1794260100, "lvl": "critical", "msg": "uncaught", key: STACK})
    found = read(tmp_path, *(head + step for step in STEPS), row)
    assert (found.failure_id, found.root_line) == ("python.key_error", 61)


@pytest.mark.parametrize(
    "level", [{"lvl": "warning"}, {"level": "INFO"}, {"severity": "DEBUG"}, {"log": {"level": "warn"}}]
)
def test_what_a_program_warns_of_with_its_stack_it_got_over(tmp_path, level):
    row = json.dumps({**level, "msg": "upload failed, will be tried again", "exc_info": STACK})
    assert read(tmp_path, *STEPS, row).category == "none"


def test_a_message_beside_a_stack_is_read_too(tmp_path):
    words = "CUDA out of memory. Tried to allocate 6.00 GiB (GPU 0; 16.00 GiB total capacity)"
    stack = STACK.replace("KeyError: 'tag'", "RuntimeError: the kiln is cold")
    row = json.dumps({"ts": 1794260100, "lvl": "critical", "msg": words, "exc_info": stack})
    assert read(tmp_path, *STEPS, row).category == "framework"
    assert clean(json.dumps({"msg": "[rank3]: failed", "exc_info": STACK}).encode()).rank == 3


def test_the_stack_is_found_behind_a_field_that_only_names_the_exception(tmp_path):
    row = {"ts": 1794260100, "lvl": "critical", "msg": "uncaught", "exception": "KeyError", "traceback": STACK}
    assert read(tmp_path, *STEPS, json.dumps(row)).failure_id == "python.key_error"


def test_line_ends_that_are_written_out_are_ends(tmp_path):
    row = 'level=error msg="' + STACK.replace("\n", "\\n").replace('"', "'") + '"'
    assert read(tmp_path, *STEPS, row).category == "script"


@pytest.mark.parametrize(
    "head",
    [
        "WARNING: fetch failed: ",
        "2031-04-05 10:00:00 INFO pull.py:7 again: ",
        "sample 7 skipped, ",
        'level=warning err="',
    ],
)
def test_a_stack_behind_words_of_what_was_got_over_raised_nothing(tmp_path, head):
    assert read(tmp_path, *STEPS, head + STACK.replace("\n", "\\n")).category == "none"


def test_a_message_beside_no_stack_counts():
    assert clean(json.dumps({"msg": "saved", "exc_info": "None"}).encode()).text == "saved"
    assert (
        clean(json.dumps({"msg": "saved", "exc_info": ["Traceback (most recent call last)"]}).encode()).text == "saved"
    )


def test_a_line_without_a_whole_stack_is_left_as_it_is():
    line = clean(b"Traceback (most recent call last):")
    assert list(unfolded(line)) == [line]


def test_of_an_endless_one_both_ends_are_read():
    text = "Traceback (most recent call last):" + "\\n  x" * 100_000 + "\\nKeyError: 'a'"
    parts = list(unfolded(clean(text.encode())))
    assert len(parts) <= MOST_PARTS
    assert parts[0].text.startswith("Traceback")
