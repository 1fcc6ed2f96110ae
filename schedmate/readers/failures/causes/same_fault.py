"""Tell which lines state one and the same fault, so that its first statement is the root and it counts once."""

import re
from collections.abc import Sequence
from dataclasses import replace

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.asked_for_later import looks_back
from schedmate.readers.failures.causes.at_a_loss import is_lost
from schedmate.readers.failures.causes.said_again import is_said_again, never_found
from schedmate.readers.failures.causes.same_file import is_of_same_file, tell_same_of_file
from schedmate.readers.failures.causes.services_word import of_service_itself
from schedmate.readers.failures.lines.steps import StepMark, counts_of, marks_in
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.daemon_lines import DAEMON
from schedmate.readers.failures.sightings.loudness import HANDLED, SILENT, is_of_machine, tone_of, warns
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.outcomes import was_stopped
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late, late_re2

PARTS = ("pci", "nic", "peer", "gpu", "host", "link", "port", "path", "pid")

TRY = late_re2(r"(?i)\b(?:try|attempt|retry|tries|attempts) ?#?\d{1,3} ?(?:of|/) ?\d{1,3}\b")
"""How a program numbers its tries of the same thing."""
ANSWER = late_re2(r"\b(408|429|50[0234])\b")

SOURCE = re.compile(r"^\S{1,120}\.(?:cpp|cc|cu|h|hpp|py):\d{1,6}\](?: \[\w{1,20}\])? ?")
"""The place in its own code that a logger names before its words."""
WHO = re.compile(
    r"^(?:[\[(<][^\[\](){}<>]{0,80}[\])>][: ]{0,2}|\d{4}-\d\d-\d\d[T ][\d:.,]{5,18}(?:Z|[+-]\d\d:?\d\d)? ?){1,6}"
)
"""Brackets and stamps that a logger or a runner puts before its words: all its lines share them."""
FOLDER = re.compile(r"^(?:/[\w.@+~-]{1,80}){1,24}/")
"""Where a file lies that a message begins with: what it says of others beside it begins so, too."""
LIBRARY = late(r"([\w.+-]{1,120}\.so)\b")
WORDS_CHARS, LEAST_WORDS_CHARS = 60, 20
JUST_ABOVE_LINES = MESSAGE_LINES = 4

SHORT_RUNS_BYTES = 1 << 20
"""Runs that got nowhere print little."""
PREPARES = late(r"^[A-Za-z][^|%]{2,100}: {1,4}\d{1,3}%\|")

STEPS = late(r"(?i)epoch|train|step|iter|batch|fold")
"""How a bar is headed that is none of training, but for these words."""
NUMBER = re.compile(r"\d+")

INSTALLED, FAR_LINES = frozenset({"gpu architecture"}), 60
"""What the catalogue calls a fault of what is installed: no step gets over it, only code that does not need it. Of its
warning just above an exception the exception says as much.
"""
DRIVER = late(
    r"^(?:(?:NVRM|amdgpu|Lustre(?:Error)?|LNet(?:Error)?|mlx\d_core|nvme\w{0,8}|EXT4-fs|XFS|nfs)\b.{0,40}?: )"
)
"""How a driver speaks, behind its own host's name; what is handed on of other hosts begins otherwise."""
VERDICTS = frozenset({"gpu.xid_154"})
"""What a driver says of a device because of what it had said before: which reset it needs."""
SOON_LINES, SOON_S = 200, 900.0
"""How far behind a machine's own word its processes may print what they met of it."""


def first_statement(root: Suspect, suspects: Sequence[Suspect]) -> Sighting:
    """Walk back to the earliest line that states the same fault; the class stays that of the surest.

    A launcher hands on what a rank had said before it: the earliest line that says the very same goes first.
    """
    item = root.sighting
    before = [one.sighting for one in suspects if states_before(one, root)]
    heralds = [other for other in before if foreshadows(other, item)]
    if len(heralds) == 1:
        before.remove(heralds[0])
    same = [other for other in before if is_same_fault(other, item)]
    if not same:
        return item
    earliest = min(same, key=lambda item: item.place)
    first = min(
        (other for other in before if has_same_words(other, earliest)), key=lambda item: item.place, default=earliest
    )
    return replace(first, failure=item.failure, named={**item.named, **first.named}, raised=first.raised or item.raised)


