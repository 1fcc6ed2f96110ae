"""Loops of which each round goes over all data: epochs, whatever they are called."""

import ast

from schedmate.knowledge.code_words import words
from schedmate.readers.code.evidence.data_loaders import inner_values, training_loaders
from schedmate.readers.code.evidence.training_calls import drives_optimizer
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.length.early_ends import ends_early
from schedmate.readers.code.fields.length.limits_of_steps import STEPS
from schedmate.readers.code.python.rounds.left_loops import list_names
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import Value, is_unknown_by

GRADIENTS = words("training.gradients")


def goes_over_data(view: View, first: FollowedLoop, loops: tuple[FollowedLoop, ...]) -> bool:
    """Tell a loop of which each round goes over a loader's data, whole: so many epochs, whatever it calls them."""
    inner = next(iter(loops[loops.index(first) + 1 :]), None)
    if inner is None or inner is not loops[-1] or inner.kind != "for" or counts_within(first, inner):
        return False
    made = is_over_loader(view, inner)
    drawn = any(isinstance(one, ExternalResult) and one.short == "iter" for one in inner_values(inner.items))
    steps = [event for event in view.training if event.short not in GRADIENTS]
    whole = made and not drawn and not ends_early(view, inner) and not inner.limits
    return whole and inner.count is None and all(inner in event.loops for event in steps)


def counts_within(outer: FollowedLoop, inner: FollowedLoop) -> bool:
    """Tell a `while` loop whose counter the loop inside raises."""
    raised = {name.rpartition(".")[2] for part in inner.body for name in list_names(part, ast.Store)}
    return outer.kind == "while" and not raised.isdisjoint(outer.names)


def is_over_loader(view: View, loop: FollowedLoop) -> bool:
    """Tell a loop over the batches of a loader."""
    over = inner_values(loop.items)
    return any(loader.result.data is one for loader in training_loaders(view) for one in over)


def is_round_of_others(view: View, first: FollowedLoop, loops: tuple[FollowedLoop, ...]) -> bool:
    """Tell a round in which others are asked to train, each for as long as it was told to, not once over its data."""
    named = any("round" in name.lower() for name in first.names)
    last = loops[-1].items.data
    bounds = last.args if isinstance(last, ExternalResult) and last.callee == "range" else []
    several = any(is_unknown_by(bound, Reason.MULTIPLIED) for bound in bounds)  # passes over the data at once
    return named and len(loops) - loops.index(first) > 2 and (several or not is_over_loader(view, loops[-1]))


def is_named_shortly(loop: FollowedLoop) -> bool:
    """Tell a loop by `it` and its like, which may count epochs as well where there is a loop inside."""
    return loop.kind == "for" and not any(part in name.lower() for part in STEPS for name in loop.names)


def holds_batches(view: View, first: FollowedLoop, loops: tuple[FollowedLoop, ...]) -> bool:
    """Tell a round that goes over batches which nobody counted, and learns from each of them; or may well do so."""
    inner = loops[-1]
    if inner is first or is_named_shortly(first):
        return inner is not first
    if inner.kind != "for" or inner.count is not None or counts_within(first, inner):
        return False
    named = any("batch" in name.lower() and "micro" not in name.lower() for name in inner.names)
    steps = [event for event in view.training if event.short not in GRADIENTS and first in event.loops]
    return named and all(inner in event.loops for event in steps)


def is_worked_out(view: View, count: Value) -> bool:
    """Tell a number that a greater setting was divided into: steps in all over the steps of a round."""
    settings = [pair[1] for mapping in view.namespaces for pair in mapping.items()]
    parts = [one.data for one in settings if type(one.data) is int and not set(one.src).isdisjoint(count.src)]
    return len(parts) > 1 and count.data not in parts and max(parts) > count.data


def passes_over(view: View, event: Event) -> bool:
    """Tell a library's object that is told to train with a loader: once over all of it."""
    made = [loader.result.data for loader in training_loaders(view)] if drives_optimizer(event) else []
    return any(value.data is one for value in (*event.args, *event.kwargs.values()) for one in made)


def lasts_as_it_likes(view: View, event: Event) -> bool:
    """Tell a trainer, or an object that is told to train with no loader: how long that takes it knows itself."""
    return event.name.endswith("Trainer.train") or (drives_optimizer(event) and not passes_over(view, event))


def cuts_batches(loop: FollowedLoop) -> bool:
    """Tell a loop over the starts of batches or episodes: `range(0, len(samples), size)`."""
    return isinstance(loop.items.data, range) and loop.items.data.step > 1


def counted_through(loop: FollowedLoop, rounds: Value) -> Value:
    """Give the epochs that a loop goes through: in `range(0, epochs, 40)` its counter goes on by 40 each round."""
    items = loop.items.data
    if not isinstance(items, range) or items.step < 2 or not any("epoch" in name.lower() for name in loop.names[:1]):
        return rounds
    return Value(items.stop - items.start, rounds.src)


def only_pass(loops: tuple[FollowedLoop, ...]) -> list[FollowedLoop]:
    """Give the outermost loop where settings or the command ask for one round of it, and it goes over what is open."""
    first, inner = next(iter(loops), None), next(iter(loops[1:]), None)
    if first is None or inner is None or (first.kind, inner.kind, inner.count) != ("for", "for", None):
        return []
    count = first.count
    told = count is not None and count.data == 1 and bool(count.src) and not count.src[0].path.endswith(".py")
    return [first] if told else []


def leave_rivals_open(view: View, event: Event) -> bool:
    """Leave open how long it takes where objects differ in it between which only the run decides."""
    alike = [one for one in view.training if one.short == event.short]
    counts = {one.loops[0].count.data if one.loops and one.loops[0].count is not None else None for one in alike}
    if len(counts) < 2 or not all(one.rival for one in alike):
        return False
    view.rule_out("epochs")
    view.rule_out("total_steps")
    return True
