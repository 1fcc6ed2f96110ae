"""Tell where a line's own message begins: behind indents, quote marks, ranks, hosts, time stamps and levels."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from schedmate.readers.prefixes import SURE_PREFIXES, UNNAMED
from schedmate.readers.progress.lines.clocks import find_stamp, stamp_here
from schedmate.readers.templates import MONTH
from schedmate.tools.late_patterns import late

MAX_PARTS = 10
HEAD_CHARS = 400

QUOTING = re.compile(r"(?:>{1,6}|#{1,6}|//{1,4})[ \t]+|[\"'`](?=[^\"'`])")
"""What mails, notes and code put before a line that they quote."""
DOTS = re.compile(r"\.{2,300}(?=[IWEF][01]\d[0-3]\d \d\d:|\[?(?:19|20)\d\d[-/.]\d\d[-/.]\d\d)")
"""What a program printed without an end of line while it worked, before the stamp of its next message."""

MINUTES = re.compile(
    rf"(?:[\[(][ \t]?)?(?:\d{{1,2}} {MONTH}(?:,? \d{{4}})?|{MONTH} +\d{{1,2}}(?:,? \d{{4}})?"
    r"|(?:19|20)\d\d[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d(?:[-/.](?:20)?\d\d)?)"
    r",?(?:[ T]| \| )\d\d:\d\d(?![:.\d])[ \t]*[\])]?[ \t]*(?:[-|:,][ \t]+)?"
)
"""A date and a time of day without seconds: too coarse for a clock, and no value of the line."""
LEVEL = re.compile(
    r"[\[(<|]?[ \t]*(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|Info|Debug|info)"
    r"(?:[ \t]*[\])>|:,]+(?=[ \t])|(?=[ \t]))[ \t]*(?:[-|:][ \t]+)?"
)

LOGGER = re.compile(
    r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.-]{1,60}:(?=[ \t]*(?:\d{1,4}[-/:]\d\d|[IWEF][01]\d[0-3]\d \d\d:))"
    r"|:?(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):root:"
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):(?![\w.-]{0,60}(?:eval|valid|test|(?<![A-Za-z])(?:val|dev)(?![A-Za-z])))[\w.-]{1,60}:"
    r"(?=[ \t]*[\[({])"
)
"""What Python's logging prints by default: of its nameless logger, or before a program's own clock or bracket."""
SPOKEN = re.compile(
    r"(?:- )?[\w.-]{1,60} - (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) - "
    r"|\[[\w./-]{1,60}\]\[(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\] - "
)
"""A logger's name and level between dashes, as Python's own handbook sets them behind the time."""
OWNER = re.compile(r"[A-Za-z_][\w.-]{0,60}[ \t]+(?=(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)(?::|[ \t]))")
"""A logger's name between the time and the level, as `maskrcnn_benchmark INFO: `."""
DOTTED = late(r"[A-Za-z_]\w{0,40}(?:\.\w{1,40}){1,6}[ \t]+[-|][ \t]+")
"""A logger's name behind the level, as `INFO - joeynmt.training - `: it tells what wrote the line, not what it says."""
PROGRAM = re.compile(r"[A-Za-z0-9][\w.-]{0,62}[ \t]+[\w./@-]{1,48}\[\d{1,9}\]:[ \t]+")
"""The machine and the process, as the system's own log names them behind the time."""
SOURCE = re.compile(
    r"(?:\d{1,9}[ \t]+)?[\[@]?[\w./-]{1,80}\.(?:py|cc|cpp|cu|h|go|java|rs|c):\d{1,6}"
    r"(?:[\]):]+|(?=[ \t]+-))[ \t]*(?:-[ \t]+)?"
    r"|[\w.-]{1,80}:[\w.<>]{1,60}:\d{1,6}[ \t]+-[ \t]+"
)
"""A file and its line, or module, function and line."""
WRITER = re.compile(
    r"\[(?!epoch|step|iter|batch|round|fold|stage)[a-z][\w.-]{0,60}(?:[-_]\d{1,5}:\d{1,3}\][ :]|/\d{1,5}\]:)[ \t]*"
)
"""A role and its replica, as `[trainer/0]: ` and `[train-0:1] `."""
COMPOSED = re.compile(
    r"(?!(?:epoch|step|iter|iteration|batch|round|fold|stage|phase|layer|block|level|task|trial|top|loss|acc)[-_])"
    r"(?:[a-z][a-z0-9.]{0,40}(?:[-_][a-z0-9.]{1,40}){0,4}[-_](?=\d+ )|(?:worker|trainer|node|host|proc|pod)(?=\d))"
    r"(\d{1,5}) {0,8}\| "
)
"""A service and its replica, as compose writes `trainer-0  | `."""
NAMED = re.compile(r"\[[A-Za-z_][\w.-]{0,60}\][ \t]+(?=\[\d{4}[-/.]\d\d[-/.]\d\d[ T]\d\d:\d\d)")
"""A logger's name in brackets, before a whole date in brackets of its own."""
DAY = r"(?:19|20)\d\d[-/.]\d\d[-/.]\d\d[ T]\d\d:\d\d:\d\d[\d.,+Z-]{0,16}"
SPEAKS = r"(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)"

