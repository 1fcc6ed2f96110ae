"""Void the number that a log's last line was cut in: nothing ends that line, and the lines like it go on."""

import re

from schedmate.tools.late_patterns import late

ENDS = re.compile(rb"[\r\n]")

LIKE = 64
"""Lines above the last among which one like it is looked for."""
DIGITS = re.compile(rb"\d+")
LAST_NUMBER = late(rb"\d[\d.]*$")

HEAD = 12
"""A line that was cut sooner says too little to tell which lines it is like."""
CUT = "…"
"""Stands where a line was cut."""
UNREAD = f"nan{CUT}"


def without_cut(rest: bytes, before: bytes) -> bytes:
    """Give a line that nothing ends without the number in which it was cut, as those before it of its kind tell."""
    mask, number = masked(rest), LAST_NUMBER.search(rest)
    if number is None or len(mask) < HEAD:
        return rest
    for line in reversed(ENDS.split(before)[-LIKE:]):
        like = masked(line)
        if like.startswith(mask):
            goes_on = len(like) > len(mask) or lacks_digits(number.group(), line)
            return rest[: number.start()] + UNREAD.encode() if goes_on else rest
    return rest


def lacks_digits(number: bytes, line: bytes) -> bool:
    """Tell whether a number is shorter than the one at the end of a line like its own."""
    other = LAST_NUMBER.search(line)
    return other is not None and len(number) < len(other.group()) - 1


def masked(line: bytes) -> bytes:
    """Give a line whatever its digits."""
    return DIGITS.sub(b"0", line.strip())
