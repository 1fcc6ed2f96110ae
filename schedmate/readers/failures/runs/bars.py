"""Tell a bar that begins, and what is only moved or looked at: a program that failed still saves, sends and draws."""

from collections.abc import Iterable, Sequence

from schedmate.readers.failures.lines.steps import StepMark, counts_of
from schedmate.readers.failures.lines.tracebacks import Raised
from schedmate.readers.lines import clean
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile

BAR = late_re2(r"\d{1,3}%\|")

MOVES = late_re2(
    r"(?i)\b(?:up|down)-?load|\b(?:sav|send|push|fetch|pull|synch?|copy|writ|flush|export|compress|dump|archiv|back|"
    r"pack|zipp|clean|delet|remov|collect|gather|finali[sz])(?:ing|up|s)?\b"
    r"|shards?\b|checkpoint|ckpt|\blogs?\b|artifact|tfevents|\.\w{1,12}: {0,8}\d{1,3}%\||\d[kMGTP]?i?B/s\b"
)
"""How a bar is named by which something is saved, sent or tidied up; it may count bytes, or a file names it."""
LOOKS_BACK = late_re2(
    r"(?i)\b(?:evaluating|scoring|testing|validating|predicting|inferring|plotting|rendering|drawing|summari[sz]ing"
    r"|(?:running|starting|begin\w*|doing) (?:\w+ )?(?:eval\w*|test\w*|inference|validation|predict\w*)"
    r"|(?:last|best|final|latest) (?:checkpoint|ckpt|model|weights))\b"
)
"""How a program says that it tries or draws what was made so far: it counts from one there, too."""


def text_of(mark: StepMark, log: LogFile) -> str:
    """Give the cleaned line of a step."""
    return clean(log.line_at(mark.start).raw).text


def moves_only(text: str) -> bool:
    """Tell a bar or a report of what is saved, sent or tidied up."""
    return MOVES.search(text) is not None


def is_a_new_bar(mark: StepMark, log: LogFile) -> bool:
    """Tell a bar of work that begins: it is printed at once, so a program that was dead by then did not draw it."""
    told, text = counts_of(mark.step), text_of(mark, log)
    return bool(told) and not told[0][0] and BAR.search(text) is not None and not moves_only(text)


def without_farewells(marks: Sequence[StepMark], raised: Iterable[Raised], log: LogFile) -> list[StepMark]:
    """Leave out the bars of what is saved or sent behind an exception that came out at the top: no step is made."""
    over = min((one.start for one in raised if one.leaves), default=log.size)
    return [mark for mark in marks if mark.start < over or not is_a_farewell(text_of(mark, log))]


def is_a_farewell(text: str) -> bool:
    """Tell a bar of what is saved or sent."""
    return BAR.search(text) is not None and moves_only(text)
