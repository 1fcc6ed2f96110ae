"""Calls that small models write into their text are read; words that are no call are none."""

import json

import pytest

from schedmate.models.written_calls import calls_written

TOOLS = ("file_tree", "file_read", "search")


@pytest.mark.parametrize(
    "text",
    [
        'Action: file_read\nAction Input: {"path": "a.py"}',
        "**Action:** `file_read`\n**Action Input:** a.py",
        'Action: file_read {"path": "a.py"}',
        'Thought: the script.\nAction: file_read("a.py")',
        '```json\n{"tool": "file_read", "arguments": {"path": "a.py"}}\n```',
        '{"name": "file_read", "parameters": {"path": "a.py"}}',
        '{"action": "file_read", "action_input": {"path": "a.py"}}',
        '{"tool": "file_read", "path": "a.py"}',
        'I will look: file_read(path="a.py")',
        "file_read('a.py')",
    ],
)
def test_a_call_is_read_in_any_usual_form(text):
    (call,) = calls_written(text, TOOLS)
    assert (call.name, json.loads(call.arguments)) == ("file_read", {"path": "a.py"})


def test_a_search_without_names_has_a_pattern():
    (call,) = calls_written("Action: search\nAction Input: batch_size", TOOLS)
    assert json.loads(call.arguments) == {"pattern": "batch_size"}


@pytest.mark.parametrize(
    "text", ["DONE", "", "I read the file.", "print(x)", '{"tool": "rm", "arguments": {}}', "Action: think", "{" * 999]
)
def test_words_are_no_call(text):
    assert calls_written(text, TOOLS) == ()
