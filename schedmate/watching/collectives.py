"""What the ranks of a job that hangs were doing together last, where its logs show it, and who lags."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import re2

from schedmate.readers.lines import clean, visible
from schedmate.schemas import Evidence

TAIL_BYTES = 1 << 18

NEAR_LINES = 50
"""What a step called may stand so far above its report, where every rank says it."""
MOST_LOGS, MOST_NAMED = 64, 4

CALLS = re2.compile(
    r"Work\w{2,8}\((?:SeqNum=(?P<a_number>\d{1,18}), )?OpType=(?P<a>\w{2,40})"
    r"|CollectiveFingerPrint\((?:SequenceNumber=(?P<b_number>\d{1,18}), ?)?OpType=(?P<b>\w{2,40})"
    r"|CCL INFO (?P<c>[A-Z]\w{2,40}): opCount (?P<c_hex>[0-9a-f]{1,16}) "
    r"|may be stuck: .{0,80}?\b(?P<d>[A-Z]\w{2,40}?)ParticipantData\{"
    r"|collective_op_kind=\w{1,40}, op_id=(?P<e_number>\d{1,18})"
    r'|distributed_c10d\.py(?:", line \d+, in|", line \d+ in| ) ?(?P<f>[a-z]\w{2,40})'
    r"|(?P<g>[a-z]\w{2,40}) \(\S{0,200}distributed_c10d\.py:\d+\)"
    r"|comm op: (?P<h>\w{2,40}) \| time"
)
"""As PyTorch's watchdog and its checks, NCCL and RCCL with COLL among what they print, XLA, dumps of Python's stacks
and DeepSpeed's reports name a collective."""
INNER = {"wrapper", "func_wrapper", "inner", "decorate"}
"""Functions of PyTorch's that only pass a call on."""
MISSING = "Missing ranks:"

ABSENT = re2.compile(r"(?:^|[\s>\]])(?P<rank>\d{1,6}): ?\[(?P<name>[^\],\[]{1,200})[,\]]")
"""Horovod names who did not come, and to what."""
STATUS = re2.compile(
    r"(?:PG ID (?P<group>\d{1,6}).{0,80}?)?Rank (?P<rank>\d{1,6})\].{0,400}?"
    r"[Ll]ast enqueued (?:NCCL )?work: (?P<begun>-?\d{1,18}), last completed (?:NCCL )?work: (?P<done>-?\d{1,18})"
)


class LastCollective(NamedTuple):
    """A call that the log ends in, and who has not come to it."""

    said: str
    evidence: Evidence


def last_collective(logs: Mapping[str, int]) -> LastCollective | None:
    """Find the last collective that the logs name, each with the line of its last step: what lies before that is past.

    What lags is told by the ranks' own counts.
    """
    found, status = None, dict[tuple[str, str], tuple[int, int]]()
    for path, step_line in [*logs.items()][:MOST_LOGS]:
        called, counts = read_tail(path)
        if called is not None and called.evidence.line >= step_line - NEAR_LINES:
            found = called
            status |= counts
    if found is None:
        return None
    return found._replace(said=found.said + laggards(status))


def read_tail(path: str) -> tuple[LastCollective | None, dict[tuple[str, str], tuple[int, int]]]:
    """Read the end of one log: the last call, and how far each rank says that it is in each group."""
    found: tuple[int, str, str] | None = None
    status: dict[tuple[str, str], tuple[int, int]] = {}
    is_missing = False
    first, lines = tail_of(path)
    for number, raw in enumerate(lines, first):
        line = clean(raw)
        if match := STATUS.search(line.text):
            status[match["group"] or "", match["rank"]] = int(match["begun"]), int(match["done"])
        absent = ABSENT.search(visible(raw)) if is_missing else None
        if absent:
            found = number, f"{absent['name'].strip()}, to which rank {absent['rank']} has not come", line.text
        elif (called := CALLS.search(line.text)) and (said := words_of(called)):
            found = number, said, line.text
        is_missing = bool(absent) or MISSING in line.text
    if found is None:
        return None, status
    number, said, text = found
    return LastCollective(f"last collective: {said}", Evidence(path=path, line=number, quote=text)), status


def words_of(called: "re2._Match[str]") -> str:
    """Name a call: the operation and its number, as they stand there."""
    groups = called.groupdict()
    name = next((value for key, value in groups.items() if len(key) == 1 and value), "")
    if name in INNER or name.startswith("_"):
        return ""
    number = next((value for key, value in groups.items() if key.endswith("_number") and value), "")
    if groups["c_hex"]:
        number = str(int(groups["c_hex"], 16))
    return " ".join(filter(None, (name or "operation", number and f"number {number}")))


def laggards(status: dict[tuple[str, str], tuple[int, int]]) -> str:
    """Say which ranks began fewer collectives than the others of their group."""
    groups: dict[str, dict[str, int]] = {}
    for (group, rank), (begun, _) in status.items():
        groups.setdefault(group, {})[rank] = begun
    for ranks in groups.values():
        most, least = max(ranks.values()), min(ranks.values())
        if least < most:
            late = sorted((rank for rank, begun in ranks.items() if begun == least), key=int)
            return f"; {named(late)} began {least}, others {most}"
    return ""


def named(ranks: Sequence[str]) -> str:
    """Name some ranks."""
    more = f" and {len(ranks) - MOST_NAMED} more" if len(ranks) > MOST_NAMED else ""
    return f"rank{'s' * (len(ranks) > 1)} {', '.join(ranks[:MOST_NAMED])}{more}"


def tail_of(path: str) -> tuple[int, Iterable[bytes]]:
    """Give the last lines of a log, and the number of the first of them."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return 1, ()
    try:
        size, at, before = os.fstat(handle).st_size, 0, 0
        start = max(0, size - TAIL_BYTES)
        while at < start and (data := os.pread(handle, min(1 << 22, start - at), at)):
            before, at = before + data.count(b"\n"), at + len(data)
        rest = os.pread(handle, size - start, start)
    except OSError:
        return 1, ()
    finally:
        os.close(handle)
    lines = rest.split(b"\n")
    return (before + 2, lines[1:]) if start else (1, lines)
