"""Tell what became of each line that may be a cause: outlived, undone, printed late, or the end itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Fact, JobCase
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import HANDLED, is_end, is_hardware, is_of_machine, is_root, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.buffers_in_turn import handed_over_in_turn
from schedmate.readers.failures.survival.kernel_dumps import dump_around
from schedmate.readers.failures.survival.late_output import (
    FEW_STEPS,
    died_of_it,
    had_got_on,
    in_buffer_reach,
    is_done,
    is_unfinished,
    steps_between,
    was_driver,
    was_the_program,
    went_on_at_once,
)
from schedmate.readers.failures.survival.long_before import is_of_long_before
from schedmate.readers.failures.survival.records_of_boots import is_of_earlier_boot
from schedmate.readers.failures.survival.recovered_parts import came_back
from schedmate.readers.failures.survival.said_beside import got_over
from schedmate.readers.failures.survival.survived import WAYS, way_outlived
from schedmate.readers.lines import NOBODY, Speaker
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late, late_re2

NOTICE_S = 900.0
"""How long before its end a job may have been told of it."""
COMING = late_re2(
    r"(?i)\b(?:power(?:ed|ing|s)? (?:off|down)|shut(?:ting|s)? down|reboot(?:ing|s)?|evict\w*|terminat\w+|going down)"
    r" (?:in|within) \d{1,4} ?(?:s|secs?|seconds?|m|mins?|minutes?)\b"
)
"""What says how soon a machine will be gone."""
MANY_STEPS = 10
"""Others may get on by some steps without one that is dead; not by so many."""
STOPPED = late(r"\bCANCELLED AT \d|\bjob killed\b|\bTERM_\w+LIMIT\b|\bwas active (?:on the node )?longer than\b")
"""What a scheduler says when it has ended a job, not when it will."""


LONG_BEFORE, CAME_BACK = "long before", "came back"

HOW_KNOWN = {
    **WAYS,
    LONG_BEFORE: "it tells of something that was long before",
    CAME_BACK: "the part itself said that it was back",
}
"""How it is known what was got over."""


def with_repeats(facts: Sequence[Fact], case: JobCase) -> list[Fact]:
    """Let what merely repeats earlier lines share their fate: it was printed some seconds after them."""
    alive: dict[str, bool] = {}
    for fact in facts:
        if not fact.item.line.repeated:
            words = mask_line(fact.item.line.text)
            alive[words] = alive.get(words, False) or fact.alive
    return [
        replace(fact, outlived=True)
        if fact.item.line.repeated and not alive.get(mask_line(fact.item.line.text), True)
        else fact
        for fact in facts
    ]


def without_what_was_caught(facts: Sequence[Fact], case: JobCase) -> list[Fact]:
    """Count as outlived what a process printed with its stack, from below its top, and raised something else later.

    Only processes that the log names are told apart; what was raised while the first was handled is no other.
    """
    last: dict[tuple[int, Speaker], Sighting] = {}
    for fact in facts:
        raised = fact.item.raised
        if raised and raised.leaves and not raised.follows and fact.alive and is_root(fact.item):
            last[fact.item.source, fact.item.line.speaker] = fact.item
    return [replace(fact, outlived=True) if was_caught(fact.item, last) else fact for fact in facts]


def with_headings(facts: Sequence[Fact], case: JobCase) -> list[Fact]:
    """Let what stands right above a stack that was got over, and says in words what was tried, share its fate."""
    above = {(fact.item.source, fact.item.raised.head_number - 1) for fact in facts if fact.item.raised and fact.past}
    return [
        replace(fact, outlived=True)
        if fact.item.raised is None and (fact.item.source, fact.item.number) in above and not is_of_machine(fact.item)
        else fact
        for fact in facts
    ]


def was_caught(item: Sighting, last: Mapping[tuple[int, Speaker], Sighting]) -> bool:
    """Tell an exception that did not come out at the top of its process, where that was ended by another one."""
    end = last.get((item.source, item.line.speaker))
    if end is None or end.raised is None or item.raised is None or item.line.speaker == NOBODY:
        return False
    if (
        item.raised.leaves
        or item.raised.thread
        or not item.raised.frames
        or item.raised.number > end.raised.head_number
    ):
        return False
    return mask_line(item.line.text) != mask_line(end.line.text)


def with_what_ended_it(facts: Sequence[Fact], case: JobCase) -> list[Fact]:
    """Let what was said just before an exception that ended the job be as close to the end as that is.

    The steps that stand behind both were held back by a process: they were made before either.
    """
    badly = ended_badly(facts)
    ends = [fact for fact in facts if fact.past and not fact.dumped and is_late_end(fact.item, case, badly)]
    first = min(ends, key=lambda fact: fact.item.start, default=None)
    if first is None:
        return list(facts)
    own = case.own(first.item)
    return [replace(fact, outlived=False) if is_just_before(fact, first.item, own) else fact for fact in facts]


def ended_badly(facts: Sequence[Fact]) -> bool:
    """Tell a job of which something stands that it did not get over, and that does not say itself that it was."""
    weighty = (fact.item for fact in facts if fact.alive and fact.item.failure and fact.item.failure.weight)
    return any(tone_of(item) > HANDLED for item in weighty)


def is_late_end(item: Sighting, case: JobCase, badly: bool) -> bool:
    """Tell an exception that ended its process in the middle of its work, with only buffered steps behind it."""
    own = case.own(item)
    return ended_its_process(item) and may_be_late(item, own) and ended_the_job(item, own, badly)


def is_just_before(fact: Fact, end: Sighting, own: FailureReading) -> bool:
    """Tell a fact about the machine with hardly a step between it and the end."""
    item = fact.item
    near = fact.past and not fact.dumped and item.source == end.source and item.start < end.start
    return near and is_hardware(item) and steps_between(own, item.start, end.start) < FEW_STEPS


def fate_of(item: Sighting, readings: Sequence[FailureReading], stamps: Sequence[float]) -> tuple[Fact, str]:
    """Tell whether a sighting was got over, by steps or by the part itself, whether it stands in a dump, and how that
    is known.
    """
    own = readings[item.source]
    dump = dump_around(own.log, item, own.cleaner)
    back = is_of_machine(item) and came_back(item, own)
    way = way_outlived(item, readings, dump, stamps) or (LONG_BEFORE if was_long_before(item, own) else "")
    return Fact(item, bool(way), bool(dump), back), way or (CAME_BACK if back else "")


def was_long_before(item: Sighting, own: FailureReading) -> bool:
    """Tell by its date, or by the boot that it came with, what happened long before the job."""
    return is_of_long_before(item, own) or is_of_earlier_boot(item, own)


def was_stopped(item: Sighting) -> bool:
    """Tell the word that a scheduler has stopped the job, or a person: only buffers are printed after it."""
    if item.raised and item.raised.name == "KeyboardInterrupt":
        return item.raised.leaves
    return is_end(item) and bool(STOPPED.search(item.line.text))


def may_be_late(item: Sighting, own: FailureReading) -> bool:
    """Tell an uncaught exception or a fact about the machine after which only buffers may have been printed."""
    fatal = bool(item.raised and item.raised.fatal and is_root(item)) or is_hardware(item) or died_of_it(item, own)
    return fatal and in_buffer_reach(item, own) and not got_over(item, own)


def ended_the_job(item: Sighting, own: FailureReading, badly: bool) -> bool:
    """Tell the end of a process that was in the middle of its work, that ran all others, or that was the program."""
    if was_driver(item, own) or was_the_program(item, own):
        return True
    if ended_its_process(item) and not is_done(own) and handed_over_in_turn(item, own):
        return True
    after = own.later_marks(item) if item.line.speaker == NOBODY else []
    if went_on_at_once(after, own) and (not badly or len({mark.step for mark in after}) >= MANY_STEPS):
        return False
    return had_got_on(item, own) and (badly or is_unfinished(own))


def is_notice(item: Sighting, own: FailureReading) -> bool:
    """Tell what was said to be done to the job some minutes later, and is that long ago where it stopped."""
    if not item.failure or not own.marks or item.start < own.marks[0].start:
        return False
    if not item.failure.outside and not (is_root(item) and COMING.search(item.line.text)):
        return False
    said_s, last_s = item.line.time_s, own.marks[-1].time_s
    return said_s is None or last_s is None or item.line.clock != "epoch" or last_s - said_s <= NOTICE_S


def ended_its_process(item: Sighting) -> bool:
    """Tell an exception that came out at the top of its program."""
    return item.raised is not None and item.raised.leaves
