"""Mask what varies in a log line (numbers, times, paths, addresses, ids, bars), so that equal statements look equal.

Most lines of a log repeat. Every run of digits is first turned into one `0`, which is fast and makes most lines equal
to one seen before; only a new one goes through the masks, which therefore are written for text where `0` stands for
any number. Lines that differ in nothing but what is masked share a template by construction.
"""

import re
from functools import lru_cache

from schedmate.tools.late_patterns import late

MAX_CHARS = 1000
"""How much of a line takes part: two lines that differ only behind this are one statement."""

REMEMBERED = 16_384

DIGITS = late(r"[0-9]+")
DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? {1,4}"
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
CLOCK = r"0:0:0(?:[.,]0)?(?:Z|[+-]0(?::0)?| ?[AP]M\b)?"

MASKS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("\x1b", late(r"\x1b\[[0-?]{0,32}[ -/]{0,8}[@-~]"), ""),
    ("%|", late(r"(?<=%\|)[^|\n]{1,400}\|"), "<bar>|"),
    ("]", late(r"\[[=>.# -]{5,400}\]"), "[<bar>]"),
    ("", late(r"[█▉▊▋▌▍▎▏░▒▓━╸╺╾╶╴●○■□▰▱]+"), "<bar>"),
    ("", late(r"([-=*_#~+^.─═])\1{3,}"), r"\1\1\1"),
    ("://", late(r"\b[A-Za-z][A-Za-z0-9+.-]{0,15}://[^\s'\"<>]+"), "<url>"),
    ("/", late(r"(?<![\w.~/<@+-])(?:~|\.{1,2})?/[^\s'\",:;()\[\]<>|=]*[^\s'\",:;()\[\]<>|=.]"), "<path>"),
    ("/", late(r"(?<![\w.~/<@+-])[\w-]+(?:/[\w.@+-]+)+\.[A-Za-z]\w{0,5}\b"), "<path>"),
    (":\\", late(r"\b[A-Za-z]:\\[^\s'\",;()\[\]<>|=]+"), "<path>"),
    (
        "0:0:0",
        late(rf"\b(?:{DAY})?{MONTH} {{1,4}}0 {{1,4}}(?:0,? {{1,4}})?{CLOCK}(?: [A-Z]{{3,4}})?(?: 0\b)?"),
        "<time>",
    ),
    ("-0", late(rf"\b0-(?:0|{MONTH})-0(?:[T _:]{CLOCK}|\b)"), "<time>"),
    ("/0", late(rf"\b0/(?:0|{MONTH})/0(?:[T _:]{CLOCK}|\b)"), "<time>"),
    ("0:0:0", late(rf"\b(?:0 days?,? )?{CLOCK}"), "<time>"),
    ("0.0.0.0", late(r"\b0(?:\.0){3}(?::0)?\b"), "<addr>"),
    ("0x", late(r"\b0x[0-9a-fA-F]+"), "<hex>"),
    (":", late(r"\b[a-f0]+(?::[a-f0]+){2,31}(?:\.0)?(?![\w:])"), "<addr>"),
    ("0e", late(r"\b0e0\b"), "0"),
    ("-", late(r"\b[a-fA-F0]+(?:-[a-fA-F0]+){4}\b"), "<id>"),
    ("", late(r"\b(?:[a-fA-F]*0){2,}[a-fA-F]*(?:-[a-fA-F0]+)*\b"), "<id>"),
    ("", late(r"\b(?:[A-Za-z]+0){3,}[A-Za-z]*\b"), "<id>"),
    ("0:0", late(r"\b0:0\b"), "<time>"),
    ("0", late(r"(?:(?<=[\s=:(\[,])[-+])?0(?:[.,]0)*(?:[eE][-+]?0)?"), "<num>"),
    ("<num>", late(r"(?:<num>,? {1,16}){8,}"), "<num> ... "),
)
"""What must stand in a line for the mask to be tried, the mask, what it leaves; the special come before the general."""


def mask_line(line: str) -> str:
    """Give a line's template; the same statement with other values gives the same one."""
    return mask_collapsed(DIGITS.sub("0", line[:MAX_CHARS]))


@lru_cache(REMEMBERED)
def mask_collapsed(line: str) -> str:
    """Mask a line whose runs of digits are one `0` each."""
    for needle, pattern, mask in MASKS:
        if needle in line:
            line = pattern.sub(mask, line)
    return " ".join(line.split())
