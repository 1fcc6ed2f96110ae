"""Jobs of several nodes stay in one island, then in one rack, if they can; who cannot is slower."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import Placement
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.topology import lay_out, read_crossing, slowdown
from schedmate.errors import InputError
from schedmate.scheduling.placement.inventory import Inventory


def nodes_of(placement):
    return [int(name.split("-")[1]) for name, _ in placement.parts]


def test_the_smallest_island_that_does_is_taken_then_a_rack():
    inventory = Inventory(lay_out(parse_nodes("8x4"), "2/4"))
    inventory.place(4)  # node 1: island of 1 and 2 has one node left
    assert nodes_of(inventory.place(8)) == [3, 4], "one island, not the one that is half full"
    assert nodes_of(inventory.place(12)) == [5, 6, 7], "one rack"
    assert nodes_of(inventory.place(8)) == [2, 8], "nothing else is left"


def test_a_remainder_stays_near():
    inventory = Inventory(lay_out(parse_nodes("6x4"), "3/"))
    inventory.place(2)
    # Two nodes are free in the island of the first, and half of that one; six GPUs want one and a half.
    assert nodes_of(inventory.place(6)) == [2, 3]
    assert nodes_of(inventory.place(6)) == [4, 5]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 24), st.booleans()), max_size=30))
def test_places_are_as_many_as_without_racks_and_the_books_are_whole(asked):
    near, plain = Inventory(lay_out(parse_nodes("8x4"), "2/4")), Inventory(parse_nodes("8x4"))
    held = []
    for gpus, gives_back in asked:
        if gives_back and held:
            near.give(held.pop(0))
            continue
        room = plain_room(near)
        placement = near.place(gpus)
        assert (placement is None) == (not could(room, gpus))
        if placement is not None:
            assert placement.gpus == gpus
            held.append(placement)
    assert near.free_gpus == plain.total_gpus - sum(one.gpus for one in held)


def plain_room(inventory):
    return [mask.bit_count() for pool in inventory.pools for mask in pool.free]


def could(room, gpus):
    whole, rest = divmod(gpus, 4)
    left = sorted(room, reverse=True)
    return left[:whole] == [4] * whole and (not rest or any(free >= rest for free in left[whole:]))


def test_files_of_slurm_are_read(tmp_path):
    (tmp_path / "topology.conf").write_text(
        "SwitchName=r1 Nodes=gpu-[1-4]\nSwitchName=r2 Nodes=gpu-[5-8]\nSwitchName=top Switches=r[1-2]\n"
    )
    (tmp_path / "blocks.conf").write_text("BlockName=b1 Nodes=gpu-[1-2]\nBlockSizes=2,4\n")
    placed = lay_out(parse_nodes("8x4"), f"{tmp_path}/topology.conf,{tmp_path}/blocks.conf")
    assert [(node.island, node.rack) for node in placed[:3]] == [("b1", "r1"), ("b1", "r1"), ("", "r1")]
    speed = slowdown(placed, (0.9, 0.8))
    spread = [Placement("gpu", tuple((f"gpu-{n}", 15) for n in nodes)) for nodes in ((1,), (1, 2), (2, 3), (1, 8))]
    assert [speed(one) for one in spread] == [1.0, 1.0, 0.9, 0.8]


@pytest.mark.parametrize("text", ["/", "3/4", "nothing.conf"])
def test_topologies_that_are_none_are_refused(text):
    with pytest.raises(InputError):
        lay_out(parse_nodes("8x4"), text)


@pytest.mark.parametrize("text", ["0.9", "0.8,0.9", "1.1,1", "0.9,0", "a,b", "nan,nan"])
def test_absurd_speeds_are_refused(text):
    with pytest.raises(InputError):
        read_crossing(text)
