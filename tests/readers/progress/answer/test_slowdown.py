"""The pace before and after a moment: counting pairs says the same as forming them all."""

from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.progress.answer.slowdown import Speed, compare, is_clear

TIMES = st.lists(st.sampled_from([0.5, 0.9, 1.0, 1.0, 1.1, 1.3, 2.0]) | st.floats(0.2, 5.0), min_size=4, max_size=40)


@given(TIMES, TIMES)
def test_an_interval_that_leaves_one_out_is_known_by_counting(before, after):
    found = compare(0.0, before, after)
    assert is_clear(before, after) == (found.is_slower or found.high < 1)


def test_an_even_pace_has_no_change_and_a_slower_one_is_dated():
    speed = Speed()
    for moment in range(96):
        speed.add(float(moment), 1.0 + 0.1 * (moment * 7 % 5))
    assert speed.change() is None
    for moment in range(96, 144):
        speed.add(float(moment), 2.0 + 0.1 * (moment * 7 % 5))
    found = speed.change()
    assert found.is_slower
    assert abs(found.moment_s - 96.0) <= 4
