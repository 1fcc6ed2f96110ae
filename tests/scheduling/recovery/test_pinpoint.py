"""Group testing finds exactly the faulty nodes, in few rounds."""

import math

from hypothesis import given
from hypothesis import strategies as st

from schedmate.scheduling.recovery.pinpoint import pinpoint


@given(st.integers(1, 300), st.data())
def test_it_finds_exactly_the_faulty_ones(count, data):
    nodes = [f"n{number}" for number in range(count)]
    bad = data.draw(st.sets(st.sampled_from(nodes), max_size=5))
    groups_seen = []

    def fails(groups):
        members = [node for group in groups for node in group]
        assert len(members) == len(set(members)), "a round may be tested all at once"
        groups_seen.extend(groups)
        return [bool(bad & set(group)) for group in groups]

    found = pinpoint(nodes, fails)
    assert set(found.faulty) == bad
    assert found.links == ()
    assert found.tests == len(groups_seen)
    levels = math.ceil(math.log2(count)) if count > 1 else 0
    assert found.rounds <= levels + 1
    assert found.tests <= 1 + 2 * max(1, len(bad)) * levels


@given(st.integers(2, 200), st.data())
def test_a_link_that_fails_is_told_by_both_its_ends(count, data):
    nodes = [f"n{number}" for number in range(count)]
    link = set(data.draw(st.lists(st.sampled_from(nodes), min_size=2, max_size=2, unique=True)))
    found = pinpoint(nodes, lambda groups: [link <= set(group) for group in groups])
    assert found.faulty == ()
    assert [set(pair) for pair in found.links] == [link]
    assert found.rounds <= 3 * math.ceil(math.log2(count)) + 2


def test_a_thousand_nodes_with_three_faults_take_eleven_rounds():
    bad = {"n17", "n400", "n999"}
    found = pinpoint([f"n{i}" for i in range(1000)], lambda groups: [bool(bad & set(group)) for group in groups])
    assert (set(found.faulty), found.rounds) == (bad, 11)
    assert found.tests <= 55


def test_nothing_to_test():
    assert pinpoint([], lambda groups: [True]).tests == 0
