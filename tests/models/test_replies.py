"""A model's words are taken apart safely, whatever they are."""

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from schedmate.models.replies import Unusable, calls_in_text, json_values, read_answer, without_thoughts


class Point(BaseModel):
    x: int
    y: int


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("plain", "plain"),
        ("<think>a</think> b", "b"),
        ("<think>a</think><think>b</think>c", "c"),
        ("a</think>b", "b"),
        ("a <think>never closed", "a"),
        ("<think>only", ""),
    ],
)
def test_thoughts_are_dropped(said, left):
    assert without_thoughts(said) == left


def test_the_first_object_that_fits_is_taken():
    text = 'such as {"x": 1}, or {"a": {}}, no: {"x": 2, "y": 3} and {"x": 4, "y": 5}'
    assert read_answer(text, Point) == Point(x=2, y=3)


def test_problems_are_counted_but_not_all_told():
    class Many(BaseModel):
        a: int
        b: int
        c: int
        d: int
        e: int
        f: int
        g: int

    with pytest.raises(Unusable, match="and 2 more"):
        read_answer("{}", Many)


def test_the_problem_does_not_repeat_the_input():
    with pytest.raises(Unusable) as caught:
        read_answer('{"x": "SECRET", "y": 1}', Point)
    assert "SECRET" not in str(caught.value)


@given(st.text() | st.text(alphabet='{}[]"\\:,<>/think1 '))
def test_no_words_crash_the_reader(text):
    calls_in_text(text)
    with contextlib.suppress(Unusable):
        assert isinstance(read_answer(text, Point), Point)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.none())))
def test_an_object_is_found_in_prose(value):
    assert json.loads(next(json_values(f"well: {json.dumps(value)} so"))) == value


@pytest.mark.parametrize("text", ["{" * 10**6, '{"a":' * 10**5, "<tool_call>{<" * 10**5, "<tool_call> " * 10**5])
def test_hostile_words_take_linear_time(text):
    started_s = time.process_time()
    list(json_values(text))
    calls_in_text(text)
    assert time.process_time() - started_s < 20
