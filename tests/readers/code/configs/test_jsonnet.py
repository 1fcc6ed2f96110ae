"""Jsonnet alone: variables, functions, references and objects over objects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.configs.jsonnet import read_jsonnet
from schedmate.readers.code.configs.jsonnet_values import MOST_TOKENS
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.value import Unknown, Value, is_unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, b: "two", c: [1, true, null],}', {"a": 1, "b": "two", "c": [1, True, None]}),
        ("local n = 3; {a: n * 2}", {"a": 6}),
        ("local f(x, y=2) = x + y; {a: f(1), b: f(1, 5), c: f(1, y=7)}", {"a": 3, "b": 6, "c": 8}),
        ("{a: 1} + {b: 2}", {"a": 1, "b": 2}),
        ("{a: {x: 1}} + {a+: {y: 2}}", {"a": {"x": 1, "y": 2}}),
        ("{a: if 2 > 1 then 'yes' else 'no'}", {"a": "yes"}),
        ("{a: {x: [1]}} + {a+: {x+: [2], y: 3}}", {"a": {"x": [1, 2], "y": 3}}),
        ("{local n = 4, a: n}", {"a": 4}),
        ("{a: 'x' + 1}", {"a": "x1"}),
        ("// head\n{a: /* one */ 1} # end", {"a": 1}),
        ("{hidden:: 1, a: 2}", {"a": 2}),
        ("{a: {x: 1} + if 1 > 2 then {y: 2} else {z: 3}, b: 1 + local n = 2; n}", {"a": {"x": 1, "z": 3}, "b": 3}),
    ],
)
def test_what_a_text_says(text, expected):
    found = plain(read_jsonnet(text, "c.jsonnet"))
    assert {key: found[key] for key in expected} == expected


def test_each_value_knows_its_line():
    value = read_jsonnet("local lr = 0.1;\n{\n  optim: {\n    lr: lr,\n    n: 3 } }", "c.jsonnet")
    assert value.data["optim"].data["n"].src[0].line == 5


@pytest.mark.parametrize(
    "name", ["std.extVar('N')", "missing", "f(1)", "import 'x.libsonnet'", "self.b", "[n for n in [1]]"]
)
def test_what_is_not_known_stays_unknown(name):
    value = read_jsonnet(f"{{a: {name}, b: 2}}", "c.jsonnet")
    assert value is None or is_unknown(value.data["a"])


def test_variables_of_outside_are_those_that_are_handed_in():
    text = "{n: std.parseInt(std.extVar('N')), word: std.extVar('N'), odd: std.parseInt('x'), open: std.extVar('M')}"
    found = read_jsonnet(text, "c.jsonnet", {"N": Value("12")}).data
    assert (found["n"].data, found["word"].data) == (12, "12")
    assert is_unknown(found["odd"])
    assert is_unknown(found["open"])


@given(st.text(alphabet="{}[]():;,.+ab1'\" ifthenelselocal=\n", max_size=60))
def test_no_text_is_too_odd(text):
    assert isinstance(read_jsonnet(text, "c.jsonnet"), Value | None)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000])
def test_a_number_of_too_many_digits_is_not_read(number):
    assert read_jsonnet(f"{{a: {number}}}", "c.jsonnet") is None


def without_places(value):
    """Give the values without their places; what is not known as None of its own kind."""
    data = value.data
    if isinstance(data, Unknown):
        return ...
    if isinstance(data, dict):
        return {key: without_places(item) for key, item in data.items()}
    return [without_places(item) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a: 1, 'b': -2.5, \"c\": [true, null, 'x',],}", {"a": 1, "b": -2.5, "c": [True, None, "x"]}),
        ("local x = 2, y = x + 1; {a: x * y, b: 'n' + y, c: y == 3 && !false}", {"a": 6, "b": "n3", "c": True}),
        ("/* a\n b */ {local z = 4, [if true then 'k']: z, hidden:: 1}", {"k": 4, "hidden": 1}),
        ("local base = {o: {lr: 1, wd: 2}}; base {o+: {lr: 3}, n: base.o.wd}", {"o": {"lr": 3, "wd": 2}, "n": 2}),
        ("local f(a, b=1) = {v: a}; {r: f(5), s: f(a=6).v, t: [1, 2][1]}", {"r": {"v": 5}, "s": 6, "t": 2}),
        ("{a: std.length([1]), b: $.a, c: 1 / 0, d: if std.x then 1 else 2}", {"a": ..., "b": ..., "c": ..., "d": ...}),
        ("{a: [x for x in [1, 2]], b: 1, c: {[k]: 1 for k in ['a']}}", {"a": ..., "b": 1, "c": ...}),
    ],
)
def test_what_is_read(text, expected):
    value = read_jsonnet(text, "a.jsonnet")
    assert value is not None
    assert without_places(value) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "{a: }", "local x = 1", "{a: 1} /* open", "'open", "1", "{a: `}", "[" * 500, "local f() = f(); f()"),
        *("[" + "1," * MOST_TOKENS + "]", "local f(x) = f(x) + f(x); {a: f(1)}"),
    ],
)
def test_what_is_broken_or_too_much_ends(text):
    value = read_jsonnet(text, "a.jsonnet")
    assert value is None or isinstance(value.data, dict)


@given(st.text(alphabet="{}[]()'\":;,.+-*/ \nlocal xif1=$!", max_size=60))
def test_no_text_breaks_the_reader(text):
    value = read_jsonnet(text, "a.jsonnet")
    assert value is None or isinstance(value.data, (dict, list))
