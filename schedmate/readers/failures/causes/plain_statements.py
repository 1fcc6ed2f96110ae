"""Where nothing that is known explains an end, take what somebody stated before it in plain words of his own.

A watcher's notice, a card that has grown slow, a self-test that failed: no entry knows the words, and nobody need die
of them at once, so steps behind them do not show that they were got over.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import re2

from schedmate.readers.failures.causes.looking_back import CAUGHT_BY_PROGRAMS
from schedmate.readers.failures.causes.same_fault import apart
from schedmate.readers.failures.causes.suspects import Suspect
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.lines.tracebacks import bare_exception
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.daemon_lines import DAEMON, said
from schedmate.readers.failures.sightings.loudness import INFORMS, LOUD, is_hardware, is_news, is_trackers, tone_of
from schedmate.readers.failures.sightings.machine_trouble import is_calm
from schedmate.readers.failures.sightings.plain_words import WORD, Spoken, entry_of, told_by_words
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.stack_lines import CODE_INDENT
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.readers.failures.survival.long_before import is_of_long_before
from schedmate.readers.lines import Line
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import RawLine

BEFORE_BYTES, BEHIND_BYTES, NEAR_BYTES = 1 << 17, 1 << 15, 1 << 13
"""How far before an effect, and behind it, somebody may have stated its cause; what is near where no step is known."""
LIKELY, MOST_LIKELY = 0.8, 0.9
"""How likely a line's words must make it that it states a fault: behind the last step, and before it."""
SETTING = re2.compile(r"^(?:\S{1,40} {1,4}){0,4}[\w.-]{2,60} {0,30}[=:] {0,4}\S{1,200}$")
"""How a program or a shell lists what was set: a name and a value."""
HEADS_SAMPLES = re2.compile(
    r"(?i)^\W{0,8}(?:(?:some|random|generated|model|decoded|text|\d{1,4}) ){0,2}"
    r"(?:samples?|generations?|completions?|continuations?|outputs?)\b[^!?]{0,60}[-=~*#:]{1,80}$"
)
ENDS_SAMPLES = re2.compile(r"^\W{3,}|^\W{2,8} ?(?i:end)\b")
MOST_SAMPLE_LINES = 40
"""Between which rulers or headings a program prints what its model wrote, and for how long."""
ASKS = re2.compile(r"\?(?:\s|$)")
"""How a question ends: it states nothing."""
LEAST_WORDS = 4
"""A sentence has as many words at least; a row of a table has fewer."""
ENDED = "other"
OF_THE_SITE = frozenset({ENDED, "infrastructure/other"})
"""The class of an end that somebody or a limit set, and what words speak of then: of him, or of the site's reason."""
AS_SURE = 0.1
"""The first one is taken of those that are about as sure as the surest."""
MET_OF_OTHERS = re2.compile(
    r"(?i)time(?:d )?-?out|connect|unreachable|unavailable|refused|reset\b|\b(?:lost|gone|Errno|NCCL|CUDA)\b"
    r"|\bno (?:batch|data|answer|response|reply|sample)|\bwait(?:ed|ing)\b|\bclosed\b|\bdead\b|\bdied\b"
)
"""What a program raises where something that it waits for does not come: of that another may say more."""
SOFT = re2.compile(
    r"(?i)^\W?(?:(?:warn(?:ing)?|info|debug|note|hint|tip)\b"
    r"|(?:user|human|assistant|prompt|question|answer|sample|generated|completion|response|text)(?: #?\d{1,6})?:)"
    r"|^[*\x{2022}-] +\S"
)
"""How a line begins that ends nothing: softly, as one point of a notice, or as a text that a model read or wrote."""
MOST_TIMES = 2
"""What is said more often is what all ranks say of the same end, or what a watcher says every day."""
SCORE = 0.3
"""What such a statement counts."""


@dataclass(frozen=True, slots=True)
class PlainStatement:
    """A line, and what its words tell."""

    item: Sighting
    told: Spoken


def stated_in_words(chosen: Suspect | None, readings: Sequence[FailureReading]) -> Suspect | None:
    """Give what was stated in plain words, where the choice is an effect, is told by its words alone, or was only met.

    What a program met of a part yields to a machine's or a watcher's own word of it.
    """
    if chosen is None:
        return None
    own, place = readings[chosen.sighting.source], chosen.sighting.start
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
    first = first_of_the_surest(stated, last_step)
    return Suspect(first.item, SCORE, survived=False) if first is not None else chosen


def last_step_before(own: FailureReading, place: int) -> int:
    """Give where the last step stands before a place; in a log whose steps nobody knows, somewhat before the place."""
    if not own.marks:
        return max(0, place - NEAR_BYTES)
    return max((mark.start for mark in own.marks if mark.start < place), default=0)


def is_met(chosen: Suspect) -> bool:
    """Tell what a program says as it met something that a machine, a card or a service may be to blame for."""
    item = chosen.sighting
    in_program = item.failure is not None and item.failure.category in {"script", "framework"}
    return in_program and MET_OF_OTHERS.search(item.line.text) is not None


