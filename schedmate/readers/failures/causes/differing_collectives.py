"""Ranks that waited in one collective with different calls: it never was one, and no link between them is at fault."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from schedmate.knowledge.catalogue import Failure, load_catalogue
from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

WAITED, DIFFER = "distributed.watchdog_timeout", "distributed.collective_mismatch"
CALL = late_re2(
    r"\[Rank (?P<rank>\d+)\] Watchdog caught collective operation timeout: Work\w+\(SeqNum=(?P<number>\d+), "
    r"OpType=(?P<kind>\w+), NumelIn=(?P<given>\d+), NumelOut=(?P<taken>\d+)"
)

GROUP = late_re2(
    r"\[PG(?: ID)? (?P<name>\w+)(?:[^\]]{0,40}? PG GUID (?P<everywhere>[^\s\]]{1,80}))?[^\]]{0,80} Rank (?P<rank>\d+)\]"
)
"""How a rank names the group that it waited in; the second number is the same on all ranks."""
ALIKE = frozenset({"ALLREDUCE", "BROADCAST", "ALLGATHER", "_ALLGATHER_BASE", "REDUCE_SCATTER", "_REDUCE_SCATTER_BASE"})
"""What every rank has to call with as much as the others."""
NEXT_LINES, MOST_RANKS, MOST_STRAYS = 12, 256, 3
Call = tuple[str, str, str]


def with_differing_collectives(items: Sequence[Sighting], case: JobCase) -> list[Sighting]:
    """Let the first that waited state the cause where ranks of one group differ in what they called as its n-th."""
    waits = [(item, told) for item in items if is_wait(item) and (told := CALL.search(item.line.text))][:MOST_RANKS]
    calls: dict[tuple[str, str], dict[str, Call]] = defaultdict(dict)
    first: dict[tuple[str, str], Sighting] = {}
    for item, told in waits if len(waits) > 1 else ():
        group = group_of(item, told["rank"], case.own(item))
        if group and told["kind"] in ALIKE:
            calls[group, told["number"]][told["rank"]] = (told["kind"], told["given"], told["taken"])
            first.setdefault((group, told["number"]), item)
    stated = {id(first[key]) for key, ranks in calls.items() if has_strays(ranks.values())}
    return [replace(item, failure=entry()) if id(item) in stated else item for item in items]


def has_strays(called: Iterable[Call]) -> bool:
    """Tell a few that called something else than the others; where halves differ they are of two groups of a name."""
    counts = Counter(called)
    return len(counts) > 1 and counts.total() - max(counts.values()) <= max(1, counts.total() // MOST_STRAYS)


def is_wait(item: Sighting) -> bool:
    """Tell a rank's word that it waited in vain."""
    return item.failure is not None and item.failure.id == WAITED


def group_of(item: Sighting, rank: str, reading: FailureReading) -> str:
    """Give the group that a rank waited in, as this line or the rank's next ones name it; empty where none does."""
    rows = islice(reading.log.lines(item.start, reading.attempt.end), 1, 1 + NEXT_LINES)
    for text in (item.line.text, *(reading.cleaner.take(raw).text for raw in rows)):
        if (told := GROUP.search(text)) and told["rank"] == rank:
            return str(told["everywhere"] or told["name"])
    return ""


@lru_cache(maxsize=1)
def entry() -> Failure:
    """Give what the catalogue says of it."""
    return next(failure for failure in load_catalogue() if failure.id == DIFFER)
