"""Walk back from an end to the quiet first statement that leads to such ends: a device not seen, a mount that was lost.

Nobody dies of it at once, so steps behind it do not show that it was got over; what leads to what is data.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import re2

from schedmate.knowledge.catalogue import Failure, load_catalogue
from schedmate.knowledge.consequences import OF_FIRST, Consequence, consequences
from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.same_fault import is_step
from schedmate.readers.failures.causes.services_word import tells_less
from schedmate.readers.failures.causes.told_before import told_before
from schedmate.readers.failures.causes.whose_word import HOST, EndsPlace, Names, is_machines_word
from schedmate.readers.failures.hosts.rank_hosts import without_domain
from schedmate.readers.failures.lines.steps import marks_in
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import steps_between
from schedmate.readers.lines import Line
from schedmate.tools.raw_lines import RawLine

BACK_BYTES = 64 << 20
"""How far back a first statement is looked for."""
BELOW_LINES = 3
"""In so many lines a message of several stands."""
EPOCH, MOMENT_LINES, DAY_S = "epoch", 400, 86_400.0
"""So many lines before an end are asked for a time where it bears none; by another clock it may be off by a zone."""
NEAR_BYTES, MANY_STEPS = 1 << 14, 10
"""So near before a line a step stands that was made, and so many behind are more than a loader had read ahead."""
LIES_UNDER = frozenset({"path", "disk"})
"""Names of what has others in it: an end may name what lies under it."""


def what_led_to_it(chosen: Suspect, case: JobCase) -> Suspect:
    """Give the first statement that leads to what was chosen, where its own class decides."""
    if chosen.sighting.failure is None or chosen.survived:
        return chosen
    for kind in consequences():
        if not kind.entry or (found := first_of(kind, chosen.sighting, case)) is None:
            continue
        failure = failure_of(kind, found)
        if failure is not None and failure.id != chosen.sighting.failure.id:
            named = {**chosen.sighting.named, **found.named}
            return Suspect(replace(found, failure=failure, named=named), failure.weight, survived=False)
    return chosen


def first_that_led(root: Sighting, case: JobCase) -> Sighting:
    """Give the first statement that leads to the root or to what was chosen; their class stays."""
    ends = [root, *([case.chosen.sighting] if case.chosen and case.chosen.sighting != root else ())]
    found = (first_of(kind, end, case) for end in ends for kind in consequences())
    others = (one for one in found if one is not None and one.place != root.place)
    before = (one for one in others if one.place < root.place or one.start >= max(item.start for item in ends))
    quiet = (one for one in before if not tells_less(replace(one, failure=root.failure), root))
    first = min(quiet, key=start_of, default=None)
    return root if first is None else replace(first, named={**first.named, **root.named}, raised=root.raised)


def start_of(item: Sighting) -> int:
    """Order by place in one log."""
    return item.start


def failure_of(kind: Consequence, first: Sighting) -> Failure | None:
    """Give the entry whose class decides: its own, where it is a specific one that states a cause, or the one told."""
    if kind.entry != OF_FIRST:
        return entries_by_id().get(kind.entry)
    found = ready_entries().match(first.line.text)
    return found[0] if found and found[0].role == "root" and not found[0].general else None


@cache
def entries_by_id() -> dict[str, Failure]:
    """Give the catalogue's entries by their names."""
    return {one.id: one for one in load_catalogue()}


@cache
def compiled(pattern: str) -> Any:  # Any: RE2 has no types
    """Compile a pattern of the data when it is first used."""
    return re2.compile(pattern)


def first_of(kind: Consequence, end: Sighting, case: JobCase) -> Sighting | None:
    """Give the first statement of a kind that leads to an end and was not put right before it."""
    told = list(names_told(kind.met, end.line.text))
    met = [names for names in told if names] or told
    if not met:
        return None
    place, first = EndsPlace(end, case), None
    own = place.own
    mended: list[Names] = []
    low = max(0 if kind.machine else own.part_of(end.start).start, end.start - BACK_BYTES)
    for raw, line in (*told_later(kind, end, case), *told_before(kind.literals, end.source, low, end.begins, case)):
        mended += (names | host_of(names, line) for names in names_told(kind.mended, line.text))
        if not is_near(kind, raw, line, end, own) or (kind.unbroken and not no_step_between(raw.start, end, own)):
            continue
        if kind.shows_at_once and is_outrun(raw, end, own):
            continue
        named = leading(kind, raw, line, met, mended, place)
        if named is not None and is_whole(kind, raw, own):
            first = Sighting(end.source, raw.number, raw.start, line, end.failure, named)
    return first


