"""Where a starter tried again by itself, and every run died of one fault, the first statement of it is the root."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from schedmate.readers.failures.causes.same_fault import apart, parts_of, shares_part
from schedmate.readers.failures.lines.steps import marks_in
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.runs.attempts import Attempt
from schedmate.readers.failures.sightings.loudness import LOUD, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late_re2

BY_HAND = late_re2(r"(?i)^(?:[\w.@:~/-]{1,80}\$|\$) |^[=#*-]{2,} ?(?:slurm[ -]?)?job(?: id)?[ #:]{1,3}\d")
"""A prompt at which somebody starts a program, and the heading of another job."""
MOST_RUNS = 20
"""More tries than this are read from the last on."""
FEW_STEPS = 3
"""Fewer a run may still print behind the fault that ended it."""


def first_of_tries(root: Sighting, readings: Sequence[FailureReading]) -> Sighting:
    """Give the first run's statement of what ended each run so far, where the job's own starter began them all.

    Who begins runs by hand into one file asks about the last one. A run that stated nothing did not begin.
    """
    own = readings[root.source]
    before = own.attempts[: own.attempts.index(own.attempt)]
    if not 0 < len(before) < MOST_RUNS or root.failure is None or root.failure.outside:
        return root
    if not all(is_started_again(run, own) for run in (*before[1:], own.attempt)):
        return root
    first = None
    for run in before:
        stated = list(causes_in(run, own))
        same = next((item for item in stated if is_the_same(item, root) and ended_run(item, run, own)), None)
        if stated and same is None:
            return root
        first = first or same
    return replace(first, failure=root.failure, named={**root.named, **first.named}) if first else root


def is_started_again(run: Attempt, own: FailureReading) -> bool:
    """Tell a run that somebody announced who was there already: a launcher, a supervisor, a script's loop."""
    told = own.findings.told
    if run.start not in {*told.restarts, *told.resumed, *told.recreated} or run.start in told.trials:
        return False
    return BY_HAND.search(own.cleaner.take(own.log.line_at(run.start)).text) is None


def causes_in(run: Attempt, own: FailureReading) -> Iterator[Sighting]:
    """Give what a run stated that may have ended it."""
    for item in own.suspects(run):
        failure = item.failure
        if failure is not None and failure.role == "root" and failure.weight > 0 and tone_of(item) >= LOUD:
            yield item


def is_the_same(one: Sighting, root: Sighting) -> bool:
    """Tell the very words, figures aside, of the same part; or what an entry knows of a part that both name."""
    first, second = one.failure, root.failure
    if first is None or second is None or apart(one, root):
        return False
    if mask_line(one.line.text) == mask_line(root.line.text):
        return names_no_other_part(one, root)
    return first.id == second.id and not first.general and shares_part(one, root)


def names_no_other_part(one: Sighting, root: Sighting) -> bool:
    """Tell lines of which neither names a part that the other names otherwise; processes are new ones each time."""
    first, second = parts_of(one), parts_of(root)
    return all(first[part] == second[part] for part in first if part in second and part not in {"pid", "path"})


def ended_run(item: Sighting, run: Attempt, own: FailureReading) -> bool:
    """Tell what a run made no more than a few steps behind."""
    return len(list(islice(marks_in(own.log, item.start, run.end), FEW_STEPS))) < FEW_STEPS
