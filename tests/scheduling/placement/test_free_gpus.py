"""A job has room as soon as the nodes that it is said to need are free, and not before."""

from hypothesis import given
from hypothesis import strategies as st

from schedmate.scheduling.placement.free_gpus import Pool


def pool_of(per_node, free):
    """Make a pool whose nodes have so many free GPUs each."""
    pool = Pool("gpu", per_node)
    for place, count in enumerate(free):
        pool.add(f"n{place}")
        pool.claim(f"n{place}", (1 << per_node - count) - 1)
    return pool


@given(st.integers(1, 9), st.integers(1, 60), st.data())
def test_what_a_job_needs_is_what_it_is_placed_on(per_node, gpus, data):
    needs = pool_of(per_node, []).needs(gpus)
    each = [size for size, count in needs for _ in range(count)]
    assert sum(each) == gpus
    taken = pool_of(per_node, data.draw(st.permutations(each))).take(gpus)
    assert [mask.bit_count() for _, mask in taken] == each
    short = list(each)
    short[data.draw(st.integers(0, len(each) - 1))] -= 1
    assert pool_of(per_node, [*short, 0]).take(gpus) is None


def test_twelve_gpus_are_a_node_of_eight_and_half_of_another():
    pool = pool_of(8, [])
    assert [pool.needs(gpus) for gpus in (12, 16, 3, 0.5)] == [((8, 1), (4, 1)), ((8, 2),), ((3, 1),), ((0.5, 1),)]


def test_nodes_with_room_are_named_but_for_those_that_are_left_out():
    pool = pool_of(8, [8, 3, 4, 0, 8])
    assert pool.with_room(4, 9, ()) == ["n0", "n2", "n4"]
    assert pool.with_room(3.5, 9, {"n0"}) == ["n2", "n4"]
    assert pool.with_room(8, 1, ()) == ["n0"]
    assert pool.with_room(8, 0, ()) == []
