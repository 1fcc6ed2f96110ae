"""Walk back from what a kernel or a daemon says of a part to who had spoken of trouble with that very part before.

A watcher counts errors of a link, minutes before its driver gives it up: the job got over each count, but nobody had
mended anything.
"""

import re
from dataclasses import replace

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes.same_fault import (
    NUMBER,
    SOON_LINES,
    SOON_S,
    is_told_by_machine,
    parts_of,
)
from schedmate.readers.failures.sightings.loudness import HANDLED, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting

PART = re.compile(
    r"(?i)\b(?P<kind>gpu|nv-?link|link|port|lane|slot|dimm|rail|psu|fan|switch)[ _:#-]{0,2}(?P<number>\d{1,4})\b"
    r"|\b(?P<name>mlx\d_\d{1,2}|swp\d{1,3}(?:s\d)?|nvme\d{1,2}n\d|ib[ps]\d\w{1,12}|en[ops]\d\w{1,12})\b"
)
"""How a line names a part of a machine: by its kind and number, or as its driver calls it."""
BY_NAME = frozenset({"name", "nic", "pci"})
"""Names that only one part of a host bears, whatever its kind."""
OF_A_BOARD = frozenset({"gpu", "slot"})
"""What has parts of its own: only trouble of one kind with it is one fault."""
OF_AN_OWNER = frozenset({"link", "port", "lane", "fan"})
"""What each board has: that of another board bears the same number."""


def first_of_part(root: Sighting, case: JobCase) -> Sighting:
    """Give the first word of trouble with the part that a machine's own word names, soon before that."""
    named = named_parts(root)
    if not named or not is_told_by_machine(root) or root.line.host is None:
        return root
    before = [one.sighting for one in case.suspects if speaks_of(one.sighting, named, root)]
    first = min(before, key=lambda item: item.place, default=None)
    return root if first is None else replace(first, failure=root.failure, named={**root.named, **first.named})


def speaks_of(item: Sighting, named: dict[str, str], root: Sighting) -> bool:
    """Tell an earlier word of a machine or a watcher of the same host, of the same part and of none beside it."""
    if item.line.host != root.line.host or item.failure is None or item.failure.category != "infrastructure":
        return False
    if not is_soon_before(item, root) or not is_told_by_machine(item) or tone_of(item) <= HANDLED:
        return False
    own = named_parts(item)
    shared = [kind for kind in named if kind in own]
    same_kind = root.failure is not None and item.failure.subcategory == root.failure.subcategory
    if all(kind in OF_AN_OWNER for kind in shared):
        return False
    known = shared if same_kind else [kind for kind in shared if kind not in OF_A_BOARD]
    return bool(known) and all(own[kind] == named[kind] for kind in shared)


def names_of(item: Sighting) -> re.Pattern[bytes] | None:
    """Give how others would name the part that a line names, or the host that it stands on."""
    names = {name for kind, name in named_parts(item).items() if kind in BY_NAME}
    if item.line.host is not None and NUMBER.search(item.line.host):
        names.add(item.line.host)
    told = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return re.compile(rb"(?<![\w.-])(?:" + told + rb")(?![\w-])") if told else None


def is_soon_before(item: Sighting, root: Sighting) -> bool:
    """Tell what stands not far before a line, and by their clocks, if both tell the time, was not long before."""
    if item.source != root.source or item.number >= root.number:
        return False
    first, second = item.line.time_s, root.line.time_s
    if first is not None and second is not None and item.line.clock == root.line.clock:
        return 0.0 <= second - first <= SOON_S
    return root.number - item.number <= SOON_LINES


def named_parts(item: Sighting) -> dict[str, str]:
    """Give the parts of its machine that a line names, by kind."""
    told = {kind: name for kind, name in parts_of(item).items() if kind in {"pci", "nic", "link", "port", "gpu"}}
    for found in PART.finditer(item.line.text):
        kind = "name" if found["name"] else found["kind"].lower().removeprefix("nv").lstrip("-")
        told.setdefault(kind, (found["name"] or found["number"]).lower())
    return told
