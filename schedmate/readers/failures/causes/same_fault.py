"""Tell which lines state one and the same fault, so that its first statement is the root and it counts once."""

import re
from collections.abc import Sequence
from dataclasses import replace

import re2

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.causes.suspects import Suspect
from schedmate.readers.failures.lines.steps import marks_in
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import HANDLED, SILENT, tone_of, warns
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.outcomes import was_stopped

PARTS = ("pci", "nic", "peer", "gpu", "host", "link", "port", "path", "pid")
ANSWER = re2.compile(r"\b(408|429|50[0234])\b")
SOURCE = re.compile(r"^\S{1,120}\.(?:cpp|cc|cu|h|hpp|py):\d{1,6}\](?: \[\w{1,20}\])? ?")
"""The place in its own code that a logger names before its words."""
WHO = re.compile(
    r"^(?:[\[(<][^\[\](){}<>]{0,80}[\])>][: ]{0,2}|\d{4}-\d\d-\d\d[T ][\d:.,]{5,18}(?:Z|[+-]\d\d:?\d\d)? ?){1,6}"
)
"""Brackets and stamps that a logger or a runner puts before its words: all its lines share them."""
FOLDER = re.compile(r"^(?:/[\w.@+~-]{1,80}){1,24}/")
"""Where a file lies that a message begins with: what it says of others beside it begins so, too."""
LIBRARY = re.compile(r"([\w.+-]{1,120}\.so)\b")
WORDS_CHARS, LEAST_WORDS_CHARS = 60, 20
JUST_ABOVE_LINES = MESSAGE_LINES = 4
SHORT_RUNS_BYTES = 1 << 20
"""Runs that got nowhere print little."""
DUMP_REPEATS_S = 300.0
"""What a driver says again within this time it has not got over."""


def first_statement(root: Suspect, suspects: Sequence[Suspect]) -> Sighting:
    """Walk back to the earliest line that states the same fault; the class stays that of the surest."""
    item = root.sighting
    same = [one.sighting for one in suspects if states_before(one, root) and is_same_fault(one.sighting, item)]
    if not same:
        return item
    first = said_first(min(same, key=place_in_job), root, suspects)
    return replace(first, failure=item.failure, named={**item.named, **first.named}, raised=first.raised or item.raised)


def first_of_all_runs(root: Sighting, readings: Sequence[FailureReading]) -> Sighting:
    """Give the first run's statement where every run so far ended in the very same words and none made a step."""
    own = readings[root.source]
    start = own.attempt.start
    if root.raised is None or not 0 < start <= SHORT_RUNS_BYTES or own.marks:
        return root
    same = [one for one in own.findings.raised if one.line.text == root.line.text]
    before = own.attempts[: own.attempts.index(own.attempt)]
    firsts = [next((one for one in same if run.holds(one.start)), None) for run in reversed(before)]
    if None in firsts or next(marks_in(own.log, 0, start), None):
        return root
    first = firsts[-1]
    return replace(own.sighting_of(first), failure=root.failure, named=root.named) if first else root


def said_first(item: Sighting, root: Suspect, suspects: Sequence[Suspect]) -> Sighting:
    """Give the earliest line that says the very same as one: a launcher hands on what a rank had said before it."""
    same = (one.sighting for one in suspects if states_before(one, root) and has_same_words(one.sighting, item))
    return min(same, key=place_in_job, default=item)


def last_statement(root: Suspect, suspects: Sequence[Suspect]) -> Sighting:
    """Give the last line that states the same fault: what is said again later was not got over.

    What an exception's message goes on with under it is no statement beside it.
    """
    item = root.sighting
    same = (one.sighting for one in suspects if one.sighting.source == item.source and not one.effect)
    last = max((other for other in same if is_same_fault(other, item)), key=place_in_job, default=item)
    above = (one.sighting for one in suspects if one.sighting.raised and one.sighting.source == item.source)
    near = (other for other in above if 0 < last.number - other.number <= MESSAGE_LINES and is_same_fault(other, item))
    return last if last.raised else max(near, key=place_in_job, default=last)


def states_before(one: Suspect, root: Suspect) -> bool:
    """Tell an earlier statement of a cause that the job did not get over."""
    item = one.sighting
    own = root.sighting.failure
    roles = {"root", own.role if own else "root"}
    if one is root or not item.failure or not (item.failure.role in roles or is_named_alike(item.failure, own)):
        return False
    if one.survived and not one.maybe and not is_said_again(one, root) and not ended_with(one, root):
        return False
    if place_in_job(item) >= place_in_job(root.sighting) or item.source != root.sighting.source:
        return False
    if foreshadows(item, root.sighting) or only_follows(item.failure, own):
        return False
    tone = tone_of(item)
    return tone > HANDLED or (tone > SILENT and has_same_answer(item, root.sighting))


