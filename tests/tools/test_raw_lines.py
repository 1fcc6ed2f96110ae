"""A piece of a log is split alike from both ends, whatever blank lines flood it."""

import random

import pytest

from schedmate.tools.raw_lines import RawLine, between_blanks, split_backward, split_lines

PIECES = [b"\n", b"\n" * 31, b"\n" * 32, b"\n" * 90, b"plum", b"  ", b"\r", b"a\rb", b"\r\n", b"\n\r\n", b"\xff"]


def one_by_one(data, number, start):
    """Split as slowly as it is said: each line by itself."""
    at = 0
    for feed, row in enumerate(data.split(b"\n")):
        for part in row.split(b"\r"):
            if part.strip():
                yield RawLine(number + feed, start + at, part)
            at += len(part) + 1


@pytest.mark.parametrize("seed", range(20))
def test_floods_of_blank_lines_change_no_line(seed):
    rng = random.Random(seed)
    for _ in range(60):
        data = b"".join(rng.choices(PIECES, k=rng.randrange(14)))
        told = list(one_by_one(data, 7, 100))
        assert list(split_lines(data, 7, 100)) == told
        assert list(split_backward(data, 7, 100)) == told[::-1]


def test_a_flood_is_skipped_and_not_walked_through():
    flood = b"first\n" + b"\n" * 1_000_000 + b"last"
    assert between_blanks(flood) == [(0, 5, 0), (1_000_006, 1_000_010, 1_000_001)]
    assert [line[:2] for line in split_backward(flood, 1, 0)] == [(1_000_002, 1_000_006), (1, 0)]
