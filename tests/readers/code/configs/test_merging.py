"""Nested configurations by dotted keys."""

import pytest

from schedmate.readers.code.configs.merging import find_path, merge_into, put_path, wrap_guess
from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.value import Config, SourceLocation, Value

HERE = (SourceLocation("command", 1),)


def config(text):
    return read_yaml(text, "c.yaml")


@pytest.mark.parametrize(
    ("base", "added", "merged"),
    [
        ("a: 1", "b: 2", {"a": 1, "b": 2}),
        ("a: {x: 1, y: 2}", "a: {y: 3}", {"a": {"x": 1, "y": 3}}),
        ("a: {x: 1}", "a: 2", {"a": 2}),
        ("a: [1, 2]", "a: [3]", {"a": [3]}),
        ("a: {x: 1, y: 2}", "a: {_delete_: true, y: 3}", {"a": {"y": 3}}),
    ],
)
def test_the_later_mapping_wins_key_by_key(base, added, merged):
    target = config(base)
    merge_into(target.data, config(added).data)
    assert plain(target) == merged


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("3e-4", 3e-4),
        ("true", True),
        ("null", None),
        ("'3'", "3"),
        ("adam", "adam"),
        ("[1,2]", [1, 2]),
        ("(1,2)", [1, 2]),
        ("{a: 1}", {"a": 1}),
        ("${a.b}", "${a.b}"),
    ],
)
def test_the_text_of_an_override(text, value):
    found = wrap_guess(text, HERE)
    assert plain(found) == value
    assert found.src == HERE


def test_a_path_is_made_where_there_is_none():
    target = Value(Config())
    put_path(target, "a.b.c", Value(1))
    assert plain(target) == {"a": {"b": {"c": 1}}}


@pytest.mark.parametrize("key", ["a.1.x", "a[1].x"])
def test_a_path_reaches_into_lists(key):
    target = config("a: [{x: 1}, {x: 2}]")
    put_path(target, key, Value(5))
    assert find_path(target, key).data == 5
    assert plain(target) == {"a": [{"x": 1}, {"x": 5}]}


@pytest.mark.parametrize("key", ["a.5.x", "a.x", "b", "a.0.x.y"])
def test_a_path_that_leads_nowhere_gives_nothing(key):
    assert find_path(config("a: [{x: 1}]"), key) is None


def test_what_is_asked_for_takes_nothing_away():
    target = config("a: 1\nb: {c: 2}")
    merge_into(target.data, config("a: ???\nb:\n  c: ???\n  d: ???\n").data)
    assert plain(target) == {"a": 1, "b": {"c": 2, "d": "???"}}