def told_later(kind: Consequence, end: Sighting, case: JobCase) -> Iterator[tuple[RawLine, Line]]:
    """Give what a machine had said before an end, by its clock, in a dump that stands behind it."""
    own = case.own(end)
    ended_s = moment_of(end, own) if kind.machine else None
    if ended_s is None:
        return
    high = min(own.log.size, end.start + BACK_BYTES)
    for raw, line in told_before(kind.literals, end.source, own.log.bounds(end.start)[1], high, case):
        if line.clock == EPOCH and line.time_s is not None and line.time_s <= ended_s:
            yield raw, line


def moment_of(end: Sighting, own: FailureReading) -> float | None:
    """Give when an end came: by its own time, else by the last that was told before it."""
    if end.line.clock == EPOCH:
        return end.line.time_s
    before = map(own.cleaner.take, islice(own.log.lines_backward(end.start, own.attempt.start), MOMENT_LINES))
    return next((line.time_s for line in before if line.clock == EPOCH and line.time_s is not None), None)


def leading(
    kind: Consequence,
    raw: RawLine,
    line: Line,
    met: Sequence[Names],
    mended: Sequence[Names],
    place: EndsPlace,
) -> Names | None:
    """Give what a line names that leads to an end, where nothing put it right behind it."""
    for names in names_told(kind.said, line.text):
        here = names | host_of(names, line)
        if any(agree(here, later) for later in mended):
            continue
        for later in met:
            if agree(names, later) and is_of_place(kind, raw, line, here, later, place):
                host = place.host(later)
                return {HOST: host, **names} if kind.machine and host else names
    return None


def is_of_place(kind: Consequence, raw: RawLine, line: Line, here: Names, later: Names, place: EndsPlace) -> bool:
    """Tell that a machine says it, or what both name does, and that the end is of the same machine.

    A class that the end does not have is decided by a machine's own word alone.
    """
    shared = (here.keys() & later.keys()) - {HOST}
    machines = is_machines_word(raw, line, place.own.cleaner)
    if kind.machine and not machines and (kind.entry or not shared):
        return False
    host, ends = here.get(HOST, ""), place.host(later)
    if host and ends:
        return without_domain(host) == without_domain(ends)
    if not kind.machine:
        return True
    if kind.hardly_else and place.is_of_job(host):
        return True
    return not kind.needs_host and (not host or place.may_be_of(host))


def no_step_between(start: int, end: Sighting, own: FailureReading) -> bool:
    """Tell that no step of training stands between a place and an end."""
    return not any(start < mark.start < end.begins for mark in own.marks)


def names_told(patterns: tuple[str, ...], text: str) -> Iterator[Names]:
    """Give what a line names, once for each time that it fits."""
    for pattern in patterns:
        for found in compiled(pattern).finditer(text):
            yield {name: told for name, told in found.groupdict().items() if told}


def host_of(names: Names, line: Line) -> Names:
    """Give the host that a line stands on, where its words name none."""
    return {} if HOST in names or line.host is None else {HOST: line.host}


def agree(first: Names, later: Names) -> bool:
    """Tell whether what both name is the same, or lies in it."""
    return all(holds(name, first[name], later[name]) for name in first.keys() & later.keys())


def holds(kind: str, first: str, later: str) -> bool:
    """Tell the same name, a host's with or without its domain, a path under a folder, a partition of a disk."""
    if first == later:
        return True
    if kind == HOST:
        return without_domain(first) == without_domain(later)
    if kind not in LIES_UNDER or not later.startswith(first):
        return False
    if kind == "path":
        return later[len(first.rstrip("/")) :].startswith("/")
    return first[-1].isdigit() != later[len(first)].isdigit()


def is_near(kind: Consequence, raw: RawLine, line: Line, end: Sighting, own: FailureReading) -> bool:
    """Tell a line of no other rank that is not longer ago than a consequence takes."""
    ranks = line.rank, end.line.rank
    if None not in ranks and ranks[0] != ranks[1]:
        return False
    if kind.near_lines is not None and end.number - raw.number > kind.near_lines:
        return False
    if kind.within_s is None or line.time_s is None:
        return True
    if line.clock == end.line.clock and end.line.time_s is not None:
        return 0 <= end.line.time_s - line.time_s <= kind.within_s
    ended_s = moment_of(end, own) if line.clock == EPOCH else None
    return ended_s is None or ended_s - line.time_s <= max(kind.within_s, DAY_S)


def is_outrun(raw: RawLine, end: Sighting, own: FailureReading) -> bool:
    """Tell what was said between steps, many of them behind: what it speaks of would have ended one of the next."""
    before = marks_in(own.log, max(0, raw.start - NEAR_BYTES), raw.start)
    return any(is_step(mark, own) for mark in before) and steps_between(own, raw.start, end.begins) >= MANY_STEPS


def is_whole(kind: Consequence, raw: RawLine, own: FailureReading) -> bool:
    """Tell a message of several lines by what the next of them say."""
    if not kind.below:
        return True
    lines = islice(own.log.lines(raw.start), 1 + BELOW_LINES)
    return any(compiled(kind.below).search(own.cleaner.take(one).text) for one in lines)
