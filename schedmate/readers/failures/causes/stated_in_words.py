"""Where nothing that is known explains an end, take what somebody stated before it in plain words of his own.

A watcher's notice, a card that has grown slow, a self-test that failed: no entry knows the words, and nobody need die
of them at once, so steps behind them do not show that they were got over.
"""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.plain_statements import (
    MOST_LIKELY,
    PlainStatement,
    is_of_a_machine,
    is_of_the_site,
    is_sure_of_the_site,
    statements,
)
from schedmate.readers.failures.causes.same_fault import apart
from schedmate.readers.failures.causes.watched_parts import names_of
from schedmate.readers.failures.lines.exceptions import TELLING
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.tools.late_patterns import late_re2

BEFORE_BYTES, BEHIND_BYTES, NEAR_BYTES = 1 << 17, 1 << 15, 1 << 13
"""How far before an effect, and behind it, somebody may have stated its cause; what is near where no step is known."""
ENDED = "other"

OF_THE_SITE = frozenset({ENDED, "infrastructure/other"})
"""The class of an end that somebody or a limit set, and what words speak of then: of him, or of the site's reason."""
AS_SURE = 0.1
"""The first one is taken of those that are about as sure as the surest."""
MET_OF_OTHERS = late_re2(
    r"(?i)time(?:d )?-?out|connect|unreachable|unavailable|refused|reset\b|\b(?:lost|gone|Errno|NCCL|CUDA)\b"
    r"|\bno (?:batch|data|answer|response|reply|sample)|\bwait(?:ed|ing)\b|\bclosed\b|\bdead\b|\bdied\b"
)
"""What a program raises where something that it waits for does not come: of that another may say more."""
VAGUE = 0.6
"""An entry that counts no more leaves open who is to blame."""
NOTHING_THERE = late_re2(
    r"'?NoneType'?|\bZeroDivisionError\b|\barg is an empty sequence\b|\b_?queue\.Empty\b|\blist index out of range\b"
    r"|\bStopIteration\b|\bpop from (?:an )?empty\b"
)
"""What is raised where something had not been loaded, read or made: nobody says there which it was, or why."""
FEW = 2
"""So many warnings may be meant."""
SCORE = 0.3
"""What such a statement counts."""


def stated_in_words(chosen: Suspect, case: JobCase) -> Suspect:
    """Give what was stated in plain words, where the choice is an effect, is told by its words alone, or was only met.

    What a program met of a part yields to a machine's or a watcher's own word of it.
    """
    own, place = case.own(chosen.sighting), chosen.sighting.start
    if says_nothing(chosen) and (before := warned_of(chosen, own)) is not None:
        return Suspect(before, SCORE, survived=False)
    last_step, is_open = last_step_before(own, place), leaves_open(chosen)
    if not is_open and not (own.marks and is_met(chosen)):
        return chosen
    told = statements(own, max(0, place - BEFORE_BYTES), place)
    fresh = [one for one in told if one.item.start > last_step]
    behind = statements(own, place + 1, place + BEHIND_BYTES) if not fresh and (chosen.effect or not is_open) else []
    stated = fresh or [one for one in behind if is_of_a_machine(one, own)]
    if not is_open:
        stated = [one for one in stated if is_sure_of_the_site(one.told)]
    elif chosen.sighting.raised is not None and not chosen.survived:
        # A program's own exception says more than what the program said before it, or anybody long ago.
        stated = [one for one in stated if is_of_the_site(one.told)]
    else:
        stated = stated or told
        if is_known_of_the_site(chosen):
            stated = [one for one in stated if is_of_the_site(one.told)]
    first = first_of_the_surest(stated, last_step)
    return Suspect(first.item, SCORE, survived=False) if first is not None else chosen


def last_step_before(own: FailureReading, place: int) -> int:
    """Give where the last step stands before a place; in a log whose steps nobody knows, somewhat before the place."""
    if not own.marks:
        return max(0, place - NEAR_BYTES)
    return max((mark.start for mark in own.marks if mark.start < place), default=0)


