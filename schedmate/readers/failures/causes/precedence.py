"""Small rules of what outranks what: a mere warning explains nothing, a card's lost transfer what came after it."""

from collections.abc import Sequence
from itertools import islice

import re2

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.suspects import IN_A_TABLE
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_programs_warning, is_trackers, only_informs
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import is_done, is_unfinished
from schedmate.readers.failures.survival.said_beside import is_gone_on_after
from schedmate.readers.failures.survival.shell_setup import PYTHON_WARNS
from schedmate.tools.late_patterns import late_re2

CARDS_WORD = 0.8
"""What a network card's own library says of a transfer counts at least so much."""
CLEARED_AWAY, NEAR_LINES = "scheduler.k8s_deleted_by_hand", 12
DELETED = late_re2(r'^\S{1,80} "\S{1,120}" (?:force )?deleted\b')

AT_A_LOSS = re2.compile(
    r"\[Errno (?:5|108)\]|\bInput/output error\b|\btransport endpoint shutdown\b|synDeviceReset"
    r"|[Dd]evice (?:is )?in reset|\bGPU Hang\b|\bHW Exception by GPU\b"
    r"|[Dd]evice (?:was |is |has been )?(?:lost|removed)\b|DEVICE_(?:LOST|REMOVED)\b"
    r"|\bunspecified launch failure\b"
)
"""What is only known of a device or a file that is gone, and not why: that its driver tells."""


def says_little(chosen: Suspect, case: JobCase) -> bool:
    """Tell what ends no program by itself, where nothing else is left that speaks of trouble."""
    if not ends_nothing(chosen, case) or chosen.survived:
        return False
    return all(ends_nothing(one, case) for one in case.suspects if one.heard)


def ends_nothing(one: Suspect, case: JobCase) -> bool:
    """Tell a warning after which its program went on, a tracker's word, what is only informed of, and pods that were
    cleared away.
    """
    item = one.sighting
    if item.raised:
        return False
    warned = PYTHON_WARNS.search(item.line.text) is not None or only_informs(item) or is_trackers(item.line.text)
    warned = warned or (is_programs_warning(item) and is_gone_on_after(item, case.own(item)))
    return warned or (item.failure is not None and item.failure.id == CLEARED_AWAY and is_tidied(item, case.own(item)))


def is_tidied(item: Sighting, own: FailureReading) -> bool:
    """Tell pods that were deleted behind a run's last words: who is cut short speaks of its steps just before."""
    if is_unfinished(own):
        return False
    above = (own.cleaner.take(raw).text for raw in islice(own.log.lines_backward(item.start), NEAR_LINES))
    last = next((text for text in above if text.strip() and not DELETED.search(text)), "")
    return bool(last) and (is_done(own) or not is_progress(last))


def is_of_connection(one: Suspect) -> bool:
    """Tell what a program met on its way to another: the interface that was gone its kernel knows."""
    failure = one.sighting.failure
    return failure is not None and failure.subcategory == "network"


def came_before_memory_ran_out(one: Suspect, firm: Sequence[Suspect]) -> bool:
    """Tell a transfer that a card could not end before memory ran out anywhere: who had none did not end it."""
    item = one.sighting
    if not is_of_connection(one) or one.score < CARDS_WORD or one.dumped:
        return False
    others = [other for other in firm if not is_of_connection(other)]
    return bool(others) and all(is_memory(other) and follows_in_time(item, other.sighting) for other in others)


def is_memory(one: Suspect) -> bool:
    """Tell that an accelerator's memory ran out."""
    return one.sighting.kind[0] == "framework" and "memory" in (one.sighting.failure.id if one.sighting.failure else "")


def follows_in_time(item: Sighting, other: Sighting) -> bool:
    """Tell what stands behind a line in its log, and by their clocks, if both tell the time, is later."""
    first, second = item.line.time_s, other.line.time_s
    if first is not None and second is not None and item.line.clock == other.line.clock:
        return second > first
    return item.source == other.source and other.start > item.start


def looks_back(one: Suspect) -> bool:
    """Tell what somebody asked for when all was over: a dump, or a row of a table of events."""
    return one.dumped or (one.sighting.raised is None and IN_A_TABLE.search(one.sighting.line.text) is not None)


def is_lost(item: Sighting) -> bool:
    """Tell what only knows that a device or a file is gone."""
    return AT_A_LOSS.search(item.line.text) is not None
