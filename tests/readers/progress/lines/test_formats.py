"""Each known format reads its own sample as the file says."""

import pytest

from schedmate.errors import InputError
from schedmate.readers.progress.lines.formats import check_samples, known_formats, match_formats, parse_format


@pytest.mark.parametrize("one", known_formats(), ids=lambda one: one.source)
def test_samples_read_as_expected(one):
    assert all(pattern.sample and pattern.expect for pattern in one.patterns), "a pattern without a proof"
    assert check_samples(one) == []


@pytest.mark.parametrize(
    "line",
    [
        "pattern = '(?P<step>'",
        r"pattern = '(?P<shell>\d+)'",
        r"pattern = '(a+)+\1'",
        "units = { step_time = 'parsec' }\npattern = '(?P<step_time>x)'",
        f"pattern = '{'a?' * 2000}'",
    ],
)
def test_a_bad_format_says_what_is_wrong(line):
    with pytest.raises(InputError, match="log format mine cannot be used"):
        parse_format(f"framework = 'X'\n[[line]]\n{line}\n", "mine")


@pytest.mark.parametrize(("whole_of", "out_of"), [("", False), ('whole_of = { interval_time = "step" }', True)])
def test_a_reports_time_is_that_of_all_steps_only_where_the_format_says_so(whole_of, out_of):
    text = rf"""
framework = "X"
[[line]]
contains = "run"
pattern = 'run (?P<step>\d+)/(?P<total_steps>\d+) took (?P<interval_time>\d+)'
units = {{ interval_time = "s" }}
{whole_of}
"""
    match = match_formats([parse_format(text, "mine")], "run 30/2000 took 6")
    took = next(field for field in match.fields if field.role == "interval_time")
    assert (took.total_at >= 0) is out_of


@pytest.mark.parametrize(("took", "is_read"), [("2.75", True), ("2.75.1", False), ("0.1.", True)])
def test_a_number_with_two_points_is_no_value(took, is_read):
    text = r"""
framework = "X"
[[line]]
contains = "needs"
pattern = 'at (?P<step>\d+) needs (?P<interval_time>[\d.]+)'
units = { interval_time = "s" }
"""
    match = match_formats([parse_format(text, "mine")], f"at 40 needs {took}")
    assert ("interval_time" in {field.role for field in match.fields}) is is_read
