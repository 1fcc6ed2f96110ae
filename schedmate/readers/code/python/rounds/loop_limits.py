"""After how many rounds a loop's own body leaves it, where a counter and a known bound say so."""

import ast
from dataclasses import dataclass, field

from schedmate.readers.code.python.rounds.endless_loops import has_worked, name_and_sum, places_of_learning
from schedmate.readers.code.python.rounds.left_loops import (
    MOST_EXITS,
    Loop,
    ends_all,
    exits,
    holds,
    leaves,
    parts_of,
    starts_over,
)
from schedmate.readers.code.python.rounds.loop_counts import PROGRESS_BARS
from schedmate.readers.code.python.rounds.raised_counters import rises_at_steps, stores
from schedmate.readers.code.values.events import FollowedLoop, LoopLimit
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import SourceLocation, Value

DEEPEST = 6


@dataclass
class SeenLimits:
    """The loops that were followed for sure, by their place and those around, with the rounds of these."""

    loops: dict[tuple[SourceLocation, ...], list[tuple[tuple[int, ...], FollowedLoop]]] = field(default_factory=dict)


def limits_of(run: Run, node: Loop, scope: Scope, items: Value) -> list[LoopLimit]:
    """Give the branches that leave a loop after a known number of rounds."""
    return [*limits_of_all(run, node, scope), *limits_of_pass(run, node, scope, items)]


def limits_of_all(run: Run, node: Loop, scope: Scope) -> list[LoopLimit]:
    """Give the branches that leave a loop by a counter which goes on from one pass to the next."""
    found = []
    for one in exits(node)[:MOST_EXITS]:
        bound = run.evaluate(one.bound, scope)
        told = type(bound.data) is int and bound.data > 0 and all(holds(run, test, node, scope) for test in one.others)
        if told and not starts_over(one.counter, node, run.loops):
            rounds = Value(bound.data + one.more, bound.src)
            ends, at_steps = ends_all(one, node, run.loops), rises_at_steps(node, one.counter)
            found.append(LoopLimit(one.branch, rounds, True, ends, at_steps))
    return found


def limits_of_pass(run: Run, node: Loop, scope: Scope, items: Value) -> list[LoopLimit]:
    """Give the branches that leave a loop by its own number of the round: `for i, x in enumerate(data)`."""
    target = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
    begins = first_number(items)
    if not isinstance(target, ast.Name) or begins is None or stores(node)[target.id]:
        return []
    found, learning = [], places_of_learning(node.body)
    for place, branch in enumerate(node.body):
        parts = parts_of(branch.test) if isinstance(branch, ast.If) and any(map(leaves, branch.body)) else []
        for part in parts:
            rounds = rounds_to(run, part, target.id, scope)
            others = [other for other in parts if other is not part]
            if rounds is None or not all(holds(run, other, node, scope) for other in others):
                continue
            count = rounds.data - begins + has_worked(learning, place)
            if count > 0 and isinstance(branch, ast.If):
                found.append(LoopLimit(branch, Value(count, rounds.src)))
    return found


def rounds_to(run: Run, test: ast.expr, counter: str, scope: Scope) -> Value | None:
    """Give the number at which a counter meets a bound: `i >= most`, `i + 1 == most`, `i > most`."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Eq)) or len(test.ops) > 1:
        return None
    name, added = name_and_sum(test.left)
    bound = run.evaluate(test.comparators[0], scope) if name == counter else Value(None)
    if type(bound.data) is not int:
        return None
    return Value(bound.data - added + isinstance(test.ops[0], ast.Gt), bound.src)


def first_number(items: Value, depth: int = 0) -> int | None:
    """Give where a loop's own number begins that rises by one: of `enumerate`, or of a range."""
    data = items.data
    if isinstance(data, range):
        return data.start if data.step == 1 else None
    if not isinstance(data, ExternalResult) or depth > DEEPEST:
        return None
    if data.short == "enumerate":
        given = data.kwargs.get("start") or (data.args[1] if len(data.args) > 1 else Value(0))
        return given.data if type(given.data) is int else None
    return first_number(data.args[0], depth + 1) if data.args and data.short in PROGRESS_BARS else None


def sooner(loop: FollowedLoop) -> Value | None:
    """Give how often a counted loop runs, be it left before its end."""
    told = [one.rounds for one in loop.limits if not one.of_all]
    return min([loop.count, *told], key=lambda one: one.data) if loop.count is not None else None


def drop_changed(run: Run, loop: FollowedLoop) -> None:
    """Drop limits that hold in the first round of the loops around alone: in later ones they are others, or unknown."""
    seen = run.about(SeenLimits).loops.setdefault((*(one.spot for one in run.loops), loop.spot), [])
    at = tuple(one.round for one in run.loops if isinstance(one.items.data, range))
    if not run.again:
        seen.append((at, loop))
    told = told_limits(loop)
    if any(told_limits(one) == told for place, one in seen if run.again or place == seen[0][0]):
        return
    told = told.intersection(*(told_limits(one) for _, one in seen))
    for _, one in seen:
        gone = [limit for limit in one.limits if (limit.branch, limit.rounds.data) not in told]
        one.limits = [limit for limit in one.limits if limit not in gone]
        if one.left_at is not None and (None, one.left_at[1].data) not in told:
            one.left_at = None
        if one.count is not None and one.count.data in [limit.rounds.data for limit in gone]:
            one.count = None


def told_limits(loop: FollowedLoop) -> set[tuple[ast.If | None, object]]:
    """Give where a loop is left and after how many rounds."""
    told: set[tuple[ast.If | None, object]] = {(one.branch, one.rounds.data) for one in loop.limits}
    return told | ({(None, loop.left_at[1].data)} if loop.left_at is not None else set())
