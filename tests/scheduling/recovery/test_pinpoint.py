"""Group testing finds exactly the faulty nodes, in few rounds."""

import math

from hypothesis import given
from hypothesis import strategies as st

from schedmate.scheduling.recovery.pinpoint import pinpoint


def levels(count):
    return math.ceil(math.log2(count)) if count > 1 else 0


def names(count):
    return [f"n{number}" for number in range(count)]


@given(st.integers(1, 300), st.data())
def test_it_finds_exactly_the_faulty_ones(count, data):
    nodes = names(count)
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
    assert found.rounds <= levels(count) + 3
    assert found.tests <= 4 + 2 * max(1, len(bad)) * (levels(count) + 1)


@given(st.integers(2, 200), st.data())
def test_a_link_that_fails_is_told_by_both_its_ends(count, data):
    nodes = names(count)
    link = set(data.draw(st.lists(st.sampled_from(nodes), min_size=2, max_size=2, unique=True)))
    found = pinpoint(nodes, lambda groups: [link <= set(group) for group in groups])
    assert found.faulty == ()
    assert [set(pair) for pair in found.links] == [link]
    assert found.rounds <= 3 * levels(count) + 4


def unreachable(bad):
    """Nodes that are well by themselves, and reach nobody."""
    return lambda groups: [len(group) > 1 and bool(bad & set(group)) for group in groups]


@given(st.integers(3, 200), st.data())
def test_a_node_that_fails_only_in_company_is_told_from_a_link(count, data):
    nodes = names(count)
    most = max(1, (count - 1) // 2)
    bad = data.draw(st.sets(st.sampled_from(nodes), min_size=1, max_size=min(4, most)))
    found = pinpoint(nodes, unreachable(bad))
    assert set(found.faulty) <= bad, "nobody is blamed for another's fault"
    assert all(bad & set(link) for link in found.links)
    assert set(found.faulty) | {node for link in found.links for node in link} >= bad
    if len(bad) == 1:
        assert set(found.faulty) == bad
        assert found.rounds <= 3 * levels(count) + 5


def test_of_two_a_spare_tells_which():
    assert pinpoint(["n1", "n2"], unreachable({"n2"})).links == (("n1", "n2"),)
    found = pinpoint(["n1", "n2"], unreachable({"n2"}), ["s1"])
    assert (found.faulty, found.links) == (("n2",), ())
    found = pinpoint(["n1", "n2"], unreachable({"n2", "s1"}), ["s1"])
    assert (found.faulty, found.links) == ((), (("n1", "n2"),)), "a broken witness blames nobody"
    found = pinpoint(["n1", "n2"], unreachable({"n2", "s1"}), ["s1", "s2"])
    assert (found.faulty, found.links) == (("n2",), ())


def test_a_thousand_nodes_with_three_faults_take_twelve_rounds():
    bad = {"n17", "n400", "n999"}
    found = pinpoint(names(1000), lambda groups: [bool(bad & set(group)) for group in groups])
    assert (set(found.faulty), found.rounds) == (bad, 12)
    assert found.tests <= 58


def test_nothing_to_test():
    assert pinpoint([], lambda groups: [True]).tests == 0
