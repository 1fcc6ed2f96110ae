"""Find the lines that state a fault in plain words, and that no entry knows: no step, setting, question or sample."""

import re
from collections import Counter
from typing import NamedTuple

from schedmate.readers.failures.causes.looking_back import CAUGHT_BY_PROGRAMS
from schedmate.readers.failures.lines.machine_marks import PREFIX_BYTES, is_kernels, is_machines
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.lines.tracebacks import bare_exception
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.daemon_lines import DAEMON, said
from schedmate.readers.failures.sightings.loudness import INFORMS, LOUD, SOFT, is_news, is_trackers, tone_of
from schedmate.readers.failures.sightings.machine_trouble import is_calm, tells_of_trouble
from schedmate.readers.failures.sightings.plain_words import WORD, Spoken, entry_of, told_by_words
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.stack_lines import CODE_INDENT, is_call
from schedmate.readers.failures.survival.long_before import is_of_long_before
from schedmate.readers.failures.survival.notices import is_done_without_in_its_notice
from schedmate.readers.lines import Line
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.raw_lines import RawLine

LIKELY, MOST_LIKELY = 0.8, 0.9
"""How likely a line's words must make it that it states a fault: behind the last step, and before it."""
SETTING = late_re2(r"^(?:\S{1,40} {1,4}){0,4}[\w.-]{2,60} {0,30}[=:] {0,4}\S{1,200}$")
"""How a program or a shell lists what was set: a name and a value."""
MEASURE = late_re2(r"^[A-Za-z_:][\w:]{0,120}\{[^}]{0,1000}\} [-+]?(?:\d|NaN|Inf)[\d.eE+-]{0,30}(?: \d{1,20})?$")
"""How an exporter writes a measure for Prometheus: its name says what is counted, not that it came to be so."""
HEADS_SAMPLES = late_re2(
    r"(?i)^\W{0,8}(?:(?:some|random|generated|model|decoded|text|\d{1,4}) ){0,2}"
    r"(?:samples?|generations?|completions?|continuations?|outputs?)\b[^!?]{0,60}[-=~*#:]{1,80}$"
)
ENDS_SAMPLES = late_re2(r"^\W{3,}|^\W{2,8} ?(?i:end)\b")

MOST_SAMPLE_LINES = 40
"""Between which rulers or headings a program prints what its model wrote, and for how long."""
ASKS = late_re2(r"\?(?:\s|$)")
"""How a question ends: it states nothing."""
SOOTHES = late_re2(r"(?i)\bno need to\b|\bnothing (?:to do|has changed)\b|\b(?:is|are) up to date\b")
"""How one says that all is as it should be, and what need not be done."""
POINTS = late_re2(
    r"(?i)^\W{0,4}(?:(?:for|see|refer to|consult|visit)\b.{0,80}\b(?:guides?|docs?|documentation|manual|faqs?|help"
    r"|details|information)\b|[^:]{0,80}\b(?:guides?|documentation|manual|faqs?) ?:?$)"
)
"""How one says where more is to be read."""
LOGGER = late_re2(r"^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,80}:")
"""How Python's loggers begin a line where nobody set a format: the level, and the logger's name."""
COMPILERS = late_re2(r"[\w)\]]: (?:warning|remark)(?: #\d{1,6}(?:-D)?| [A-Z]{1,4}\d{1,6})?: |\[-W[a-z][\w=+-]{1,40}\]$")
"""How a compiler warns of what it compiled all the same."""
LEAST_WORDS = 4
"""A sentence has as many words at least; a row of a table has fewer."""
SOFT_HEAD = late_re2(
    r"(?i)^\W?(?:(?:warn(?:ing)?|info|debug|note|hint|tip)\b"
    r"|(?:user|human|assistant|prompt|question|answer|sample|generated|completion|response|text)(?: #?\d{1,6})?:)"
    r"|^[*\x{2022}-] +\S"
)
"""How a line begins that ends nothing: softly, as one point of a notice, or as a text that a model read or wrote."""
WARNING_HEAD = late_re2(r"(?i)^\W?(?:warn(?:ing)?|info|note)\b")

ELSEWHERE = late_re2(
    r"^\[[a-z][\w.-]{1,40}@[\w.-]{1,63}\]:? |\b(?:component|unit|service|daemon|source)=\"?[a-z]"
    r"|^[\w.-]{1,63}\|[a-z][\w.-]{2,40}\||^[a-z]\w{1,30}(?:-[a-z]\w{1,30}){1,4}[\[(][^\])]{1,40}[\])]: "
    r"|^[a-z]\w{1,30}(?:-[a-z]\w{1,30}){1,4} [A-Za-z][A-Za-z._-]{0,40}\d[\w.-]{0,40}:? "
    r"|^[a-z][a-z._-]{0,40}\d[\w.-]{0,40} [a-z]\w{1,30}(?:-[a-z]\w{1,30}){1,4}:? "
)
"""How who is no process of the job may begin beside: a name and a host in brackets, fields with names or between bars,
or a name of two words and what it watches.
"""
TELLS_ONLY = late_re2(r"^.{0,100}\b(?i:info|debug|notice)\b")
"""At which level nobody speaks of trouble."""
MOST_TIMES = 2
"""What is said more often is what all ranks say of the same end, or what a watcher says every day."""


