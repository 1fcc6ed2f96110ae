"""Threads that parse at the same time each get their tree."""

import ast
from concurrent.futures import ThreadPoolExecutor

import pytest

from schedmate.tools.syntax_tree import literal_value, parse_expression, parse_module

NESTED = "x = " + "[" * 40 + "1" + "]" * 40 + "\n"


def test_many_threads_parse_at_once():
    text = NESTED * 200
    with ThreadPoolExecutor(8) as pool:
        trees = list(pool.map(parse_module, [text] * 24))
    assert all(len(tree.body) == 200 for tree in trees)


def test_expressions_and_literals():
    assert isinstance(parse_expression("a + 1"), ast.BinOp)
    assert literal_value("{'a': [1, 2.5, None]}") == {"a": [1, 2.5, None]}
    with pytest.raises(SyntaxError):
        parse_expression("a +")
    with pytest.raises(ValueError, match="malformed"):
        literal_value("open('x')")


@pytest.mark.filterwarnings("error")
def test_warnings_of_others_code_are_not_ours():
    assert parse_module("x = '\\d'\n")


def test_halves_of_characters_in_a_literal_do_not_come_out_of_it():
    """Python may write what no file can hold: whoever matches or keeps such a text would fail."""
    assert parse_module(r"a = f'\ud800{x}'; b = '\ud83d\ude00'").body[1].value.value == "😀"
    assert literal_value(r"['\U0000dfff', r'\ud800']") == ["?", r"\ud800"]
    assert parse_expression(r"'x\udc00'").value == "x?"
