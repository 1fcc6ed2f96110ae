"""Weigh all sightings of a job: what each states, what became of it, what it counts; each rule leaves its trace."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from schedmate.readers.failures.case import Correction, Fact, JobCase, RuleTrace, Suspect, standing
from schedmate.readers.failures.causes.corrections import FATES, STATEMENTS, WEIGHTS
from schedmate.readers.failures.causes.stalls import stalled_since
from schedmate.readers.failures.causes.suspects import is_health, weigh
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.sightings.launcher_reports import by_its_code
from schedmate.readers.failures.sightings.scan import reads_like_error
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import only_carried, unknown
from schedmate.readers.failures.survival.late_output import printed_in_time
from schedmate.readers.failures.survival.outcomes import ended_badly, fate_of

Held = TypeVar("Held", Sighting, Fact, Suspect)
Corrections = Sequence[Correction[Callable[[Sequence[Held], JobCase], list[Held]]]]


def weigh_all(case: JobCase) -> tuple[list[Suspect], float | None]:
    """Weigh all sightings of a job's logs together; also say since when its ranks waited in vain, if known."""
    sightings, readings = case.sightings, case.readings
    known = [as_stated(item) for item in sightings if not (is_health(item) or is_mere_progress(item))]
    stalled_s = stalled_since(known)
    known, stated = corrected(STATEMENTS, known, case)
    case = replace(case, readings=[replace(reading, marks=printed_in_time(reading)) for reading in readings])
    waited = [stalled_s] if stalled_s is not None else []
    stamps = [[*stamps_of(sightings, reading.source), *waited] for reading in readings]
    fates = [fate_of(item, case.readings, stamps[item.source]) for item in known]
    seen = [[RuleTrace(way, "not got over", "got over")] if way else [] for _, way in fates]
    facts, became = corrected(FATES, [fact for fact, _ in fates], case)
    badly = ended_badly(facts)
    suspects = [weigh(fact.item, fact.past, stalled_s, badly) for fact in facts]
    suspects, counted = corrected(WEIGHTS, suspects, replace(case, facts=facts))
    steps = map(chain.from_iterable, zip(stated, seen, became, counted, strict=True))
    return [replace(one, history=tuple(taken)) for one, taken in zip(suspects, steps, strict=True)], stalled_s


def as_stated(item: Sighting) -> Sighting:
    """Say what a line states by itself: by its entry, the code that it tells, its words. No other line is asked: that
    is no correction.
    """
    told = by_its_code(item)
    return only_carried(told) if is_named(told) else unknown(told)


def is_named(item: Sighting) -> bool:
    """Tell a line that an entry knows, or an exception with its stack, from what can only be read by its words."""
    return item.failure is not None and (item.raised is not None or not item.failure.wording)


def is_mere_progress(item: Sighting) -> bool:
    """Tell a step that a collector calls an error, as it came by the stream of errors."""
    return item.failure is None and is_progress(item.line.text) and not reads_like_error(item.line.text)


def corrected(
    rules: Corrections[Held], items: Sequence[Held], case: JobCase
) -> tuple[list[Held], list[list[RuleTrace]]]:
    """Ask each rule in turn about all lines; give what they are held for then, and which rule changed each."""
    held, steps = list(items), [list[RuleTrace]() for _ in items]
    for rule in case.asks(rules):
        before, held = held, case.asked(rule, held)
        for old, new, taken in zip(before, held, steps, strict=True):
            if new is not old and (was := standing(old)) != (now := standing(new)):
                taken.append(RuleTrace(rule.name, was, now))
    return held, steps


def weighed_further(rules: Corrections[Suspect], suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Ask rules about suspects, and add to the history of each."""
    held, steps = corrected(rules, suspects, case)
    return [
        replace(one, history=(*one.history, *taken)) if taken else one for one, taken in zip(held, steps, strict=True)
    ]


def stamps_of(sightings: Iterable[Sighting], source: int) -> Iterator[float]:
    """Give the times of what was sighted in one log."""
    for item in sightings:
        if item.source == source and item.line.clock == "epoch" and item.line.time_s is not None:
            yield item.line.time_s
