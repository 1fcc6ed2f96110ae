"""A training loop that the program comes to several times: one after the other over the same thing, or over others."""

from dataclasses import replace

from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.training_calls import is_optimizer_step
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.networks_beside import ends_behind
from schedmate.readers.code.fields.networks.trained_network import looks_like_model, trained_network
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.value import Value, join_spots


def in_a_row(view: View, event: Event) -> Event | None:
    """Give a training call with the rounds of all times that its loop is come to; None where it is open which count.

    `solver.train(10_000)` three times over is one job of thirty thousand rounds, if it is one solver.
    """
    if is_one_phase(view, event):
        return None
    runs = times_over(view, event)
    counts = [run.loops[0].count for run in runs if run.loops]
    if len(runs) < 2 or any(count is None for count in counts):
        return event
    known = [count for count in counts if count is not None and type(count.data) is int]
    if len(known) == len(runs) and trains_one_thing(view, runs):
        total = Value(sum(count.data for count in known), join_spots(*known))
        whole: FollowedLoop = replace(event.loops[0], count=total)
        return replace(event, loops=(whole, *event.loops[1:]))
    return event if len({str(count.data) for count in counts if count is not None}) == 1 else None


def is_one_phase(view: View, event: Event) -> bool:
    """Tell a loop of rounds beside another one that does the same for longer or shorter: which is meant is open."""
    if not event.loops or not event.sure:
        return False
    depth, first = len(event.loops), event.loops[0]
    beside = [one.loops[0] for one in view.training if one.sure and one.spot == event.spot and len(one.loops) == depth]
    others = [loop for loop in beside if loop.spot.path == first.spot.path and loop.spot != first.spot]
    counts = {str(loop.count.data) for loop in (first, *others) if loop.count is not None}
    return len(counts) > 1 and not any(loop.kind == "while" for loop in (first, *others))


def goes_on(view: View, event: Event) -> bool:
    """Tell training of an object that was made before the loops around, and so goes on learning in each round."""
    owner = event.owner.data if event.owner is not None else None
    made = [one for one in view.events if one.result.data is owner]
    if made and not any(one.sure for one in made):  # one that stands in where none is handed over
        made = [one for one in view.events if one.sure and one.name == made[0].name]
    around = {loop.spot for loop in event.loops}
    return bool(made) and around.isdisjoint(loop.spot for one in made for loop in one.loops)


def is_choice(loop: FollowedLoop) -> bool:
    """Tell a loop over written-out things, such as configurations or seeds, from one that counts rounds."""
    return isinstance(loop.items.data, (list, tuple)) and not any("epoch" in name.lower() for name in loop.names)


def starts_anew(view: View, loop: FollowedLoop, event: Event) -> bool:
    """Tell rounds of which each makes the network and the optimizer anew: so many jobs like it, one after the other."""
    if loop is event.loops[-1] or any("epoch" in name.lower() for name in loop.names):
        return False
    trained = trained_network(view)
    optimizers = [one for one in optimizer_events(view) if one.sure]
    within = bool(optimizers) and all(loop in one.loops for one in optimizers)
    made = (one for one in view.events if one.name.startswith("new ") and looks_like_model(one.result))
    networks = [one for one in made if trained is None or one.result.data is trained.data]
    return within and bool(networks) and all(loop in one.loops for one in networks)


def times_over(view: View, event: Event) -> list[Event]:
    """Give the same call once for each time that its outermost loop is begun anew."""
    if not event.loops or not event.sure:
        return [event]
    places = [loop.spot for loop in event.loops]
    found: dict[int, Event] = {}
    for one in view.training:
        if one.sure and one.spot == event.spot and [loop.spot for loop in one.loops] == places:
            found.setdefault(id(one.loops[0]), one)
    return list(found.values())


def trains_one_thing(view: View, runs: list[Event]) -> bool:
    """Tell loops that go on with one optimizer, or stand in a method of a class of which there is one object."""
    steps = [one for one in view.training if is_optimizer_step(one) or one.short == "apply_gradients"]
    owners = [
        {id(step.owner.data) for step in steps if step.owner is not None and step.loops[:1] == run.loops[:1]}
        for run in runs
    ]
    if any(owners):
        return len(owners[0]) == 1 and all(one == owners[0] for one in owners)
    spot = runs[0].loops[0].spot
    holders = [
        value
        for value in view.run.instances
        if any(one.spot.path == spot.path and ends_behind(one, spot.line) for one in value.data.cls.lineage())
    ]
    return len(holders) == 1
