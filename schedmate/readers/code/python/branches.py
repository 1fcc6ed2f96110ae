"""Follow ways of which it is not known which one the run takes, and merge what they leave behind."""

import ast
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial, reduce
from typing import TypeVar

from schedmate.readers.code.values.joining import join
from schedmate.readers.code.values.leaving import ControlFlow, ProgramRaised
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import MISSING, Scope, Writes
from schedmate.readers.code.values.value import Value

Way = TypeVar("Way")


def follow_both(
    run: Run, ways: list[list[ast.stmt]], scope: Scope, prepare: Callable[[], None] | None = None
) -> ControlFlow | None:
    """Follow each way from the same start; a way that ends in an error is one the user's run does not take."""

    def follow(place: int, way: list[ast.stmt]) -> ControlFlow | None:
        if place == 0 and prepare is not None:
            prepare()
        return run.execute(way, scope)

    outcomes = explore(run, [partial(follow, place, way) for place, way in enumerate(ways)])
    if not outcomes:
        raise ProgramRaised
    return settle(run, outcomes, scope)


def explore(run: Run, ways: list[Callable[[], Way]]) -> list[tuple[Way, Writes]]:
    """Run each way with its writes taken back afterwards; give those that end well, with what they wrote."""
    outcomes: list[tuple[Way, Writes]] = []
    for way in ways:
        outer = run.journal.begin()
        run.unsure += 1
        ended: list[Way] = []
        try:
            ended.append(way())
        except ProgramRaised:
            pass
        finally:
            run.unsure -= 1
            written = run.journal.finish(outer)
        outcomes += [(result, written) for result in ended]
    return outcomes


def settle(run: Run, outcomes: "list[tuple[ControlFlow | None, Writes]]", scope: Scope) -> ControlFlow | None:
    """Go on with what is common; a value that some ways return is kept for the end of the function."""
    going = [written for signal, written in outcomes if signal is None]
    if going:
        scope.returns += [
            signal.value
            for signal, _ in outcomes
            if signal is not None and signal.kind == "return" and signal.value is not None
        ]
        merge(run, going)
        return None
    merge(run, [written for _, written in outcomes])
    first = outcomes[0][0]
    values = [signal.value for signal, _ in outcomes if signal is not None and signal.value is not None]
    if first is None or not values:
        return first
    merged = values[0]
    for value in values[1:]:
        merged = join(merged, value)
    return ControlFlow("return", merged)


def merge(run: Run, ways: list[Writes]) -> None:
    """Write what the ways leave behind; where they differ the value is unknown."""
    if len(ways) == 1:
        run.journal.replay(ways[0])
        return
    for place_key in made_first(ways):
        place, key = next((way[place_key][0], way[place_key][1]) for way in ways if place_key in way)
        if isinstance(place, list):
            left = [way[place_key][2] if place_key in way else place for way in ways]
            longest = max(left, key=len)
            if longest and not all(left):
                run.maybe_empty[id(place)] = place
            run.journal.touch(place)
            place[:] = [joined_item(items) for items in zip(*left, strict=True)] if same_length(left) else longest
            continue
        before = place.get(key, MISSING)
        values = [way[place_key][2] if place_key in way else before for way in ways]
        there: list[Value] = [value for value in values if value is not MISSING]
        if not there:
            continue
        merged = there[0]
        for value in there[1:]:
            merged = join(merged, value)
        run.journal.put(place, key, merged)


def same_length(lists: list[list[Value]]) -> bool:
    """Tell lists that all ways leave equally long."""
    return len({len(one) for one in lists}) == 1


def joined_item(items: tuple[Value, ...]) -> Value:
    """Merge what ways leave at a place of a list: of mappings with the same keys each part; else the first stands."""
    first = items[0]
    if all(one.data is first.data for one in items) or not all(type(one.data) is dict for one in items):
        return first
    if any(one.data.keys() != first.data.keys() for one in items):
        return first
    return Value({key: reduce(join, [one.data[key] for one in items]) for key in first.data}, first.src)


def made_first(ways: list[Writes]) -> list[tuple[int, Hashable | None]]:
    """Order what the ways wrote: first the parts of what one way made, by which two ways' objects are compared then."""
    order = {place_key: way[place_key][:2] for way in reversed(ways) for place_key in way}
    counts = Counter(place_key for way in ways for place_key in way)

    def is_shared(place_key: tuple[int, Hashable | None]) -> bool:
        place, key = order[place_key]
        return counts[place_key] > 1 or (not isinstance(place, list) and key in place)

    return sorted({place_key: None for way in ways for place_key in way}, key=is_shared)