def first_stated(root: Sighting, case: JobCase) -> Sighting:
    """Give the first statement of what was chosen; of a service that ended, its own word."""
    first = first_statement(case.chosen, case.suspects) if case.chosen else root
    said = [one.sighting for one in case.suspects if one.sighting.source == first.source]
    told = next((item for item in said if item.place == first.place), first)
    own = of_service_itself(told, said)
    return first if own is told else replace(own, failure=first.failure, named={**first.named, **own.named})


def first_of_all_runs(root: Sighting, case: JobCase) -> Sighting:
    """Give the first run's statement where every run so far ended in the very same words and none made a step.

    A run that raised nothing did not begin; what prepares or loads data is no step.
    """
    own = case.own(root)
    start = own.attempt.start
    if root.raised is None or not 0 < start <= SHORT_RUNS_BYTES or any(is_step(mark, own) for mark in own.marks):
        return root
    first, words = None, mask_line(root.line.text)
    for run in own.attempts[: own.attempts.index(own.attempt)]:
        raised = [one for one in own.findings.raised if run.holds(one.start)]
        same = next((one for one in raised if mask_line(one.line.text) == words), None)
        if raised and same is None:
            return root
        first = first or same
    if first is None or any(is_step(mark, own) for mark in marks_in(own.log, 0, start)):
        return root
    return replace(own.sighting_of(first), failure=root.failure, named=root.named)


def is_step(mark: StepMark, own: FailureReading) -> bool:
    """Tell a step from what stands at its beginning still, and from a bar whose heading says that something else is
    done: `Map (num_proc=8)`.
    """
    if not any(done for done, _ in counts_of(mark.step)):
        return False
    heading = PREPARES.match(own.cleaner.take(own.log.line_at(own.log.bounds(mark.start)[0])).text)
    return heading is None or STEPS.search(heading[0]) is not None


def last_statement(root: Suspect, suspects: Sequence[Suspect]) -> Sighting:
    """Give the last line that states the same fault: what is said again later was not got over.

    What an exception's message goes on with under it is no statement beside it.
    """
    item = root.sighting
    same = (one.sighting for one in suspects if one.sighting.source == item.source and not one.effect)
    last = max((item, *(other for other in same if is_same_fault(other, item))), key=lambda item: item.place)
    above = (one.sighting for one in suspects if one.sighting.raised and one.sighting.source == item.source)
    near = (other for other in above if 0 < last.number - other.number <= MESSAGE_LINES and is_same_fault(other, item))
    return last if last.raised else max(near, key=lambda item: item.place, default=last)


def states_before(one: Suspect, root: Suspect) -> bool:
    """Tell an earlier statement of a cause that the job did not get over."""
    item = one.sighting
    own = root.sighting.failure
    roles = {"root", own.role if own else "root"}
    if one is root or not item.failure or not (item.failure.role in roles or is_named_alike(item.failure, own)):
        return False
    told_again = any(tells(one, root) for tells in TOLD_AGAIN)
    of_build = item.failure.fault in INSTALLED and item.failure is not own and not is_installed(one, root)
    if of_build or (one.survived and not one.maybe and not told_again):
        return False
    if item.place >= root.sighting.place or item.source != root.sighting.source:
        return False
    if only_follows(item.failure, own) or (looks_back(root) and not looks_back(one) and is_lost(item)):
        return False
    if is_lost(item) and item.line.time_s is None and is_told_by_machine(root.sighting):
        return False
    tone = tone_of(item)
    return tone > HANDLED or (tone > SILENT and (has_same_answer(item, root.sighting) or is_a_try(item, root.sighting)))


def is_a_try(item: Sighting, root: Sighting) -> bool:
    """Tell one of the numbered tries of which the last one failed, too, in the same way."""
    same = item.failure is not None and root.failure is not None and item.failure.id == root.failure.id
    return same and TRY.search(item.line.text) is not None


def is_named_alike(one: Failure, other: Failure | None) -> bool:
    """Tell entries of which one is the effect and one the cause, of what the catalogue calls one fault."""
    return other is not None and bool(one.fault) and one.fault == other.fault


def only_follows(one: Failure, root: Failure | None) -> bool:
    """Tell what others met where a part was gone, which says nothing of that part: no statement of its fault."""
    return root is not None and "peer" in one.after and "peer" not in root.after and not is_named_alike(one, root)


