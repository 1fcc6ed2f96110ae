"""Gradients that are gathered over a loop of micro-batches inside of each step."""

import ast

import re2

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.training_calls import is_optimizer_step
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import FollowedLoop
from schedmate.readers.code.values.value import Value

MOST_GATHERED = 4_096

DRAWS = re2.compile(r"(?i)^(next|(get|next|sample|load|draw|fetch|read)\w*batch(es)?)$")
"""What each round of such a loop calls for a batch of its own; others go over parts of one batch, or over losses."""


def from_inner_loops(view: View) -> None:
    """Take the rounds of the one counted loop that goes backward inside a step and does not take it."""
    backward = [event for event in view.training if event.short == "backward" and event.sure]
    steps = [event for event in view.training if is_optimizer_step(event) and event.sure]
    for event in backward:
        inner = event.loops[-1] if event.loops else None
        around = event.loops[:-1]
        if inner is None or not around or not is_counted_range(inner) or not draws_batches(inner):
            continue
        if any(step.loops == around for step in steps) and not any(inner in step.loops for step in steps):
            view.accumulates(inner.count)
            return


def is_counted_range(loop: FollowedLoop) -> bool:
    """Tell a loop over a range of a known number of rounds."""
    count: Value | None = loop.count
    is_range = loop.kind == "for" and isinstance(loop.items.data, range)
    return is_range and count is not None and type(count.data) is int and 0 < count.data <= MOST_GATHERED


def draws_batches(loop: FollowedLoop) -> bool:
    """Tell a loop each round of which takes a batch."""
    calls = (node.func for one in loop.body[:20] for node in ast.walk(one) if isinstance(node, ast.Call))
    names = (one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in calls)
    return any(DRAWS.match(name) for name in names)


def is_too_many(times: Value) -> bool:
    """Tell more than anybody gathers: such a number means that something else hardly ever happens."""
    return isinstance(times.data, int) and times.data > MOST_GATHERED


RULES = (Rule(Subject.ACCUMULATION, "a loop inside of each step", from_inner_loops),)
