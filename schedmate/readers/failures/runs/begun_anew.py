"""Find where a run began anew behind a launcher's word of an end: it counts from further back, or tells of resuming."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

import re2

from schedmate.readers.failures.lines.steps import StepMark, counts_of, marks_in
from schedmate.readers.failures.runs.bars import is_a_new_bar
from schedmate.readers.failures.sightings.loudness import is_end, is_root
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Own
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import split_lines

SAID_BY = ("launchers.", "scheduler.")

SAYS = frozenset(
    (
        *("distributed.child_failed", "distributed.elastic_summary", "distributed.elastic_exit"),
        *("distributed.worker_aborted", "distributed.mpi_abort", "distributed.accelerate_exit"),
        "distributed.deepspeed_exit",
    )
)
"""Entries by which a launcher tells that a process of its job has ended."""
NEAR_BYTES, MOST_ENDS, MOST_STEPS = 1 << 17, 200, 40

LEAST_FURTHER = 5
"""So many steps that were further show that the counter went back: ranks print theirs in any order."""
RESUMES = late_re2(
    rb"(?i)\bresum(?:e[ds]?|ing)\b.{0,60}(?:\b(?:from|at)\b|\b(?:step|epoch|iter)|checkpoint|ckpt)"
    rb"|\b(?:restor(?:ed|ing)|load(?:ed|ing)|read(?:ing)?)\b.{0,40}(?:checkpoint|ckpt|snapshot)"
    rb"|\b(?:continu(?:e[ds]?|ing)|go(?:es|ing)? on) (?:from|at|with) (?:\w+ )?"
    rb"(?:step|epoch|iter|update|checkpoint|ckpt)"
)
"""How a program says that it goes on from what a run before it had saved."""
NOT_RESUMED = late_re2(
    rb"(?i)\b(?:hint|tip|to|can|could|may|you|please|not) (?:be )?(?:resum|restor|load|continu)|\bhint\b|with --resume"
    rb"|\bfor (?:the )?(?:\w+ )?(?:eval|valid|test|infer)"
    rb"|\b(?:eval|valid|test|infer)\w* (?:the |of |on |with )?(?:best|checkpoint)"
)
"""How somebody is told to do so, or a checkpoint is read to be tried."""
STOPPED = re2.compile(r"\bCANCELLED AT \d|\bjob killed\b|\bTERM_\w+LIMIT\b")
"""How a scheduler says that it has ended a job."""
A_HOSTS_OUTPUT = re2.compile(r"^\[\d{1,5}\] \d\d:\d\d:\d\d \[(?:FAILURE|SUCCESS)\] ")
"""The heading below which parallel-ssh prints what one host had said, one host after the other."""


@dataclass(slots=True)
class BegunRuns:
    """Where runs began: those that count from further back, and behind an end those that say that they resume."""

    counted_back: list[int] = field(default_factory=list)
    taken_up: list[tuple[int, int]] = field(default_factory=list)


def begun_anew(sightings: Sequence[Sighting], log: LogFile, year: int, own: Own) -> BegunRuns:
    """Give the place behind each such word, if no other follows, before steps that were made before or are resumed."""
    begun = BegunRuns()
    told = sorted({item.start for item in sightings if is_word_of_end(item)})[-MOST_ENDS:]
    stops = {item.start for item in sightings if STOPPED.search(item.line.text)}
    last_told = max((item.start for item in sightings if is_root(item)), default=-1)
    for place, following in pairwise([*told, log.size]):
        end = log.bounds(place)[1]
        after = next(marks_in(log, end, min(following, end + NEAR_BYTES), year, own, forward=True), None)
        if after is None:
            continue
        before = list(islice(marks_in(log, max(0, place - NEAR_BYTES), place, year, own), MOST_STEPS))
        if not before and place in stops and after.start < last_told and is_a_new_bar(after, log):
            begun.counted_back.append(end + 1)
        if not before or is_earlier(after, before):
            continue
        if is_further_back(after, before):
            begun.counted_back.append(end + 1)
        elif (resumed := resumes(log, end, after.start)) is not None:
            begun.taken_up.append((end, resumed))
    return begun


def resumes(log: LogFile, start: int, end: int) -> int | None:
    """Give the line, between two places, by which a program says that it goes on from what was saved.

    What stands before it, as the dump of a kernel, was still said of the run before.
    """
    lines = split_lines(log.window(start, end), 0, start)
    return next((line.start for line in lines if tells_of_resuming(line.raw)), None)


def tells_of_resuming(raw: bytes) -> bool:
    """Tell a program's word that it goes on, from advice and from what is read to be evaluated."""
    return RESUMES.search(raw) is not None and NOT_RESUMED.search(raw) is None


def is_further_back(after: StepMark, before: Sequence[StepMark]) -> bool:
    """Tell a step that several of those before it had passed."""
    told = counts(after)
    passed = {tuple(one) for one in map(counts, before) if len(one) == len(told) and one >= told}
    return len(passed) >= LEAST_FURTHER


def is_earlier(after: StepMark, before: Sequence[StepMark]) -> bool:
    """Tell by its clock what another process printed meanwhile, and somebody put behind the first one's words."""
    times = [mark.time_s for mark in before if mark.time_s is not None]
    return after.time_s is not None and bool(times) and after.time_s < min(times)


def is_word_of_end(item: Sighting) -> bool:
    """Tell a launcher's or a scheduler's word of how a process ended."""
    failure = item.failure
    if failure is None or A_HOSTS_OUTPUT.search(item.line.text):
        return False
    is_told = failure.role == "cascade" or (is_end(item) and STOPPED.search(item.line.text) is not None)
    return is_told and (failure.id in SAYS or failure.id.startswith(SAID_BY))


def counts(mark: StepMark) -> list[float]:
    """Give a step's counters."""
    return [done for done, _ in counts_of(mark.step)]
