"""Where a starter tried again by itself, and every run died of one fault, the first statement of it is the root."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes.same_fault import apart, parts_of, shares_part
from schedmate.readers.failures.lines.steps import marks_in
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.runs.attempts import Attempt
from schedmate.readers.failures.sightings.loudness import LOUD, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.survived import SUSTAINED_STEPS
from schedmate.tools.late_patterns import late, late_re2

BY_HAND = late_re2(r"(?i)^(?:[\w.@:~/-]{1,80}\$|\$) |^[=#*-]{2,} ?(?:slurm[ -]?)?job(?: id)?[ #:]{1,3}\d")
"""A prompt at which somebody starts a program, and the heading of another job."""
BEGUN = late_re2(r"(?i)\bre-?(?:start|launch|submit|queu|spawn)(?:e?ing|t?ed|ting)\b")
"""What a starter says of what it does; somebody who is told to do so has not done it."""
STARTERS_LINES = 6
"""So few lines behind the end of a run, or half as many above the next, its starter says that it begins that."""
HOSTS = late(r"(?i)\b(?:nodes?|hosts?|nodelist|hostlist)\b[:= ]{1,3}(?P<names>[a-z][\w.-]{0,40}\d[\w.,\[\]-]{0,400})")
"""How the hosts of a run are listed."""
CODE = frozenset({"script", "framework"})
"""What every rank may meet alike."""
DEVICES = frozenset({"gpu", "nvlink"})
"""What a process keeps from run to run where its starter places it on the same host."""
MOST_MARKS = 64
"""A step may be told in several lines."""
MOST_RUNS = 20
"""Of more runs than this the last one is told."""
NEW_EACH_TIME = late(r"\d+\.\d+|\d{4,}|0x[0-9a-f]+")
"""Sizes, times, processes and addresses, which are others each time; codes, hosts and devices tell faults apart."""


def first_of_tries(root: Sighting, case: JobCase) -> Sighting:
    """Give the first run's statement of what ended each run so far, where the job's own starter began them all.

    Who begins runs by hand into one file asks about the last one. A run that stated nothing did not begin.
    """
    own = case.own(root)
    before = own.attempts[: own.attempts.index(own.attempt)]
    if not 0 < len(before) < MOST_RUNS or root.failure is None or root.failure.outside:
        return root
    if not all(is_started_again(run, own) for run in (*before[1:], own.attempt)):
        return root
    found = [statement_of(root, run, own) for run in before if any(True for _ in causes_in(run, own))]
    first = found[0] if found else None
    if first is None or None in found:
        return root
    if is_the_same(first, root):
        return replace(first, failure=root.failure, named={**root.named, **first.named})
    return first  # of a device: what is quoted must carry what is told


def statement_of(root: Sighting, run: Attempt, own: FailureReading) -> Sighting | None:
    """Give where a run stated what ended it, if that is the root's fault and none of another class is told as loud."""
    weight = root.failure.weight if root.failure else 0.0
    stated = [item for item in causes_in(run, own) if item.failure and item.failure.weight >= weight]
    alive = [item for item in stated if not got_on(item, run, own, SUSTAINED_STEPS)]
    if any(item.kind != root.kind for item in alive):
        return None
    if (first := stated_of_device(alive, root, run, own)) and not got_on(alive[-1], run, own):
        return first
    same = next((item for item in stated if is_the_same(item, root)), None)
    return None if same is None or got_on(same, run, own) else same


def stated_of_device(stated: Sequence[Sighting], root: Sighting, run: Attempt, own: FailureReading) -> Sighting | None:
    """Give a run's first statement where all that it states is of the root's kind, and its process met some of it.

    What becomes of a broken device from run to run has other words each time. The rank may be on another host by then:
    the hosts must be told, and be the same, or the last run have made no way, where no part is named.
    """
    hosts, last = hosts_of(run, own), hosts_of(own.attempt, own)
    elsewhere = hosts != last if hosts and last else worked_before(root, own)
    if elsewhere and not any(shares_part(item, root) for item in stated):
        return None
    if root.kind[1] not in DEVICES or not any(is_met_by_same(item, root) for item in stated):
        return None
    return None if any(apart(item, root) for item in stated) else stated[0]


def hosts_of(run: Attempt, own: FailureReading) -> str:
    """Give the list of hosts that a run's first lines tell."""
    head = (own.cleaner.take(raw).text for raw in islice(own.log.lines(run.start, run.end), STARTERS_LINES))
    return next((found["names"] for found in map(HOSTS.search, head) if found), "")


def worked_before(root: Sighting, own: FailureReading) -> bool:
    """Tell a run that made steps before its end."""
    steps = {mark.step for mark in own.marks if own.attempt.start <= mark.start < root.start}
    return len(steps) >= SUSTAINED_STEPS


def is_met_by_same(item: Sighting, root: Sighting) -> bool:
    """Tell what the process of the same rank met, or what is said of the same part."""
    rank = item.line.rank
    return (rank is not None and rank == root.line.rank) or shares_part(item, root)


def is_started_again(run: Attempt, own: FailureReading) -> bool:
    """Tell a run that somebody announced who was there already: a launcher, a supervisor, a script's loop."""
    told = own.findings.told
    if run.start in told.trials or BY_HAND.search(own.cleaner.take(own.log.line_at(run.start)).text):
        return False
    return run.start in {*told.restarts, *told.resumed, *told.recreated} or is_begun_by_starter(run, own)


def is_begun_by_starter(run: Attempt, own: FailureReading) -> bool:
    """Tell a run around whose begin, which may be the end of the one before, somebody says that he starts it again."""
    above = islice(own.log.lines_backward(run.start), STARTERS_LINES // 2)
    head = islice(own.log.lines(run.start, run.end), STARTERS_LINES)
    lines = (own.cleaner.take(raw) for raw in (*above, *head))
    return any(line.rank is None and BEGUN.search(line.text) for line in lines)


def causes_in(run: Attempt, own: FailureReading) -> Iterator[Sighting]:
    """Give what a run stated that may have ended it."""
    for item in own.suspects(run):
        failure = item.failure
        if failure is not None and failure.role == "root" and failure.weight > 0 and tone_of(item) >= LOUD:
            yield item


def is_the_same(one: Sighting, root: Sighting) -> bool:
    """Tell the very words, of the same part; or what an entry knows of a part that both name."""
    first, second = one.failure, root.failure
    if first is None or second is None or (second.category not in CODE and apart(one, root)):
        return False
    if NEW_EACH_TIME.sub("#", one.line.text) == NEW_EACH_TIME.sub("#", root.line.text):
        return names_no_other_part(one, root)
    return first.id == second.id and not first.general and shares_part(one, root)


def names_no_other_part(one: Sighting, root: Sighting) -> bool:
    """Tell lines of which neither names a part that the other names otherwise; processes are new ones each time."""
    first, second = parts_of(one), parts_of(root)
    return all(first[part] == second[part] for part in first if part in second and part not in {"pid", "path"})


def got_on(item: Sighting, run: Attempt, own: FailureReading, steps: int = 1) -> bool:
    """Tell whether a run made a step, or several, behind what may have ended it."""
    marks = islice(marks_in(own.log, item.start, run.end), 1 if steps == 1 else MOST_MARKS)
    return len({mark.step for mark in marks}) >= steps
