"""GPUs that several jobs have a part of each: none is given twice, none is lost, and makers' rules hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import NodeSpec, Placement
from schedmate.clusters.simulation.gpu_faults import GpuFaults
from schedmate.clusters.simulation.node_faults import Breakage
from schedmate.scheduling.placement.cut_gpus import BY_TIME, UNITS, AsSlices, cut_by
from schedmate.scheduling.placement.inventory import Inventory

SLICES = AsSlices()
NODES = [NodeSpec("n0", 2), NodeSpec("n1", 2)]
POLICIES = ["fifo", "easy", "sjf", "srtf", "qssf", "tiresias", "lucid", "horus", "schedmate"]
parts = st.sampled_from([0.05, 0.142857, 0.25, 0.285714, 1 / 3, 0.46, 0.5, 0.571429, 0.7, 0.999999])
sizes = st.one_of(parts, parts, st.sampled_from([1, 2, 3]))
steps = st.lists(st.one_of(sizes, st.integers(0, 30).map(lambda n: -n - 1), st.just("close")), max_size=40)
job = st.tuples(st.integers(0, 200), st.integers(1, 3000), sizes, st.integers(1, 9))
workloads = st.lists(job, min_size=1, max_size=16).map(lambda jobs: sorted(jobs, key=lambda job: job[0]))
CUTS = pytest.mark.parametrize("cut", [BY_TIME, SLICES], ids=["time", "mig"])


def held_alone(cut, pieces):
    """Take pieces one after the other on one GPU; give those that found room."""
    held, given_pieces = 0, []
    for part in pieces:
        if piece := cut.fit(held, part):
            held += piece
            given_pieces.append(piece)
    return given_pieces


@pytest.mark.parametrize(
    ("pieces", "fit"),
    [
        ([1 / 7] * 8, 7),
        ([round(1 / 7, 6)] * 8, 7),
        ([round(6 / 7, 6), round(1 / 7, 6)], 2),
        ([0.001] * 1001, 1000),
        ([0.5, 0.5, 0.001], 2),
        ([1 / 3] * 4, 3),
        ([0.7, 0.4], 1),
    ],
)
def test_parts_of_time_fit_as_long_as_they_are_a_gpu_together(pieces, fit):
    assert len(held_alone(BY_TIME, pieces)) == fit
    assert sum(held_alone(BY_TIME, pieces)) <= UNITS


@pytest.mark.parametrize(
    ("pieces", "fit"),
    [
        ([1 / 7] * 8, 7),
        ([2 / 7] * 4, 3),
        ([3 / 7] * 3, 2),
        ([4 / 7] * 2, 1),
        ([3 / 7, 4 / 7], 2),  # the maker lets both be, whichever comes first
        ([4 / 7, 3 / 7], 2),
        ([2 / 7, 2 / 7, 2 / 7, 1 / 7, 1 / 7], 4),
        ([0.5, 0.5], 1),  # more than three sevenths: four, and only one of them fits
        ([5 / 7, 1 / 7], 1),  # nothing but the whole GPU has five
        ([1 / 7, 4 / 7], 2),  # the small one leaves the first slices alone
    ],
)
def test_instances_fit_by_their_makers_rules(pieces, fit):
    found = held_alone(SLICES, pieces)
    assert len(found) == fit
    assert all(a & b == 0 for i, a in enumerate(found) for b in found[:i])


def test_the_fullest_gpu_that_has_room_is_taken_first():
    room = Inventory(NODES)
    first = room.place(0.5)
    small = room.place(0.2)
    assert small.parts == first.parts
    other = room.place(0.4)
    assert other.parts != first.parts
    assert room.place(0.3).parts == first.parts
    assert room.place(0.3).parts == other.parts
    assert room.free_gpus == 2
    assert room.busy_gpus == pytest.approx(1.7)
    assert room.place(2) is not None, "the parts are all on one node"


def test_a_gpu_is_whole_again_when_all_have_left():
    room = Inventory(NODES)
    held = [room.place(0.25) for _ in range(4)]
    assert room.free_gpus == 3
    for one in held[:3]:
        room.give(one)
        assert room.free_gpus == 3
    room.give(held[3])
    assert (room.free_gpus, room.busy_gpus) == (4, 0)


def test_nothing_is_given_on_a_node_that_is_closed_and_all_when_it_is_open_again():
    room = Inventory(NODES)
    first = room.place(0.2)
    (node, _) = first.parts[0]
    assert room.place_off({node}, 0.2).parts[0][0] != node
    outer, inner = room.close({node}), room.close({node})
    assert room.free_gpus == 2, "what is closed is free all the same"
    room.reopen(inner)
    assert room.place(0.2).parts[0][0] != node
    room.reopen(outer)
    assert {room.place(0.8).parts, room.place(0.6).parts} >= {first.parts}


def test_what_is_free_on_some_nodes_is_counted_while_they_are_up():
    room = Inventory([NodeSpec("a", 2), NodeSpec("b", 2), NodeSpec("c", 4, "big")])
    assert (room.free_on({"a", "c"}), room.has({"a", "c"})) == (6, True)
    room.place(3, "big")
    assert room.free_on({"a", "c"}) == 3
    room.remove("c")
    assert (room.free_on({"a", "c"}), room.has({"a", "c"}), room.has({"a", "b"})) == (2, False, True)
    before = room.close({"a"})
    assert (room.free_on({"a"}), room.place(2).parts[0][0]) == (2, "b")
    assert room.place(1) is None
    room.reopen(before)
    assert room.place(1) is not None


def test_full_is_who_has_no_room_even_on_a_cut_gpu():
    room = Inventory([NodeSpec("n", 1)])
    assert not room.is_full
    half = room.place(0.5)
    assert not room.is_full
    rest = room.place(0.5)
    assert room.is_full
    room.give(half)
    assert not room.is_full
    room.give(rest)
    assert room.free_gpus == 1


def test_a_node_that_goes_takes_its_parts_with_it():
    room = Inventory(NODES)
    gone = room.place(0.5)
    spec = room.remove(gone.parts[0][0])
    assert (room.total_gpus, room.busy_gpus) == (2, 0)
    room.add(spec)
    room.give(gone)
    assert (room.free_gpus, room.total_gpus) == (4, 4)


@CUTS
@settings(max_examples=100)
@given(steps=steps)
def test_the_book_agrees_with_a_list_of_who_has_what(cut, steps):
    room, held, closed = Inventory(NODES, cut), [], None
    for step in steps:
        if step == "close":
            if closed is None:
                closed = room.close({"n0"})
            else:
                room.reopen(closed)
                closed = None
        elif step < 0:
            if held:
                room.give(held.pop(-step % len(held)))
        elif (place := room.place(step)) is not None:
            assert closed is None or all(node != "n0" for node, _ in place.parts)
            assert place.gpus == max(step, 1)
            held.append(place)
    if closed is not None:
        room.reopen(closed)
    spots = {}
    for place in held:
        for node, mask in place.parts:
            for gpu in range(mask.bit_length()):
                if mask >> gpu & 1:
                    spots.setdefault((node, gpu), []).append(place.piece)
    assert room.free_gpus == 4 - len(spots)
    used = 0.0
    for pieces in spots.values():
        assert pieces == [0] or (all(pieces) and cut.used(sum(pieces)) <= cut.units)
        used += 1 if pieces == [0] else cut.used(sum(pieces)) / cut.units
    assert room.busy_gpus == pytest.approx(used)
    twin = Inventory(NODES, cut)
    for place in held:
        twin.claim(place)
    assert (twin.free_gpus, twin.busy_gpus) == (room.free_gpus, pytest.approx(used))
    for place in held:
        room.give(place)
    assert (room.free_gpus, room.busy_gpus) == (4, 0)
    assert room.place(4) is not None


@CUTS
@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=8)
@given(jobs=workloads)
def test_every_policy_ends_all_jobs_and_gives_nothing_twice(policy, cut, play, jobs):
    _, loop = play(policy, jobs, nodes=2, predicted=[job[3] for job in jobs], cut=cut)
    (part,) = loop.parts.values()
    assert part.view.inventory.free_gpus == 8


@CUTS
@pytest.mark.parametrize("policy", ["fifo", "easy", "tiresias", "schedmate"])
@settings(max_examples=6)
@given(jobs=workloads)
def test_broken_nodes_and_bad_gpus_take_parts_with_them(policy, cut, play, jobs):
    nodes = [NodeSpec(f"n{i}", 4) for i in range(2)]
    broken = Breakage(nodes, 3000.0, 500.0, seed=1)
    faults = GpuFaults(nodes, 9000.0, 500.0, seed=1)
    outcomes, _ = play(policy, jobs, nodes, cut=cut, breakage=broken, gpu_faults=faults)  # checks the books throughout
    assert (outcomes.run_s >= outcomes.duration_s - 1e-6).all()


def test_all_on_a_gpu_die_when_it_goes_bad(play):
    """Four jobs share the one GPU; each dies of it, and each ends in the end."""
    nodes = [NodeSpec("n0", 1)]
    faults = GpuFaults(nodes, 5000.0, 100.0, seed=3)
    first_s = min(time_s for time_s, _ in faults._breaks)
    outcomes, _ = play("fifo", [(0, int(first_s) + 500, 0.25)] * 4, nodes, gpu_faults=faults)
    assert (outcomes.end_s > first_s + 500).all()
    assert (outcomes.run_s > outcomes.duration_s).all()


def test_jobs_with_parts_of_one_gpu_run_at_once_and_more_of_them_wait(play):
    outcomes, loop = play("fifo", [(0, 100, 0.5), (0, 100, 0.5), (0, 100, 0.5)], [NodeSpec("n", 1)])
    assert outcomes.first_start_s.tolist() == [0, 0, 100]
    assert sum(part.busy_gpu_s for part in loop.parts.values()) == pytest.approx(150)


def test_easy_keeps_a_gpu_until_the_last_on_it_is_gone(play):
    """Two parts end at 100 s and 300 s: the head has its GPU at 300 s, and whoever would be longer does not begin."""
    jobs = [(0, 100, 0.5), (0, 300, 0.5), (1, 50, 1), (2, 400, 0.25), (3, 150, 0.25)]
    outcomes, _ = play("easy", jobs, [NodeSpec("n", 1)])
    assert outcomes.first_start_s.tolist() == [0, 0, 300, 350, 100]


def test_a_whole_gpu_is_taken_from_all_who_have_parts_of_it(play):
    """Nobody who stays could give it up: both go, and both come back beside each other."""
    jobs = [(0, 90_000, 0.5), (0, 90_000, 0.5), (4000, 100, 1)]
    outcomes, _ = play("schedmate", jobs, [NodeSpec("n", 1)])
    assert outcomes.preemptions.tolist() == [1, 1, 0]
    assert outcomes.first_start_s[2] < 5000
    assert abs(outcomes.end_s[0] - outcomes.end_s[1]) < 1


def test_the_ways_to_cut_have_names():
    assert cut_by("time") is cut_by("whole") is BY_TIME
    assert cut_by("mig").units == 8
    assert Placement("gpu", (("n", 1),)).piece == 0