BARRED = re.compile(
    rf"(?:{SPEAKS}[ ]?\|[ ]?{DAY}|{DAY}[ ]?\|[ ]?{SPEAKS})[ ]?\|"
    r"(?:[ ]?[A-Za-z_/<][\w<>-]{0,40}[./][\w./<>-]{0,80}(?::[\w<>]{1,60}){0,2}\|(?:\d{1,6}\|)?)?[ \t]*"
    rf"|\[{SPEAKS}\|[\w./-]{{1,80}}:\d{{1,6}}\][ ]{DAY}[ ]>>[ ]"
)
"""Level, time and source between bars, `INFO|2031-02-03T10:00:00|/run.py|27| `; so Transformers sets them, too."""
OF_ALL = re.compile(r"\(\d{1,5}/\d{1,5}\)[ \t]+(?=[A-Z])")
"""Which process of how many, behind a source: `[train.py:546] (0/7) Epoch 1`."""
DIGIT = re.compile(r"\d")
CLOSERS = re.compile(r"[\])>}]*[ \t]*(?:[-,:;][ \t]+)?")
FULL_DATES = {"ymd", "dmy", "named"}

Span = tuple[str, int, int]
"""A time stamp's kind and where it stands."""

SURE_PREFIX = re.compile("|".join(UNNAMED.sub("(?:", one.pattern) for one in SURE_PREFIXES))


class Head(NamedTuple):
    """What stands before a line's message: where it ends, and the places of a time stamp and of a rank in it."""

    end: int
    stamp: Span | None = None
    rank: tuple[int, int] | None = None


def head_of(line: str) -> Head:
    """Peel what is put before a line, outermost first; what is told twice keeps its innermost value."""
    head = peeled(line[:HEAD_CHARS])
    inner = find_stamp(line[head.end :])
    if inner is None or (head.stamp and inner[0] not in FULL_DATES):
        return head
    return head._replace(stamp=(inner[0], head.end + inner[1], head.end + inner[2]))


def message_start(line: str) -> int:
    """Give the place where a line's own message begins."""
    return peeled(line[:HEAD_CHARS]).end


def peeled(text: str) -> Head:
    """Take off one part after the other, as long as there is one."""
    place = blank_end(text, 0)
    stamp: Span | None = None
    rank: tuple[int, int] | None = None
    sourced = levelled = False
    for _ in range(MAX_PARTS):
        found = SURE_PREFIX.match(text, place)
        if found:
            rank = span_of_rank(text, place) or rank
        elif barred := BARRED.match(text, place):
            found, stamp = barred, stamp_within(text, *barred.span())
        elif leading := stamp_at(text, place):
            stamp = leading
            found = CLOSERS.match(text, leading[2])
        elif composed := COMPOSED.match(text, place):
            found, rank = composed, composed.span(1)
        else:
            found = first_of((QUOTING, DOTS, LEVEL, LOGGER, WRITER, NAMED, MINUTES), text, place)
            if not found and sourced:
                found = OF_ALL.match(text, place)
            elif not found and levelled and (dotted := DOTTED.match(text, place)):
                found = dotted
            elif not found and stamp:
                source = SOURCE.match(text, place)
                found, sourced = first_of((PROGRAM, SPOKEN, OWNER), text, place) or source, source is not None
        if not found:
            break
        end, levelled = found.end(), found.re is LEVEL
        if levelled and "|" in found.group() and opens_row(text, place, end):
            end = text.rindex("|", 0, end)
        place = blank_end(text, end)
    return Head(place, stamp, rank) if place < len(text.rstrip()) else Head(0)


def opens_row(text: str, place: int, end: int) -> bool:
    """Tell whether the bar behind a level is that of a table's row: none stands before it, and more follow."""
    return "|" not in text[max(0, place - 2) : place + 1] and text.count("|", end) > 1


def first_of(patterns: Iterable[re.Pattern[str]], text: str, place: int) -> re.Match[str] | None:
    """Give the match of the first pattern that stands here."""
    return next((found for one in patterns if (found := one.match(text, place))), None)


def blank_end(text: str, place: int) -> int:
    """Pass over spaces."""
    return place + len(text[place:]) - len(text[place:].lstrip())


def stamp_at(text: str, place: int) -> Span | None:
    """Give the time stamp that begins right here, or behind a bracket."""
    found = stamp_here(text[place:]) if DIGIT.search(text, place, place + 16) else None
    return (found[0], place + found[1], place + found[2]) if found else None


def stamp_within(text: str, start: int, end: int) -> Span | None:
    """Give the time stamp that stands somewhere between two places."""
    found = find_stamp(text[start:end])
    return (found[0], start + found[1], start + found[2]) if found else None


RANKED = re.compile(r"[\[(]?(?:rank|RANK|Rank|default|worker|trainer|node|1,)[ :=_-]?(\d{1,6})")


def span_of_rank(text: str, place: int) -> tuple[int, int] | None:
    """Find the rank's number in a launcher's prefix."""
    found = RANKED.match(text, place)
    return found.span(1) if found else None
