"""Each kind of consequence leads from its first statement to its end, and to nothing near it."""

import pytest
import re2

from schedmate.knowledge.catalogue import load_catalogue
from schedmate.knowledge.consequences import OF_FIRST, consequences

KINDS = [pytest.param(kind, id=kind.name) for kind in consequences()]
IDS = {one.id for one in load_catalogue()}


def fits(patterns, text):
    """Tell whether one of the patterns is in a line."""
    return any(re2.search(pattern, text) for pattern in patterns)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_a_first_statement_and_an_end(kind):
    first, end = kind.sample
    assert fits(kind.said, first)
    assert fits(kind.met, end)
    assert any(literal in first.encode() for literal in kind.literals)


@pytest.mark.parametrize("kind", KINDS)
def test_what_puts_it_right_is_no_first_statement_and_no_end(kind):
    assert bool(kind.put_right) == bool(kind.mended)
    for line in kind.put_right:
        assert fits(kind.mended, line)
        assert not fits(kind.said, line)
        assert any(literal in line.encode() for literal in kind.literals)
    assert not fits(kind.mended, kind.sample[0])
    assert not fits(kind.mended, kind.sample[1])


@pytest.mark.parametrize("kind", KINDS)
def test_its_class_is_an_entrys(kind):
    assert kind.entry in IDS | {"", OF_FIRST}


def test_each_has_its_own_name():
    assert len({kind.name for kind in consequences()}) == len(KINDS)
