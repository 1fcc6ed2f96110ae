"""Tell what ended one trial of a tuner, where others were at work behind it: the job is the search, not the trial."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import re2

from schedmate.readers.failures.case import Fact, JobCase
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

FAILED = re2.compile(
    r"\bTrial (?:task failed for trial )?(?P<trial>[\w.-]{1,80})(?:: Error (?:processing event|happened when)"
    r"|[\s:].{0,40}\berrored\b|$)|\bTrial (?P<number>\d{1,6}) failed (?:with|because)"
)
"""How Ray Tune and Optuna say that a trial failed, above its stack."""
AT_WORK = late_re2(
    r"^Result for (?P<trial>[\w.-]{1,80}):$"
    r"|\bTrial (?P<named>[\w.-]{1,80}) (?:completed after|finished (?:iteration|with value)|reported|started with)"
)
"""How they say that one is at work, or did its own."""
LISTED = re2.compile(r"-- Trials did not complete: \[(?P<trials>[^\]]*)\]")
"""How Ray Tune sums up which trials failed; it goes on, unless it raises that."""
GAVE_UP = "script.tune_error"
ABOVE_LINES, TAIL_BYTES = 4, 1 << 20
Seen = list[tuple[int, str]]


def without_ends_of_trials(facts: Sequence[Fact], case: JobCase) -> list[Fact]:
    """Count as outlived what a trial ended by, if another is at work later and the tuner did not give up for it."""
    if any(fact.item.failure and fact.item.failure.id == GAVE_UP and fact.item.raised for fact in facts):
        return list(facts)
    trials = {place: names for place, fact in enumerate(facts) if (names := trials_of(fact, case))}
    sources = {facts[place].item.source for place in trials}
    seen = {source: list(at_work(case.readings[source])) for source in sources}
    return [
        replace(fact, outlived=True)
        if place in trials and others_worked(fact.item, trials[place], seen[fact.item.source])
        else fact
        for place, fact in enumerate(facts)
    ]


def trials_of(fact: Fact, case: JobCase) -> str:
    """Name the trials that a line tells to have failed, or that are told so right above a stack.

    A machine that is broken is so for all trials.
    """
    item = fact.item
    if fact.dumped or tells_of_hardware(item) or (item.raised is not None and item.raised.leaves):
        return ""
    if item.raised is None:
        listed = LISTED.search(item.line.text)
        return str(listed["trials"]) if listed else failed_in(item.line.text)
    own = case.own(item)
    head = item.raised.head_start
    above = islice(own.log.lines_backward(head, own.attempt.start), ABOVE_LINES)
    return next(filter(None, (failed_in(own.cleaner.take(raw).text) for raw in above)), "")


def tells_of_hardware(item: Sighting) -> bool:
    """Tell a fault of the machine, as its kernel or driver states it, or as a program that met it raises it."""
    return is_hardware(replace(item, raised=None))


def failed_in(text: str) -> str:
    """Give the trial that a line says has failed."""
    found = FAILED.search(text)
    return str(found["trial"] or found["number"]) if found else ""


def at_work(own: FailureReading) -> Iterator[tuple[int, str]]:
    """Give where trials are told to be at work, or to have done their own, towards the end of a run."""
    start = own.log.bounds(max(own.attempt.start, own.attempt.end - TAIL_BYTES))[0]
    for raw in own.log.lines(start, own.attempt.end):
        if b"Trial " in raw.raw or b"Result for " in raw.raw:
            found = AT_WORK.search(own.cleaner.take(raw).text)
            if found:
                yield raw.start, str(found["trial"] or found["named"])


def others_worked(item: Sighting, failed: str, seen: Seen) -> bool:
    """Tell that a trial which did not fail is at work behind a line; of a sum of all, before it."""
    listed = item.raised is None and LISTED.search(item.line.text) is not None
    names = failed.replace(",", " ").split()
    return any(trial not in names for place, trial in seen if listed or place > item.start)
