"""Each kind of consequence leads from its first statement to its end, and to nothing near it."""

import pytest
import re2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schedmate.knowledge.catalogue import load_catalogue
from schedmate.knowledge.consequences import OF_FIRST, consequences

ALL = consequences()
KINDS = [pytest.param(kind, id=kind.name) for kind in ALL]
IDS = {one.id for one in load_catalogue()}


def fits(patterns, text):
    """Tell whether one of the patterns is in a line."""
    return any(re2.search(pattern, text) for pattern in patterns)


def holds_literal(kind, text):
    """Tell whether a line is found by one of the literals."""
    return any(literal in text.lower().encode() for literal in kind.literals)


@pytest.mark.parametrize("kind", KINDS)
def test_literals_are_in_small_letters_and_each_is_of_use(kind):
    assert all(literal == literal.lower() for literal in kind.literals)
    assert len(set(kind.literals)) == len(kind.literals)


@pytest.mark.parametrize(
    "pattern",
    [pytest.param((kind, one), id=f"{kind.name}: {one[:40]}") for kind in ALL for one in kind.said + kind.mended],
)
def test_a_literal_stands_in_whatever_a_pattern_fits(pattern):
    kind, one = pattern

    @settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(one, alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
    def is_found(text):
        assert holds_literal(kind, text)

    is_found()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_near_differs(kind):
    assert kind.near_miss
    assert kind.quiet_miss
    assert not {*kind.near_miss, *kind.quiet_miss} & {*kind.sample}


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_a_first_statement_and_an_end(kind):
    first, end = kind.sample
    assert fits(kind.said, first)
    assert fits(kind.met, end)
    assert holds_literal(kind, first)


@pytest.mark.parametrize("kind", KINDS)
def test_what_puts_it_right_is_no_first_statement_and_no_end(kind):
    assert bool(kind.put_right) == bool(kind.mended)
    for line in kind.put_right:
        assert fits(kind.mended, line)
        assert not fits(kind.said, line)
        assert holds_literal(kind, line)
    assert not fits(kind.mended, kind.sample[0])
    assert not fits(kind.mended, kind.sample[1])


@pytest.mark.parametrize("kind", KINDS)
def test_its_class_is_an_entrys(kind):
    assert kind.entry in IDS | {"", OF_FIRST}


def test_each_has_its_own_name():
    assert len({kind.name for kind in consequences()}) == len(KINDS)
