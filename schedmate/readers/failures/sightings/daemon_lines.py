"""Find what daemons of the site said where a job stopped: power, cooling, maintenance, fabric, in their own words."""

from collections.abc import Iterator

import re2

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.put_in_front import Front
from schedmate.readers.failures.sightings.catalogue_search import Match, ready_entries
from schedmate.readers.failures.sightings.loudness import is_news
from schedmate.readers.lines import Line
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine, split_lines

BEFORE_BYTES, AFTER_BYTES, END_BYTES = 1 << 15, 1 << 17, 1 << 15
"""How far around the last step, and before the log's end, a daemon may have said why the job stopped."""
TEMPLATE_BYTES, DIGITS = 200, b"0123456789"

MARKS = (b": ", b"] ", b"::", b" | ")
"""One of these stands in the head of every daemon's line, its digits aside."""
STAMP = r"(?:\d{4}-\d\d-\d\d[T ]|\w{3} [ \d]\d )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"

DATED = re2.compile(
    rf"^(?:\[[a-z][\w./@-]{{1,40}} {STAMP}\]:?|\[[a-z][\w./@-]{{1,40}}\] {STAMP}:?"
    rf"|[a-z][\w./@-]{{1,40}}(?:\[[^\]]{{1,40}}\])? {{1,3}}\[?{STAMP}\]?:?) {{1,4}}"
    r"|^[a-z][\w.-]{1,30}@[a-z][\w.-]{1,40}: |^[a-z][a-z-]{1,30} \| [A-Za-z][\w ,./-]{0,30}[a-z\d] \| "
)
"""A name beside a moment, a host or a part at the head of a line, in the ways in which no program's logger writes."""
DAEMON = re2.compile(
    rf"{DATED.pattern}|^(?:\[[a-z][\w .-]{{1,40}}\]:?|[a-z][\w./@-]{{1,40}} \d{{4}}-\d\d-\d\dT\S{{8,30}} .{{1,200}}:"
    r"|[a-z][\w./@-]{1,40}(?: [a-z]{4,12})?(?:\[[^\]]{1,63}\]|\([^)]{1,63}\))?:) "
)
NUMBERED = re2.compile(r"^[a-z][\w./@-]{1,40}\[\d{1,9}\]: ")

WATCHES = re2.compile(
    r"^(?:[a-z][a-z0-9.]{1,30}-?(?:watch|keeper|daemon)|(?:[a-z][a-z0-9.]{1,30}-?)?(?:warden|sentry|sentinel|herald|patrol)"
    r"|[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,2}-(?:guard|mon|monitor|agent|ctl|health|manager|svc|probe|eye|ops)"
    r"|[a-z]{3,30}[bcfgkmpstvwz]d): "
)
"""A name that tells what its bearer does: watch over something, or `named` as daemons are. Parts of programs are called
`agent: `, `guard: ` or `cache_manager: `, too, and words like `reward: ` end so.
"""
OF_A_TABLE = ("Warning ", "Normal ")
"""How Kubernetes begins an event: it is told of many things, and has entries of its own."""
BOOTS_S = 120.0
"""So long after its start a kernel still sets up its machine: what it did without then, no job has lost."""
SINCE_BOOT = re2.compile(r"^kernel: \[ {0,8}(\d{1,9}\.\d{1,9})\] ")
"""How a journal of a machine hands on for how long its kernel had been up."""
NAME = re2.compile(r"^\[?[a-z][\w./@-]{1,40}")
BROADCAST = b"Broadcast message from"
BROADCAST_LINES = 6


def said_by_daemons(
    log: LogFile, last_step: int | None, cleaner: Cleaner, front: Front
) -> Iterator[tuple[RawLine, Line, Match | None]]:
    """Give each line of a daemon that tells of a fault of the site, near the place or by its clock at the time where
    the job stopped.
    """
    known: dict[bytes, bool] = {}
    own = speaker(cleaner.take(log.line_at(log.bounds(last_step)[0])).text) if last_step is not None else ""
    for start, end in places(log, last_step, front):
        broadcast = 0
        for raw in split_lines(log.window(start, end), log.line_number(start), start):
            broadcast = BROADCAST_LINES if BROADCAST in raw.raw else broadcast - 1
            template = raw.raw[:TEMPLATE_BYTES].translate(None, DIGITS)
            if broadcast <= 0 and not known.get(template, any(mark in template for mark in MARKS)):
                continue
            line = cleaner.take(raw)
            if end == front.end and not front.tells_of_end(line):
                continue
            watched = is_of_a_watcher(line.text, own)
            spoken = broadcast > 0 or watched or (line.rank is None and DAEMON.search(line.text) is not None)
            marked = line.rank is None and (line.host is not None or line.clock == "boot") and is_machines(raw, cleaner)
            news = (spoken or marked) and is_news(line.text)
            found = ready_entries().match_daemon(line.text) if (spoken or marked) and not news else None
            if (marked or watched) and not news and (found is None or found[0].wording):
                found = (
                    None if is_of_boot(line) else ready_entries().match_machine(line.text, said(line.text))
                ) or found
            known[template] = news or (found is not None and found[0].daemon)
            if known[template]:
                yield raw, line, found


def is_of_boot(line: Line) -> bool:
    """Tell what a kernel said while its machine came up, as it went on to do."""
    if line.clock == "boot":
        return line.time_s is not None and line.time_s < BOOTS_S
    since = SINCE_BOOT.search(line.text)
    return since is not None and float(since[1]) < BOOTS_S


def is_of_a_watcher(text: str, own: str) -> bool:
    """Tell a line of somebody, other than who prints the steps, who names a moment, a process or what he watches."""
    return said(text) != text and speaker(text) != own


def said(text: str) -> str:
    """Give a line without its speaker, whose name may be of another part than what he tells of."""
    head = DATED.search(text) or NUMBERED.search(text) or WATCHES.search(text)
    rest = text[head.end() :] if head else text
    return text if rest.startswith(OF_A_TABLE) else rest


def speaker(text: str) -> str:
    """Give the name before a line."""
    found = NAME.search(text)
    return found[0] if found else ""


def places(log: LogFile, last_step: int | None, front: Front) -> list[tuple[int, int]]:
    """Name a dump put in front, the part around the last step and the log's end, each once."""
    low = max(0, log.size - END_BYTES)
    if last_step is None:
        return [(log.bounds(low)[0], log.size)]
    start, end = max(0, last_step - BEFORE_BYTES), min(log.size, last_step + AFTER_BYTES)
    ahead = [(0, front.end)] if 0 < front.end <= start else []
    if end >= low:
        return [*ahead, (log.bounds(start)[0], log.size)]
    return [*ahead, (log.bounds(start)[0], log.bounds(end)[0]), (log.bounds(low)[0], log.size)]