def said_in_words_before(root: Sighting, readings: Sequence[FailureReading]) -> Sighting:
    """Walk back from what a program met of a machine or the site to who had stated that in plain words just before.

    Who ended a job is told as calmly as anything else: there what informs counts, too.
    """
    failure = root.failure
    if failure is None or failure.category not in {"infrastructure", ENDED}:
        return root
    own, kind = readings[root.source], f"infrastructure/{failure.subcategory or 'other'}"
    if root.raised is None and is_hardware(root):
        return root  # the machine itself tells it
    kinds = OF_THE_SITE if failure.category == ENDED or kind in OF_THE_SITE else {kind}
    last_step = last_step_before(own, root.start)
    told = statements(own, max(last_step, root.start - BEFORE_BYTES), root.start, informs=failure.category == ENDED)
    first = first_of_the_surest(
        [one for one in told if one.told.kind in kinds and not apart(one.item, root)], last_step
    )
    return root if first is None else replace(first.item, failure=failure, named=root.named, raised=root.raised)


def first_of_the_surest(stated: Sequence[PlainStatement], last_step: int) -> PlainStatement | None:
    """Choose among what stands behind the last step, else among what is most likely a fault of the site."""
    fresh = [one for one in stated if one.item.start > last_step]
    stated = fresh or [one for one in stated if is_sure_of_the_site(one.told)]
    surest = max((one.told.sure for one in stated), default=0.0)
    return next((one for one in stated if one.told.sure >= surest - AS_SURE), None)


def is_of_the_site(told: Spoken) -> bool:
    """Tell a fault of a machine or its site: what a program says of itself and gets over is over."""
    return told.kind.startswith("infrastructure")


def is_sure_of_the_site(told: Spoken) -> bool:
    """Tell what is most likely one."""
    return told.sure >= MOST_LIKELY and is_of_the_site(told)


def is_of_a_machine(one: PlainStatement, own: FailureReading) -> bool:
    """Tell what a kernel, a daemon or a list of events says: a program's words behind an end are of its tear-down."""
    line = one.item.line
    listed = line.indent > 0 and line.rank is None
    return listed or DAEMON.search(line.text) is not None or is_machines(own.log.line_at(one.item.start), own.cleaner)


def leaves_open(chosen: Suspect) -> bool:
    """Tell what says nothing of why a job ended."""
    failure = chosen.sighting.failure
    if failure is None or chosen.effect or chosen.survived or failure.wording or failure.id == UNKNOWN_ID:
        return True
    raised = chosen.sighting.raised
    is_own = raised is not None and not MET_OF_OTHERS.search(chosen.sighting.line.text)
    return "machine" in failure.after or (failure.general and not failure.daemon and not is_own)


def statements(own: FailureReading, start: int, end: int, *, informs: bool = False) -> list[PlainStatement]:
    """Give the lines of a part of the run that state a fault, and that no entry knows; of what informs, if asked."""
    found: list[tuple[str, PlainStatement]] = []
    shown_until = 0
    for raw in own.log.lines(own.log.bounds(start)[0] if start else 0, end):
        line = own.cleaner.take(raw)
        if HEADS_SAMPLES.search(line.text):
            shown_until = raw.number + MOST_SAMPLE_LINES
        elif is_progress(line.text) or ENDS_SAMPLES.search(line.text):
            shown_until = 0
        may = raw.number > shown_until and own.attempt.holds(raw.start) and may_state(line, informs)
        told = told_by_words(said(line.text)) if may else None
        if told is None or told.sure < LIKELY or is_known(raw, line) or (is_of_the_site(told) and is_calm(line.text)):
            continue
        item = Sighting(own.source, raw.number, raw.start, line, entry_of(told.kind, line.text))
        if is_of_long_before(item, own):
            continue
        if tone_of(item) == LOUD or (informs and INFORMS.search(line.text)):
            found.append((mask_line(line.text), PlainStatement(item, told)))
    times = Counter(words for words, _ in found)
    return [one for words, one in found if times[words] <= MOST_TIMES]


def is_known(raw: RawLine, line: Line) -> bool:
    """Tell what others weigh: a line that an entry knows by more than its wording, an exception."""
    found = ready_entries().match(line.text)
    return bool(found and not found[0].wording) or bare_exception(raw.number, raw.start, line) is not None


def may_state(line: Line, informs: bool) -> bool:
    """Tell what may state a fault: no step, no source of a stack, nothing that begins softly or is of another day."""
    text = line.text
    if (
        ASKS.search(text)
        or line.indent >= CODE_INDENT
        or len(WORD.findall(text.lower())) < LEAST_WORDS
        or is_progress(text)
        or (SOFT.search(text) and not (informs and INFORMS.search(text)))
        or SETTING.search(text)
        or CAUGHT_BY_PROGRAMS.search(text)
    ):
        return False
    return not (is_trackers(text) or is_news(text))