class PlainStatement(NamedTuple):
    """A line, and what its words tell."""

    item: Sighting
    told: Spoken


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


def statements(
    own: FailureReading,
    start: int,
    end: int,
    *,
    informs: bool = False,
    warns: bool = False,
    naming: re.Pattern[bytes] | None = None,
) -> list[PlainStatement]:
    """Give the lines of a part of the run that state a fault, and that no entry knows; if asked, softly, too, or only
    those that bear a name.
    """
    found: list[tuple[str, PlainStatement]] = []
    shown_until = 0
    for raw in own.log.lines(own.log.bounds(start)[0] if start else 0, end):
        if naming is not None and not naming.search(raw.raw):
            continue
        line = own.cleaner.take(raw)
        if HEADS_SAMPLES.search(line.text):
            shown_until = raw.number + MOST_SAMPLE_LINES
        elif is_progress(line.text) or ENDS_SAMPLES.search(line.text):
            shown_until = 0
        may = raw.number > shown_until and own.attempt.holds(raw.start) and may_state(line, informs or warns)
        one = statement_in(raw, line, own) if may else None
        if one and is_done_without_in_its_notice(raw, own):
            continue
        if one and (warns or (informs and INFORMS.search(line.text)) or is_loud_enough(one)):
            found.append((mask_line(line.text), one))
    times = Counter(words for words, _ in found)
    return [one for words, one in found if naming is not None or times[words] <= MOST_TIMES]


def statement_in(raw: RawLine, line: Line, own: FailureReading) -> PlainStatement | None:
    """Read a line by its words; None where they state no fault, or one that others weigh, or one of another month."""
    told = told_by_words(said(line.text))
    if told is None or told.sure < LIKELY:
        told = told_by_its_part(raw, line, own)
    if (
        told is None
        or own.front.is_older(raw.start, line)
        or is_known(raw, line)
        or (is_of_the_site(told) and is_calm(line.text))
    ):
        return None
    if is_kernels(raw.raw[:PREFIX_BYTES]) and not tells_of_trouble(line.text):
        return None
    item = Sighting(own.source, raw.number, raw.start, line, entry_of(told.kind, line.text))
    return None if is_of_long_before(item, own) else PlainStatement(item, told)


def told_by_its_part(raw: RawLine, line: Line, own: FailureReading) -> Spoken | None:
    """Read what who is no process of the job tells of trouble with a part, in words that were never fitted."""
    words = said(line.text)
    if line.rank is not None or TELLS_ONLY.search(line.text):
        return None
    if words == line.text and not ELSEWHERE.search(line.text) and not is_machines(raw, own.cleaner):
        return None
    found = ready_entries().match_machine(line.text, words)
    return Spoken(f"infrastructure/{found[0].subcategory}", MOST_LIKELY) if found else None


def is_loud_enough(one: PlainStatement) -> bool:
    """Tell a statement from a warning; what a watcher warns of is one."""
    tone = tone_of(one.item)
    return tone == LOUD or (tone == SOFT and is_sure_of_the_site(one.told) and bool(DAEMON.search(one.item.line.text)))


def is_known(raw: RawLine, line: Line) -> bool:
    """Tell what others weigh: a line that an entry knows by more than its wording, an exception."""
    found = ready_entries().match(line.text)
    return bool(found and not found[0].wording) or bare_exception(raw.number, raw.start, line) is not None


def may_state(line: Line, softly: bool) -> bool:
    """Tell what may state a fault: no step, no source of a stack, nothing that begins softly or is of another day."""
    text = line.text
    if (
        ASKS.search(text)
        or SOOTHES.search(text)
        or POINTS.search(text)
        or COMPILERS.search(text)
        or is_call(text)
        or line.indent >= CODE_INDENT
        or len(WORD.findall(LOGGER.sub("", text).lower())) < LEAST_WORDS
        or is_progress(text)
        or (SOFT_HEAD.search(text) and not (softly and WARNING_HEAD.search(text)))
        or SETTING.search(text)
        or MEASURE.search(text)
        or CAUGHT_BY_PROGRAMS.search(text)
    ):
        return False
    return not (is_trackers(text) or is_news(text))