def says_nothing(chosen: Suspect) -> bool:
    """Tell an exception that only tells that something was not there: what that was is told before, or nowhere."""
    item = chosen.sighting
    return item.raised is not None and not chosen.survived and NOTHING_THERE.search(item.line.text) is not None


def warned_of(chosen: Suspect, own: FailureReading) -> Sighting | None:
    """Give the only thing, or the first of two, that the run was warned of before: of a library or its own."""
    place = chosen.sighting.start
    told = statements(own, max(own.attempt.start, place - BEFORE_BYTES), place, warns=True)
    own_kind = [one for one in told if one.told.sure >= MOST_LIKELY and not is_of_the_site(one.told)]
    sure = [one for one in own_kind if one.told.kind != ENDED and not apart(one.item, chosen.sighting)]
    return sure[0].item if 0 < len(sure) <= FEW else None


def is_met(chosen: Suspect) -> bool:
    """Tell what a program vaguely says of a part or a service, which may be to blame: `unspecified launch failure`."""
    item = chosen.sighting
    failure = item.failure
    if failure is None or failure.category == "infrastructure" or failure.weight > VAGUE:
        return False
    return may_be_of_others(item)


def may_be_of_others(item: Sighting) -> bool:
    """Tell what is raised where something does not come; of some exceptions the kind says that the program is wrong."""
    tells = item.raised is not None and item.raised.name in TELLING
    return not tells and MET_OF_OTHERS.search(item.line.text) is not None


def said_in_words_before(root: Sighting, case: JobCase) -> Sighting:
    """Walk back from what a program met of a machine or the site to who had stated that in plain words just before.

    Who ended a job is told as calmly as anything else: there what informs counts, too. What had been stated of the
    very part or host, steps have not mended.
    """
    failure = root.failure
    if failure is None or failure.category not in {"infrastructure", ENDED}:
        return root
    own, kind = case.own(root), f"infrastructure/{failure.subcategory or 'other'}"
    if root.raised is None and is_hardware(root):
        return root  # the machine itself tells it
    kinds = OF_THE_SITE if failure.category == ENDED or kind in OF_THE_SITE else {kind}
    last_step = last_step_before(own, root.start)
    low = max(0, root.start - BEFORE_BYTES)
    told = statements(own, max(last_step, low), root.start, informs=failure.category == ENDED)
    if names := names_of(root):
        told = statements(own, low, last_step, naming=names) + told
    alike = [one for one in told if one.told.kind in kinds and not apart(one.item, root)]
    first = next((one for one in alike if one.item.start <= last_step and is_sure_of_the_site(one.told)), None)
    first = first or first_of_the_surest(alike, last_step)
    return root if first is None else replace(first.item, failure=failure, named=root.named, raised=root.raised)


def is_known_of_the_site(chosen: Suspect) -> bool:
    """Tell a cause that an entry knows for a fault of a machine or the site, though it leaves open of which."""
    failure = chosen.sighting.failure
    if failure is None or chosen.effect or failure.wording or failure.general:
        return False
    return failure.category == "infrastructure" and failure.role == "root"


def first_of_the_surest(stated: Sequence[PlainStatement], last_step: int) -> PlainStatement | None:
    """Choose among what stands behind the last step, else among what is most likely a fault of the site."""
    fresh = [one for one in stated if one.item.start > last_step]
    stated = fresh or [one for one in stated if is_sure_of_the_site(one.told)]
    surest = max((one.told.sure for one in stated), default=0.0)
    return next((one for one in stated if one.told.sure >= surest - AS_SURE), None)


def leaves_open(chosen: Suspect) -> bool:
    """Tell what says nothing of why a job ended."""
    failure = chosen.sighting.failure
    if failure is None or chosen.effect or chosen.survived or failure.wording or failure.id == UNKNOWN_ID:
        return True
    raised = chosen.sighting.raised
    is_own = raised is not None and not may_be_of_others(chosen.sighting)
    return "machine" in failure.after or (failure.general and not failure.daemon and not is_own)
