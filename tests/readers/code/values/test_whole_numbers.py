"""Whole numbers of shells and requests: what none of them counts by is no number, and never an error."""

import pytest

from schedmate.readers.code.values.whole_numbers import whole, whole_count


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("-7", -7), ("007", 7), ("999999999", 999_999_999)])
def test_plain_numbers_are_read(text, number):
    assert whole(text) == number
    assert whole_count(text) == (number if number >= 0 else None)


@pytest.mark.parametrize("text", ["", "-", "--5", "²", "-³", "٣", "+4", " 4", "4\n", "1_0", "1.0", "0x1f", "9" * 5000])
def test_what_no_shell_counts_by_is_no_number(text):
    assert (whole(text), whole_count(text)) == (None, None)


def test_more_digits_are_read_where_they_are_asked_for():
    assert (whole("1234567890"), whole("1234567890", 10)) == (None, 1_234_567_890)