def is_named_alike(one: Failure, other: Failure | None) -> bool:
    """Tell entries of which one is the effect and one the cause, of what the catalogue calls one fault."""
    return other is not None and bool(one.fault) and one.fault == other.fault


def only_follows(one: Failure, root: Failure | None) -> bool:
    """Tell what others met where a part was gone, which says nothing of that part: no statement of its fault."""
    return root is not None and "peer" in one.after and "peer" not in root.after and not is_named_alike(one, root)


def foreshadows(item: Sighting, root: Sighting) -> bool:
    """Tell a warning just above the stack of the exception that says the very same: it is one statement."""
    if not root.raised or not root.raised.frames or item.raised or not warns(item):
        return False
    return has_same_words(item, root) and 0 < root.raised.head_number - item.number <= JUST_ABOVE_LINES


def is_said_again(one: Suspect, root: Suspect) -> bool:
    """Tell a line of a dump whose entry another of its lines fits soon after: the driver had not got over it."""
    first, second = one.sighting, root.sighting
    if not (one.dumped and root.dumped) or first.failure is None or second.failure is None:
        return False
    clocks = first.line.clock == second.line.clock and None not in (first.line.time_s, second.line.time_s)
    near = clocks and (second.line.time_s or 0.0) - (first.line.time_s or 0.0) <= DUMP_REPEATS_S
    return near and first.failure.id == second.failure.id


def ended_with(one: Suspect, root: Suspect) -> bool:
    """Tell processes that somebody ended by one word: what each left with came out of its buffers when it would."""
    both = one.sighting, root.sighting
    return all(item.raised is not None and was_stopped(item) for item in both)


def place_in_job(item: Sighting) -> tuple[int, int]:
    """Order by place."""
    return item.source, item.start


def is_same_fault(one: Sighting, other: Sighting) -> bool:
    """Compare what two lines speak about: the fault by name, the part or the host, or the very words."""
    first, second = one.failure, other.failure
    assert first
    assert second
    if first.fault and first.fault == second.fault:
        return not apart(one, other)
    if has_same_words(one, other) or has_same_answer(one, other):
        return True
    if (first.category, first.subcategory) != (second.category, second.subcategory):
        return False
    if first.category != "infrastructure":
        return first.id == second.id and not first.general and not name_other_libraries(one, other)
    return shares_part(one, other) or (first.id == second.id and not apart(one, other))


def apart(one: Sighting, other: Sighting) -> bool:
    """Tell lines of two machines or two ranks."""
    hosts = one.line.host, other.line.host
    ranks = one.line.rank, other.line.rank
    return (None not in hosts and hosts[0] != hosts[1]) or (None not in ranks and ranks[0] != ranks[1])


def name_other_libraries(one: Sighting, other: Sighting) -> bool:
    """Tell lines about two compiled libraries, of which each may fit or not."""
    first, second = (set(LIBRARY.findall(item.line.text)) for item in (one, other))
    return bool(first and second) and first.isdisjoint(second)


def shares_part(one: Sighting, other: Sighting) -> bool:
    """Tell whether both name one part, or stand on one host where only that is told."""
    first, second = parts_of(one), parts_of(other)
    shared = [part for part in PARTS if part in first and part in second]
    return bool(shared) and all(first[part] == second[part] for part in shared)


def parts_of(item: Sighting) -> dict[str, str]:
    """Give what a line names, by its entry and by its prefix."""
    told = {part: item.named[part] for part in PARTS if part in item.named}
    if item.line.host:
        told.setdefault("host", item.line.host)
    return told


def has_same_words(one: Sighting, other: Sighting) -> bool:
    """Tell a statement that another line repeats in the same words, whatever stands around them."""
    said = words_of(one), words_of(other)
    if min(map(len, said)) < LEAST_WORDS_CHARS:
        return False
    return said[0] in other.line.text or said[1] in one.line.text


def has_same_answer(one: Sighting, other: Sighting) -> bool:
    """Tell tries of one service that it refused in the same way until a process gave up."""
    first, second = ANSWER.search(one.line.text), ANSWER.search(other.line.text)
    both = one.failure, other.failure
    if not first or not second or any(failure is None or failure.subcategory != "other" for failure in both):
        return False
    return bool(first[1] == second[1])


def words_of(item: Sighting) -> str:
    """Give the head of what a line says: of an exception its message."""
    said = item.raised.message if item.raised else SOURCE.sub("", WHO.sub("", item.line.text))
    return FOLDER.sub("", said, count=1)[:WORDS_CHARS]
