"""Whether the job simply went on behind the choice: reading what stands around a line costs, so only chosen ones are
asked about.

Where the job ended badly later, and only effects say so, who fell silent at his trouble got over nothing, as far as
anybody can tell.
"""

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.asked_for_later import IN_A_TABLE
from schedmate.readers.failures.causes.looking_back import CAUGHT_BY_PROGRAMS
from schedmate.readers.failures.causes.same_fault import first_statement, is_same_fault, last_statement
from schedmate.readers.failures.sightings.loudness import is_end, is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import dies_natively, is_launchers_word
from schedmate.readers.failures.survival.pod_events import TROUBLE
from schedmate.readers.failures.survival.said_beside import got_over
from schedmate.readers.failures.survival.shell_setup import explains
from schedmate.readers.failures.survival.survived import breaks_for_good, fell_silent, goes_on
from schedmate.tools.late_patterns import late_re2

BOARDS_ROW = late_re2(r"^\W{0,4}[0-9a-f]{1,5} \| \d\d/\d\d/\d{2,4} \| ")
"""How ipmitool lists what a board has noted."""


def was_handled(chosen: Suspect, case: JobCase) -> bool:
    """Tell a choice of which the lines beside its last statement say that it was caught, skipped or done without."""
    last = last_statement(chosen, case.suspects)
    return not is_final(chosen, case) and got_over(last, case.own(last))


def went_on(chosen: Suspect, case: JobCase) -> bool:
    """Tell a choice behind which the process that printed it goes on, if not in want of its own word.

    A pod's events that somebody asked for when the job had failed no process printed: only later events clear them.
    Nor did a process print the rows of a board's event log: what stands behind them was asked for, too.
    """
    if is_final(chosen, case) or is_asked_for_after_an_end(chosen, case):
        return False
    if BOARDS_ROW.search(chosen.sighting.line.text) or breaks_for_good(chosen.sighting):
        return False
    return is_followed(chosen, case) and not fell_silent_at(chosen, case)


def is_asked_for_after_an_end(chosen: Suspect, case: JobCase) -> bool:
    """Tell an event of a pod that could not start, told behind what others met of it."""
    item = chosen.sighting
    if item.raised or not (IN_A_TABLE.search(item.line.text) and TROUBLE.search(item.line.text)):
        return False
    return any(one.effect and one.heard and is_before(one.sighting, item) for one in case.suspects)


def is_before(one: Sighting, other: Sighting) -> bool:
    """Tell an earlier line of one log."""
    return one.source == other.source and one.start < other.start


def is_followed(chosen: Suspect, case: JobCase) -> bool:
    """Tell a choice behind which others, or its own process, go on."""
    last = last_statement(chosen, case.suspects)
    return goes_on(first_statement(chosen, case.suspects), last, case.own(last))


def fell_silent_at(chosen: Suspect, case: JobCase) -> bool:
    """Tell a choice behind which its own process is not heard any more, and effects of it are."""
    last = last_statement(chosen, case.suspects)
    if not any(follows_as_effect(one, last) for one in case.suspects):
        return False
    return fell_silent(first_statement(chosen, case.suspects), last, case.own(last))


def is_only_silent(chosen: Suspect, case: JobCase) -> bool:
    """Tell a choice for which nothing speaks but that its own process fell silent: others go on."""
    if is_final(chosen, case) or not fell_silent_at(chosen, case) or not is_followed(chosen, case):
        return False
    last = last_statement(chosen, case.suspects)
    return not any(tells_of_same_process(one, last) for one in case.suspects)


def follows_as_effect(one: Suspect, last: Sighting) -> bool:
    """Tell what another's trouble may have led to later: peers that lost each other, or waited in vain."""
    return one.effect and one.heard and one.sighting.start > last.start


def tells_of_same_process(one: Suspect, last: Sighting) -> bool:
    """Tell a later line, of whatever weight, that a process prints of its own end, or that another prints of it."""
    item = one.sighting
    if item.source != last.source or item.start <= last.start or one.survived:
        return False
    rank = last.line.rank
    return item.line.speaker == last.line.speaker or (rank is not None and item.named.get("rank") == str(rank))


def is_final(one: Suspect, case: JobCase) -> bool:
    """Tell what no process goes on after: an end, by hand or in its launcher's word, native code's last words, what
    the machine states, tries in vain, or a part of the environment for want of which a program ended.
    """
    item = one.sighting
    if one.in_vain or is_end(item) or is_launchers_word(item) or dies_natively(item):
        return True
    stated = is_hardware(item) and not CAUGHT_BY_PROGRAMS.search(item.line.text)
    return stated or any(explains(item, other.sighting) for other in case.suspects if other.heard)


def says_so_before(one: Suspect, last: Sighting) -> bool:
    """Tell an earlier line of the same fault: what its last statement was got over, it was too."""
    item = one.sighting
    return item.source == last.source and item.start <= last.start and not one.effect and is_same_fault(item, last)