def foreshadows(item: Sighting, root: Sighting) -> bool:
    """Tell a warning just above the stack of the exception that says the very same; given once it is one statement."""
    if not root.raised or not root.raised.frames or item.raised or not warns(item):
        return False
    return has_same_words(item, root) and 0 < root.raised.head_number - item.number <= JUST_ABOVE_LINES


def is_drawn_from(one: Suspect, root: Suspect) -> bool:
    """Tell what a driver had said of the device of which it says now what must be done: it had not got over it."""
    first, last = one.sighting, root.sighting
    if last.failure is None or last.failure.id not in VERDICTS or first.failure is None:
        return False
    return first.failure.subcategory == last.failure.subcategory and shares_part(first, last)


def is_installed(one: Suspect, root: Suspect) -> bool:
    """Tell what a library had said of its build when it was loaded, long before the call that needs what it has not."""
    first, last = one.sighting.failure, root.sighting.failure
    if first is None or last is None or first.fault != last.fault or first.fault not in INSTALLED:
        return False
    return root.sighting.number - one.sighting.number > FAR_LINES


def ended_with(one: Suspect, root: Suspect) -> bool:
    """Tell processes that somebody ended by one word: what each left with came out of its buffers when it would."""
    both = one.sighting, root.sighting
    return all(item.raised is not None and was_stopped(item) for item in both)


def was_told_by_machine(one: Suspect, root: Suspect) -> bool:
    """Tell what a host's kernel or daemon had said of it, soon before a process of that host met the same."""
    item, met = one.sighting, root.sighting
    if item.line.host is None or item.line.host != met.line.host or is_told_by_machine(met):
        return False
    return is_told_by_machine(item) and met_it_soon(item, met)


TOLD_AGAIN = (is_said_again, never_found, ended_with, is_drawn_from, is_installed, is_of_same_file, was_told_by_machine)
"""Ways in which what steps outlived is told again by what ended the job: nobody had got over it."""


def is_same_fault(one: Sighting, other: Sighting) -> bool:
    """Compare what two lines speak about: the fault by name, the part or the host, or the very words."""
    first, second = one.failure, other.failure
    assert first
    assert second
    if first.fault and first.fault == second.fault:
        return not apart(one, other)
    if has_same_words(one, other) or has_same_answer(one, other) or tell_same_of_file(one, other):
        return True
    if one.kind != other.kind:
        return False
    if first.category != "infrastructure":
        return first.id == second.id and not first.general and not name_other_libraries(one, other)
    if shares_part(one, other) or (first.id == second.id and not apart(one, other)):
        return True
    early, late = sorted((one, other), key=lambda item: item.place)
    return is_told_by_machine(early) and not is_told_by_machine(late) and met_it_soon(early, late)


def is_told_by_machine(item: Sighting) -> bool:
    """Tell what a kernel or a daemon says of its host, or of one that it watches."""
    if item.raised or item.line.rank is not None or item.line.time_s is None or item.failure is None:
        return False
    text = item.line.text
    speaks = item.line.clock == "boot" or DAEMON.search(text) is not None
    speaks = speaks or (item.line.host is not None and DRIVER.search(text) is not None)
    return speaks and (item.failure.daemon or is_of_machine(item))


def met_it_soon(early: Sighting, late: Sighting) -> bool:
    """Tell what a process met soon after its machine had told of it: one service or plant is none of another."""
    assert early.failure
    if early.failure.subcategory == "other" or late.number - early.number > SOON_LINES:
        return False
    if None not in (early.line.time_s, late.line.time_s) and early.line.clock == late.line.clock:
        return not apart(early, late) and 0.0 <= (late.line.time_s or 0.0) - (early.line.time_s or 0.0) <= SOON_S
    return early.failure.subcategory == "network" or not apart(early, late)


def apart(one: Sighting, other: Sighting) -> bool:
    """Tell lines of two machines or two ranks; names of another kind may be of one, as a pod's and its node's."""
    hosts = one.line.host, other.line.host
    ranks = one.line.rank, other.line.rank
    if None not in ranks and ranks[0] != ranks[1]:
        return True
    return None not in hosts and hosts[0] != hosts[1] and form_of(hosts[0]) == form_of(hosts[1])


def form_of(host: str | None) -> str:
    """Give how a name is made: machines of one site differ in their numbers."""
    return NUMBER.sub("#", host or "")


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
