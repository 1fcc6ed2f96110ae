"""Read what was printed right behind a progress bar, which ends in no newline: a shell's word, a launcher's, an error.

A bar is redrawn on its line, so whoever prints next continues that line.
"""

from schedmate.readers.lines import NOT_KNOWN, Line, Own, clean, within
from schedmate.tools.late_patterns import late_re2

TQDM = late_re2(
    r"^.*\d%\|[^|]*\| *[\d.,kMGT]+/[\d.,kMGT?]+ \[[^\[\]]+(?:\[[^\[\]]*\][^\[\]]*)*\] *(?P<rest>[\w*\[(/].*)$"
)
"""A bar with figures in brackets, which may hold brackets themselves."""
KERAS = late_re2(r"^.*\b\d+/\d+ \[[=>.\-]{5,}\].*?\d(?P<rest>[A-Z][a-z]{3,}.*)$")
"""A bar that its figures follow: what begins with a large letter right behind one of them is another's word."""
SHELL = late_re2(
    r"^.*(?:[\d.%)\]|>*#]|/s|/it|/step|\x{2026})"
    r"(?P<rest>(?:Killed|Terminated|Aborted|Hangup|Segmentation fault|Bus error|Illegal instruction"
    r"|Floating point exception)(?: \(core dumped\))?)$"
)
"""Any line that was not ended yet when the shell said what became of the program."""
ENDS = ("illed", "inated", "orted", "angup", " fault", " error", "uction", "eption", "dumped)")


def behind_a_bar(line: Line, year: int = 1970, own: Own = NOT_KNOWN) -> Line:
    """Give what stands behind the last bar of a line, with what the line's prefix tells; else the line."""
    rest = rest_of(line.text)
    return within(line, clean(rest, year, own)) if rest else line


def rest_of(text: str) -> str:
    """Give what stands behind a bar; most lines hold none, which is told without a pattern."""
    for pattern, may_be in (
        (TQDM, "%|" in text and "]" in text),
        (KERAS, "] - " in text),
        (SHELL, text.endswith(ENDS)),
    ):
        if may_be and (found := pattern.match(text)):
            return str(found["rest"])
    return ""
