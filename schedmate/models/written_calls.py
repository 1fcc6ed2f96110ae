"""Calls of tools that a model wrote into its text: as ReAct's `Action:` lines, as JSON, as Python would."""

import json
from collections.abc import Collection, Iterator
from typing import Any

import re2

from schedmate.models.backend import WrittenCall
from schedmate.models.replies import as_object, json_values

ACTION = re2.compile(r"(?mi)^[ *#]*action[ *]*:[ *`]*([a-z_][a-z0-9_]*)[`* ]*(.*)$")
INPUT = re2.compile(r"(?mi)^[ *#]*(?:action[ _]?input|arguments?|input)[ *]*:[ *`]*(.*)$")
PYTHON = re2.compile(r"(?m)(?:^|[\s`])([a-z_][a-z0-9_]*)\(([^()\n]{0,400})\)")
NAMED = re2.compile(r"""([a-z_][a-z0-9_]*)\s*=\s*("[^"]*"|'[^']*'|[^,\s]+)""")
NAMES, VALUES = ("name", "tool", "action", "function"), ("arguments", "args", "action_input", "input", "parameters")
FIRST = {"file_tree": "path", "file_read": "path", "search": "pattern"}


def calls_written(text: str, tools: Collection[str]) -> tuple[WrittenCall, ...]:
    """Read the first call of one of the tools that a text holds; nothing where none can be made out."""
    for kind in (by_json, by_action, by_python):
        for name, arguments in kind(text):
            if name in tools:
                return (WrittenCall("written-0", name, json.dumps(arguments)),)
    return ()


def by_json(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read `{"tool": "file_read", "arguments": {...}}`, in a fence or not, by any of the usual names."""
    for value in json_values(text):
        call = as_object(value)
        name = next((call[key] for key in NAMES if isinstance(call.get(key), str)), "")
        inside = next((call[key] for key in VALUES if isinstance(call.get(key), dict)), None)
        yield name, inside if inside is not None else {key: call[key] for key in call if key not in NAMES}


def by_action(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read `Action: file_read` with its input on the same line or on one of the next."""
    for action in ACTION.finditer(text):
        rest = text[action.end() :]
        found = INPUT.search(rest[:400])
        told = (action.group(2) or (found.group(1) if found else "")).strip().strip("`()").strip()
        after = rest[found.start() :] if found else told
        objects = [as_object(value) for value in json_values(told or after)]
        yield action.group(1), objects[0] if objects else plain(action.group(1), told)


def by_python(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read `file_read(path="train.py")`, or with the bare path."""
    for call in PYTHON.finditer(text):
        yield call.group(1), plain(call.group(1), call.group(2).strip())


def plain(name: str, told: str) -> dict[str, Any]:
    """Read arguments that are no JSON: named ones, else one that can only be the first."""
    named = {key: value.strip("\"'") for key, value in NAMED.findall(told)}
    if named:
        return named
    bare = told.strip().strip("\"'`")
    return {FIRST[name]: bare} if bare and name in FIRST else {}
