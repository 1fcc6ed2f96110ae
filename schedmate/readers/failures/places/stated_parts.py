"""Name the part that a machine's own report speaks of, by the words in which drivers and controllers name parts."""

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line, clean
from schedmate.tools.late_patterns import late
from schedmate.tools.raw_lines import split_lines

ADDRESS = r"[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
OF_CEPH = late(r"\blibceph: ((?:osd|mon|mds)\d{1,5}) (?:down\b|\S+ (?:connect error|session lost))")

IN_LINES = {
    "node": (
        ("device", late(r"\bnvme (nvme\d{1,3}): ")),
        ("device", late(r"\b(CPU ?#?\d{1,4})(?:: Machine Check|\b.{0,20} stuck for )")),
        ("device", late(r"\bvdev=(?:/dev/(?:disk/by-\w{1,20}/)?)?(\S{3,120}) error=")),
        ("device", late(r"\bat (?:the )?location(?:\(s\)|s)? (DIMM\S{1,8}\w)")),
        ("pci", late(rf"\berror (?:message )?received(?: from|:) ({ADDRESS})")),
        ("service", late(r"\bPool '([\w.:-]{1,255})' has encountered")),
        ("service", late(r"\bLustre(?:Error)?: .{0,40}?\b([\w-]{1,40}-(?:OST|MDT)[0-9a-f]{4})\b")),
        ("service", OF_CEPH),
    ),
    "gpu": (
        ("gpu", late(r"(?:\bin |^)GPU (\d{1,2})(?=[.:,]? |[.:]?$)")),
        ("device", late(r"\bCould not open the (nd\d{1,2})\b")),
        ("device", late(r"\b(nd\d{1,2}):nc\d{1,2} execution failed\b")),
    ),
    "network": (("peer", late(r"\bPeer host id: ([\w-]{3,40})")),),
    "other": (
        ("device", late(r"\| (?:Temperature|Fan|Voltage) #?(?!0x)([\w.-]{2,40}) \|")),
        ("service", late(r" -m (\d{1,3}(?:\.\d{1,3}){3}:\d{2,5}(?:,\d{1,3}(?:\.\d{1,3}){3}:\d{2,5})*) ")),
        ("service", late(r"\b(?:mount|Mount)\w{0,30}\b.{0,120}?[ '\"]([A-Za-z\d][\w.-]{2,80}):/\w")),
        ("service", OF_CEPH),
    ),
}
"""By what a fault is of: which words name which kind of part."""

ROWS = (
    late(r"\[Hardware Error\]: +DIMM location: +(\S.{0,60}\S)"),
    late(r"\[Hardware Error\]: +fru_text: +(\S.{0,60}\S)"),
    late(r"^(CPU \d{1,4})(?: \d{1,4})? BANK \d{1,3}\b"),
    late(r"^Device Location {1,40}: (\S.{0,60}\S)"),
    late(r"^physicaldrive ([\w:]{3,20})$"),
)
"""How a report of several lines names its part, in a row of its own; what comes first tells most exactly."""
OF_REPORTS = ("node.", "machines.node", "storage.raid_drive")
"""The entries whose lines stand in such reports."""
REPORT_LINES = 16

BEGINS = late(
    r"^Hardware event\. |\[Hardware Error\]: Hardware error from|^Device Type {1,40}: "
    r"|^physicaldrive [\w:]{3,20}$|^[-=*# ]{8,}$"
)
"""How the next report begins, or what rules it off."""

SPEAKER = re.compile(r"[A-Za-z][\w-]{2,30}: ")
NEIGHBOURS, NEIGHBOUR_BYTES = 3, 2048
SERVICE = late(r"host='([\w.-]{1,253})'|\bhttps?://([\w.-]{1,253})")

CAUSED_BY = late(r"^caused by: .{0,40}?\bhttps?://([\w.-]{1,253})")
"""How Go's clients say, below what they could not do, of whom they asked it."""
CAUSE_LINES = 2


def stated_parts(item: Sighting) -> Iterator[tuple[str, str]]:
    """Give kind and name of each part that a line names in its maker's words."""
    failure = item.failure
    if item.raised or failure is None or failure.category != "infrastructure":
        return
    for kind, pattern in IN_LINES.get(failure.subcategory or "", ()):
        if match := pattern.search(item.line.text):
            yield kind, match[1]


def same_speaker(root: Sighting, reading: FailureReading) -> Iterator[Line]:
    """Give the lines just before and after that the same part of the kernel printed: one report has many lines."""
    speaker = SPEAKER.match(root.line.text)
    if root.raised or not speaker:
        return
    low = max(0, root.start - NEIGHBOUR_BYTES)
    near = list(split_lines(reading.log.window(low, root.start + NEIGHBOUR_BYTES), 0, low))
    before = [raw for raw in near if raw.start < root.start][-NEIGHBOURS:]
    after = [raw for raw in near if raw.start > root.start][:NEIGHBOURS]
    for raw in (*reversed(before), *after):
        line = clean(raw.raw)
        if speaker[0] in line.text[:80]:
            yield line


def part_of_report(item: Sighting, own: FailureReading) -> str:
    """Give the part that another row of the same report names."""
    if item.raised or item.failure is None or not item.failure.id.startswith(OF_REPORTS):
        return ""
    above, below = rows_above(item, own), islice(own.log.lines(item.start), 1, 1 + REPORT_LINES)
    texts = (own.cleaner.take(raw).text for raw in below)
    rows = [*above, *takewhile(lambda text: not BEGINS.search(text), texts)]
    return next((match[1] for pattern in ROWS for row in rows if (match := pattern.search(row))), "")


def rows_above(item: Sighting, own: FailureReading) -> list[str]:
    """Give the rows of a line's report that stand above it, the nearest first, as far as its head."""
    rows: list[str] = []
    if BEGINS.search(item.line.text):
        return rows
    for raw in islice(own.log.lines_backward(item.start), REPORT_LINES):
        rows.append(own.cleaner.take(raw).text)
        if BEGINS.search(rows[-1]):
            break
    return rows


def service_in(item: Sighting) -> str:
    """Give the address of a service that a line names."""
    match = SERVICE.search(item.line.text) if item.failure and item.failure.subcategory == "other" else None
    return match[1] or match[2] if match else ""


def address_below(item: Sighting, own: FailureReading) -> str:
    """Give the address of the service that the next lines name as the cause."""
    rows = islice(own.log.lines(item.start), 1, 1 + CAUSE_LINES)
    texts = (own.cleaner.take(raw).text for raw in rows)
    return next((match[1] for text in texts if (match := CAUSED_BY.search(text))), "")
