"""Find a line's time stamp among its numbers; all that can be said is the difference of two stamps."""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from schedmate.readers.progress.lines.tokens import numbers_in, value_of

MONTHS = {
    name: place
    for place, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
CLOCK = r"(?:[01]?\d|2[0-4]):[0-5]\d:[0-6]\d(?:[.,]\d{1,9})?"
WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"

STAMPS = (
    ("ymd", re.compile(rf"(?<!\d)(?:19|20)\d\d([-/.])[01]?\d\1[0-3]?\d[ T_,:-]{{1,3}}{CLOCK}(?:Z|[+-]\d\d:?\d\d)?")),
    ("compact", re.compile(r"(?<![\w./-])(?:19|20)\d\d[01]\d[0-3]\d[- T]?[0-2]\d[0-5]\d[0-5]\d(?![\w./])")),
    ("ymd", re.compile(r"(?<![\w./-])(?:19|20)\d\d-[01]\d-[0-3]\d[ T-][0-2]\d-[0-5]\d-[0-5]\d(?![\w/-])")),
    ("dmy", re.compile(rf"(?<!\d)[0-3]?\d([-/.])[0-3]?\d\1(?:19|20)\d\d[ T_,]{{1,2}}{CLOCK}")),
    ("ampm", re.compile(r"(?<!\d)[01]?\d/[0-3]?\d/(?:20)?\d\d[ ,-]{1,3}[01]?\d:[0-5]\d[:.][0-5]\d ?[AaPp][Mm]\b")),
    ("short", re.compile(rf"(?<!\d)[0-3]?\d([-/.])[0-3]?\d\1\d\d[ T_,|]{{1,2}}{CLOCK}")),
    ("md", re.compile(rf"(?<!\d)[01]?\d[-/][0-3]\d[ T_]{CLOCK}(?: ?[AaPp][Mm]\b)?")),
    ("glog", re.compile(rf"(?<!\w)[IWEFD][01]\d[0-3]\d {CLOCK}")),
    ("mdc", re.compile(rf"(?<![\w.])[01]\d[0-3]\d {CLOCK}(?= @)")),
    (
        "named",
        re.compile(
            rf"(?i)\b(?:(?:{WEEKDAY}),? +)?(?:(?:{'|'.join(MONTHS)})[a-z]* +[0-3]?\d,? +(?:(?:19|20)\d\d,? +)?{CLOCK}"
            r"(?: (?:[A-Z]{2,4} )?(?:19|20)\d\d)?"
            rf"|[0-3]?\d([ /-])(?:{'|'.join(MONTHS)})[a-z]*(?:\1(?:19|20)\d\d)?[ ,T:]{{1,2}}{CLOCK}(?! ?[AP]M\b))"
        ),
    ),
    ("epoch", re.compile(r"^[\[(<]?1\d{9}(?:\d{3}|\.\d{1,9})?(?=[\]):,;| \t])")),
    ("clock", re.compile(rf"(?:^\s*|^\[\s*|(?<=\]) ?\[|^[\w\[\]:. ]{{0,24}}\[|^[\w\[\]:.]{{0,24}} )(?={CLOCK})")),
)
"""Most telling first. A bare clock counts at the start of a line alone: elsewhere it is a duration."""

NANOSECONDS = 7
"""So many digits behind the second are those of container runtimes and collectors: no program's logger writes them."""
MOMENT_DIGITS = {10: 1.0, 13: 1e-3, 16: 1e-6, 19: 1e-9}
"""How many digits the seconds since 1970 have in our time, and thousandths, millionths and billionths of them."""
LATEST_S = 4.2e9

TOGETHER = 14
"""Digits of a date and a time of day that are written together."""
WHOLE_DATES = {"ymd", "dmy", "short"}
HEAD = 120

TAIL = 40
"""So far from the end of a longer line a date with its time of day may begin that ends it."""
OPENERS = " \t[(<{|"
CLOSERS = " \t\r\n])>}|."
BARE = re.compile(rf"({CLOCK})(?=\s*(?:[\]|),]|- | [A-Za-z\[(]|: ))")


def find_stamp(line: str) -> tuple[str, int, int] | None:
    """Give the kind of the line's time stamp and where it stands; None when there is none."""
    head = line[:HEAD]
    for kind, pattern in STAMPS:
        found = pattern.search(head)
        if found is None:
            continue
        if kind != "clock":
            return kind, found.start(), found.end()
        clock = BARE.match(head, found.end())
        if clock and "<" not in head[: clock.end() + 1] and "%" not in head[: clock.start()]:
            return kind, clock.start(1), clock.end(1)
    return last_stamp(line) if len(line) > HEAD else None


def last_stamp(line: str) -> tuple[str, int, int] | None:
    """Give the date with its time of day that a long line ends with."""
    whole = line.rstrip(CLOSERS)
    kind, pattern = STAMPS[0]
    found = pattern.search(whole, max(HEAD, len(whole) - TAIL))
    return (kind, found.start(), found.end()) if found and found.end() == len(whole) else None


def stamp_here(text: str) -> tuple[str, int, int] | None:
    """Give the time stamp that a text begins with, behind a bracket or not."""
    inside = text.lstrip(OPENERS)
    opened = len(text) - len(inside)
    for kind, pattern in STAMPS[:-1]:
        found = pattern.match(inside)
        if found:
            return kind, opened, opened + found.end()
    clock = BARE.match(inside)
    if clock and "<" not in inside[: clock.end() + 1]:
        return "clock", opened, opened + clock.end(1)
    return None


def is_received(numbers: Sequence[str]) -> bool:
    """Tell whether a time stamp is that of who received a line."""
    return any(len(number.partition(".")[2]) >= NANOSECONDS for number in numbers)


@lru_cache(maxsize=1024)
def day_number(year: int, month: int, day: int) -> int:
    """Count days, so that stamps of different days can be parted; no such day counts as the month's first."""
    try:
        return date(year, month, day).toordinal()
    except (ValueError, OverflowError):
        return date(min(max(year, 1), 9999), min(max(month, 1), 12), 1).toordinal()


def stamp_s(kind: str, numbers: Sequence[str], month: int = 0) -> float | None:
    """Turn a stamp's numbers into seconds on a clock of its own kind; None when they make no time."""
    values = [value_of(text.lstrip("+-")) for text in numbers]
    if kind == "moment" or (kind == "epoch" and len(numbers) == 1):
        return moment_s(numbers[0].lstrip("+-"))
    if kind == "compact":
        return written_together("".join(text.lstrip("+-") for text in numbers))
    if not all(value < 1e10 for value in values):
        return None  # of this template, but no time stamp
    if kind in WHOLE_DATES:
        return dated(kind, numbers[0], values)
    if kind == "ampm" and len(values) in (5, 6):
        rest = values[3:] if len(values) == 6 else [values[3], int(values[4]), round(values[4] % 1 * 100)]
        return seconds(day_number(int(values[2]) % 100 + 2000, *sorted_month(values[1], values[0])), rest)
    if kind == "md" and len(values) >= 5:
        return seconds(day_number(2001, *sorted_month(values[1], values[0])), values[2:])
    if kind == "named" and len(values) >= 4:
        year, rest = (int(values[1]), values[2:]) if values[1] > 1900 else (2001, values[1:])
        return seconds(day_number(year, month, int(values[0])), rest)
    if kind == "mdc" and len(values) >= 4:
        return seconds(day_number(2001, *divmod(int(values[0]), 100)), values[1:])
    if kind == "glog" and len(values) >= 3:
        return seconds(0, values)
    if kind == "clock" and len(values) >= 3:
        return seconds(0, values)
    return None


def written_together(digits: str) -> float | None:
    """Read `20240305-091207`, a date and a time of day whose parts no mark parts."""
    if len(digits) != TOGETHER or not digits.isdigit():
        return None
    day = day_number(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    return seconds(day, [float(digits[at : at + 2]) for at in (8, 10, 12)])


def dated(kind: str, first: str, values: Sequence[float]) -> float | None:
    """Read a whole date and a time of day; of a date parted by dots two parts are one number, and the third is none."""
    if len(values) == 4 and "." in first:
        parts = first.split(".")
        if len(parts) != 2 or not all(part.isdigit() or not part for part in parts):
            return None
        one, two = (int(part or 0) for part in parts)
        days = day_number(one, two, 1) if kind == "ymd" else day_number(2001, *sorted_month(one, two))
        return seconds(days, values[1:])
    if len(values) < 6:
        return None
    if values[0] > 1900:  # whatever was seen under this template first
        return seconds(day_number(int(values[0]), int(values[1]), int(values[2])), values[3:])
    if kind == "short" or values[2] < 1900:
        return seconds(0, values[3:])  # 24/01/15 is a day of 2024 or of 2015: the time of day is certain
    day, month = values[:2] if kind == "dmy" else (values[1], values[0])
    return seconds(day_number(int(values[2]) % 100 + 2000, *sorted_month(day, month)), values[3:])


def moment_s(number: str) -> float | None:
    """Read a number as a time of day since 1970, in seconds or a part of them; None when it can be none."""
    scale = MOMENT_DIGITS.get(len(number.partition(".")[0]))
    seconds_since = value_of(number) * scale if scale and number[0].isdigit() else 0.0
    return seconds_since if 1e9 <= seconds_since < LATEST_S else None


def sorted_month(day: float, month: float) -> tuple[int, int]:
    """Tell month from day where a country's order shows: no month is above 12."""
    return (int(month), int(day)) if month <= 12 else (int(day), int(month))


def seconds(days: int, values: Sequence[float]) -> float | None:
    """Add up hours, minutes, seconds and the milliseconds that some loggers set behind a comma."""
    if len(values) < 3:
        return None
    total = days * 86400.0 + values[0] * 3600 + values[1] * 60 + values[2]
    if len(values) > 3 and values[2] == int(values[2]) and values[3] < 1000:
        total += values[3] / 1000
    return total


def stamp_numbers(line: str, start: int, end: int) -> tuple[int, ...]:
    """Give the slots of the numbers inside a stamp."""
    return tuple(slot for slot, found in enumerate(numbers_in(line).finditer(line)) if start <= found.start() < end)


def month_of(line: str, start: int, end: int) -> int:
    """Read a spelled month; 0 where the stamp has none."""
    words = re.findall(r"[A-Za-z]{3,}", line[start:end])
    return next((MONTHS[word[:3].lower()] for word in words if word[:3].lower() in MONTHS), 0)
