"""Recognise a time stamp at the head of a line, in the many shapes that programs write."""

import calendar
import re
from typing import NamedTuple

MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
CLOCK = r"(?P<H>\d{1,2}):(?P<M>\d{2}):(?P<S>\d{2})(?:[.,:](?P<f>\d{1,9}))?"
ZONE = r"(?P<z> ?(?:Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}\b))?"
NAME = r"(?P<b>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"

SHAPES = [
    rf"(?P<Y>\d{{4}})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?:[T _-]|: ?){CLOCK}{ZONE}",
    rf"(?P<Y>\d{{4}})(?P<m>\d{{2}})(?P<d>\d{{2}})[T _:-]{CLOCK}{ZONE}",
    rf"(?P<Y>\d{{4}})(?P<m>\d{{2}})(?P<d>\d{{2}})[T_-](?P<H>\d{{2}})(?P<M>\d{{2}})(?P<S>\d{{2}})\b{ZONE}",
    rf"(?P<d>\d{{1,2}})[/-]{NAME}[/-](?P<Y>\d{{4}})[: ]{CLOCK}{ZONE}",
    rf"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +)?{NAME} +(?P<d>\d{{1,2}}),? +(?P<Y>\d{{4}}),? +{CLOCK}{ZONE}",
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +{NAME} +(?P<d>\d{{1,2}}) +{CLOCK}(?: [A-Z]{{2,5}})? +(?P<Y>\d{{4}})",
    rf"{NAME} +(?P<d>\d{{1,2}}) +{CLOCK}",
    rf"(?P<m>\d{{1,2}})[/-](?P<d>\d{{1,2}})[/-](?P<Y>\d{{4}})(?:,? +|-){CLOCK}(?P<p> ?[AP]M\b)?{ZONE}",
    rf"(?P<y>\d{{2}})/(?P<m>\d{{2}})/(?P<d>\d{{2}}) +{CLOCK}",
    rf"(?P<m>\d{{1,2}})[/-](?P<d>\d{{1,2}}) +{CLOCK}(?P<p> ?[AP]M\b)?",
    rf"(?P<l>[IWEFD])(?P<Y>\d{{4}})?(?P<m>\d{{1,2}})(?P<d>\d{{2}}) +{CLOCK}",
    r"(?P<e>1\d{9})(?:\.(?P<f>\d{1,9}))?(?=[\]:, ])",
    r"(?P<u>\d{1,8})\.(?P<f>\d{6})(?=\])",
    rf"{CLOCK}",
]
PATTERNS = [re.compile(rf"[\[(<]? {{0,6}}{shape}[\])>]?(?: ?[,:|-]{{1,2}})? ?") for shape in SHAPES]

BEGINS = re.compile(r"[\[(<]? {0,6}(?:\d|[A-Z][a-z]{2}|[IWEFD]\d)")
"""How every shape begins: what does not begin so, as most lines, need not be tried against each of them."""
HEAD_CHARS = 64

NEVER = 9999
"""A year that stands for no time; with an hour of another zone it passes the last that a calendar has."""


class Stamp(NamedTuple):
    """A time and how far it can be trusted: `day` lacks the date, `boot` counts from the machine's start."""

    time_s: float
    base: str
    length: int
    level: str = ""
    has_year: bool = True


def read_stamp(text: str, year: int = 1970) -> Stamp | None:
    """Read the stamp that a line begins with; shapes without a year get the one given."""
    head = text[:HEAD_CHARS]
    if not BEGINS.match(head) or not any(mark in head[:24] for mark in ":_-]. T"):
        return None
    for pattern in PATTERNS:
        match = pattern.match(head)
        if match and (time := to_seconds(match.groupdict(), year)) is not None:
            parts = match.groupdict()
            has_year = bool(parts.get("Y") or parts.get("y") or parts.get("e"))
            return Stamp(time[0], time[1], match.end(), parts.get("l") or "", has_year)
    return None


def to_seconds(parts: dict[str, str | None], year: int) -> tuple[float, str] | None:
    """Turn the parts of a stamp into seconds; None where they are no time at all."""
    fraction = float(f"0.{parts.get('f') or 0}")
    if parts.get("e"):
        return int(parts["e"] or 0) + fraction, "epoch"
    if parts.get("u"):
        return int(parts["u"] or 0) + fraction, "boot"
    hour, minute, second = (int(parts[key] or 0) for key in "HMS")
    if (parts.get("p") or "").strip() == "PM" and hour < 12:
        hour += 12
    if hour > 24 or minute > 59 or second > 60:
        return None
    clock = hour * 3600 + minute * 60 + second + fraction
    month = MONTHS.index((parts["b"] or "").lower()) // 3 + 1 if parts.get("b") else int(parts.get("m") or 0)
    if not month:
        return clock, "day"
    day = int(parts.get("d") or 0)
    if month > 12 >= day:
        month, day = day, month
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    whole = int(parts["Y"] or 0) if parts.get("Y") else 2000 + int(parts["y"] or 0) if parts.get("y") else year
    if not 1970 <= whole < NEVER:
        return None
    return calendar.timegm((whole, month, day, 0, 0, 0)) + clock - zone_s(parts.get("z")), "epoch"


def zone_s(zone: str | None) -> int:
    """Give a zone's offset from UTC; no zone counts as UTC."""
    zone = (zone or "").strip()
    if not zone or zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "")
    return (int(digits[:2]) * 3600 + int(digits[2:4]) * 60) * (1 if zone[0] == "+" else -1)
