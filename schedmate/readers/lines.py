"""Clean a raw log line: take off colours, rank, host and time prefixes, and keep them as facts."""

import json
import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from schedmate.readers.prefixes import first_prefix
from schedmate.readers.stamps import read_stamp
from schedmate.tools.late_patterns import late
from schedmate.tools.plain_text import encodable

ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_=>]|\[\d{1,3}(?:;\d{1,3})*m(?=\S)"
    r"|#033\[[\d;]{0,12}m"
)

ESCAPES = ("\x1b", "#033[")
"""How a colour begins; syslog and the collectors behind it write the escape in octal."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")

NOT_CHINESE = late(r"[^\x00-\x7f\u00b7\u00d7\u2010-\u2026\u2103\u3000-\u303f\u4e00-\u9fff\uff00-\uffee]")
"""What no Chinese text has: a line in which bytes are read as such is of another encoding."""
MAX_CHARS = 8192
MAX_NESTING = 8
MAX_SOURCE = 253

SYSLOG = re.compile(
    r"(?!(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL) )"
    r"(?P<host>[A-Za-z0-9][\w.-]{0,62}) "
    r"(?=(?!(?i:errors?|fatal|warn(?:ing)?|info|debug|exception|failed|failure|fault|refused|denied|mismatch|time-?out"
    r"|exceeded|aborted|reset|closed|unreachable|found|missing|invalid|reason|cause|details?|hint|note|message|code|status"
    r"|result): )(?:[\w./@-]{1,48}(?:\[(?P<pid>\d{1,9})\])?|kernel): )"
)
"""A host and a daemon, and no sentence of two words (`assertion failed: `) that a stamp stands before."""
KERNELS_STAMP = re.compile(r"\[[A-Z][a-z]{2} [A-Z][a-z]{2} ")
"""As dmesg -T writes it: a driver and its device stand behind it, no host and no daemon."""
LOGGED = re.compile(
    r"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<stamp>\d\d-\d\d \d\d:\d\d:\d\d)(?:[.,]\d{1,6})? "
    r"\[?[\w./-]{1,80}\.py:\d{1,6}\] ?"
)
"""What servers of models put before each line that they log, those of a traceback too."""
LEVEL_FIRST = re.compile(
    r"\[?(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)\]?:? {1,4}(?=\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)"
)
"""What collectors and loggers that name the level first put before a line."""
LOGGED_LEVELS = {"DEBUG": "I", "INFO": "I", "WARNING": "W", "ERROR": "ERROR", "CRITICAL": "ERROR"}
NUMBERS = late(r"\d")
AROUND_SOURCES = "[]()<>|:"

CONTAINER = re.compile(r"[a-z][a-z0-9-]{0,62} (?=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")
"""What stands between a pod's name and the stamp of what it printed."""
REPEATED = late(r" ?\[repeated \d{1,9}x across (?:cluster|all nodes)\](?: \(Ray deduplicates logs[^)]{0,300}\))?")
"""Ray prints a line of several workers once, and some seconds later once more for all others."""
JSON_TEXT = ("message", "msg", "log", "text", "textPayload", "jsonPayload.message", "@message", "MESSAGE")

JSON_TRACE = (
    "exc_info",
    "exception",
    "traceback",
    "stack_trace",
    "stacktrace",
    "error.stack_trace",
    "exc_text",
    "stack",
)
"""Where structured loggers put the stack of what was raised, beside a message that may say nothing of it."""
STACK_HEAD = "Traceback (most recent call last)"

JSON_SOURCE = ("resource.labels.pod_name", "kubernetes.pod_name", "k8s.pod.name", "labels.pod", "pod_name", "pod")
"""Where collectors of clouds keep what was printed, and by whom; a dot stands for a record within the record."""
JSON_LEVEL = ("level", "lvl", "levelname", "severity", "log.level")

SOFT_IN_JSON = frozenset({"warning", "warn", "notice", "info", "debug", "trace"})
"""At these a program tells of what it got over: the stack beside its message is of that."""
GRAVE_IN_JSON = ("ERROR", "error", "CRITICAL", "critical", "FATAL", "fatal")
"""`level` is the program's own word; `severity` is what a collector makes of the stream that a line came by."""


class Own(NamedTuple):
    """What one log puts before its lines: its journal's name for the job, the names of the sources that it joins."""

    journal: str = ""
    sources: frozenset[str] = frozenset()
    head: re.Pattern[str] | None = None
    """what a collector begins all lines with; the level in it tells nothing of a line"""
    by_process: re.Pattern[str] | None = None
    """lines begin with a host and the number of a process, as `[gpu07:3] `, or with a rank alone, as `[3] `"""
    margin: str = ""
    """white space or a quote mark before every line of a log that was pasted somewhere"""


NOT_KNOWN = Own()

Speaker = tuple[int | None, int | None, str | None]
"""What a line's prefix tells of the process that printed it: its rank, its number, its host."""
NOBODY: Speaker = (None, None, None)
"""A line without a prefix: of the only program, or of any."""


@dataclass(frozen=True, slots=True)
class Line:
    """A cleaned line and what its prefixes told; `time_s` counts from 1970 when `clock` is `epoch`."""

    text: str
    indent: int = 0
    rank: int | None = None
    host: str | None = None
    pid: int | None = None
    gpu: int | None = None
    time_s: float | None = None
    clock: str = ""
    level: str = ""
    repeated: bool = False
    """stands for lines of others that said the same a little earlier"""

    @property
    def speaker(self) -> Speaker:
        """Give the process that printed it, as far as its prefix tells."""
        return self.rank, self.pid, self.host


def visible(raw: bytes | str) -> str:
    """Decode a line so that nothing in it is lost or invisible, and drop colours and control characters."""
    if isinstance(raw, bytes):
        try:
            text = raw[: MAX_CHARS * 4].decode()
        except UnicodeDecodeError:
            text = decoded(raw[: MAX_CHARS * 4])
    else:
        text = raw
    text = text[:MAX_CHARS].rstrip("\r\n")
    if ESCAPES[0] in text or ESCAPES[1] in text:
        text = ANSI.sub("", text)
    return text if text.isprintable() else CONTROL.sub("", text)


def decoded(raw: bytes) -> str:
    """Decode a line that is no UTF-8: as Chinese as Windows writes it, else what is no UTF-8 is replaced."""
    chinese = raw.decode("gb18030", "replace")
    return raw.decode("utf-8", "replace") if NOT_CHINESE.search(chinese) else chinese


def clean(raw: bytes | str, year: int = 1970, own: Own = NOT_KNOWN) -> Line:
    """Take off what stands before a line; `own` is what else this log puts there."""
    text = visible(raw).removeprefix(own.margin)
    if own.head and (head := own.head.match(text)):
        return within(peeled(text[: head.end()], year, own), peeled(text[head.end() :], year, own))
    return peeled(text, year, own)


def peeled(text: str, year: int, own: Own) -> Line:
    """Peel nested prefixes off a line, outermost first; a fact told twice keeps its innermost value."""
    if text.startswith("{") and (inner := unwrap_json(text, year)):
        return inner
    repeated = "[repeated " in text and REPEATED.search(text) is not None
    if repeated:
        text = REPEATED.sub("", text)
    facts: dict[str, str] = {}
    time_s, clock, level = None, "", ""
    for _ in range(MAX_NESTING):
        stamp = read_stamp(text.lstrip(), year) if text[:16].strip() else None
        if stamp:
            by_kernel, text = KERNELS_STAMP.match(text.lstrip()), text.lstrip()[stamp.length :]
            level = stamp.level or level
            if (stamp.base == "epoch" and (stamp.has_year or clock != "epoch")) or not clock:
                time_s, clock = stamp.time_s, stamp.base
            if stamp.base == "epoch" and not by_kernel and (system := SYSLOG.match(text)):
                facts.update(given(system.groupdict()))
                text = text[system.end() :]
                text = without_name(text, own.journal) if own.journal else text
            continue
        if logged := LOGGED.match(text):
            level = LOGGED_LEVELS[logged["level"]]
            if not clock and (said := read_stamp(logged["stamp"], year)):
                time_s, clock = said.time_s, said.base
            text = text[logged.end() :]
            continue
        if first := LEVEL_FIRST.match(text):
            level = LOGGED_LEVELS[first["level"]]
            text = text[first.end() :]
            continue
        match = first_prefix(text) or (own.by_process.match(text) if own.by_process else None)
        if not match:
            behind = behind_source(text, facts, own)
            if behind is None:
                break
            text = behind
            continue
        facts.update(given(match.groupdict()))
        text = text[match.end() :]
    rank = facts.get("global") or facts.get("rank")
    pid, gpu = facts.get("pid"), facts.get("gpu", "-1")
    bare = text.strip()
    indent = len(text) - len(text.lstrip())
    return Line(
        text=bare,
        indent=indent,
        rank=int(rank) if rank else None,
        host=facts.get("host"),
        pid=int(pid) if pid else None,
        gpu=int(gpu) if int(gpu) >= 0 else None,
        time_s=time_s,
        clock=clock,
        level=level,
        repeated=repeated,
    )


def behind_source(text: str, facts: dict[str, str], own: Own) -> str | None:
    """Give what stands behind a source's name, or a container's between its pod and a stamp; None without one."""
    if own.sources and (source := text.partition(" ")[0]) in own.sources:
        facts["host"] = host_of(source)
        return text[len(source) + 1 :]
    container = CONTAINER.match(text) if "host" in facts else None
    return text[container.end() :] if container else None


def host_of(source: str) -> str:
    """Give the pod or the machine of a source's name: of a pair the part that is numbered, else the first."""
    first, _, second = source.strip(AROUND_SOURCES).partition("/")
    return second if second and NUMBERS.search(second) and not NUMBERS.search(first) else first


def within(outer: Line, inner: Line) -> Line:
    """Add to a line what its collector tells of it."""
    told = {name: getattr(outer, name) for name in ("rank", "host", "pid") if getattr(inner, name) is None}
    if inner.clock != "epoch" and outer.clock == "epoch":
        told |= {"time_s": outer.time_s, "clock": outer.clock}
    return replace(inner, **told)


def without_name(text: str, own: str) -> str:
    """Take off the name and the process that a journal puts before what a program printed, and one blank."""
    head, found, rest = text.partition("]: ")
    if not found:
        head, found, rest = text.partition("]:")
    return rest if found and head.startswith(f"{own}[") and head[len(own) + 1 :].isdigit() else text


def given(groups: dict[str, str | None]) -> dict[str, str]:
    """Keep the groups that took part in a match."""
    return {name: value for name, value in groups.items() if value}


def unwrap_json(text: str, year: int) -> Line | None:
    """Read a line that a container runtime or a structured logger wrapped in JSON."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    message = next((told for key in JSON_TEXT if isinstance(told := field_of(record, key), str)), None)
    if message is None:
        return None
    stack = "" if STACK_HEAD in message else stack_in(record)
    inner = clean(encodable(f"{message}\n{stack}" if stack else message).lstrip("{"), year)
    source = next((told for key in JSON_SOURCE if isinstance(told := field_of(record, key), str)), None)
    if source and inner.host is None:
        inner = replace(inner, host=encodable(source)[:MAX_SOURCE])
    if not inner.level and record.get("level") in GRAVE_IN_JSON:
        inner = replace(inner, level="ERROR")
    stamp = next(
        (read_stamp(str(record[key])) for key in ("time", "timestamp", "ts", "@timestamp") if key in record), None
    )
    if stamp and inner.time_s is None:
        return replace(inner, time_s=stamp.time_s, clock=stamp.base)
    return inner


def stack_in(record: object) -> str:
    """Give the stack that a record keeps beside its message, if its program did not get over what was raised."""
    level = next((told for key in JSON_LEVEL if isinstance(told := field_of(record, key), str)), "")
    if level.lower() in SOFT_IN_JSON:
        return ""
    kept = (field_of(record, key) for key in JSON_TRACE)
    return next((one for one in kept if isinstance(one, str) and STACK_HEAD in one), "")


def field_of(record: object, name: str) -> object:
    """Give a field of a record, by its whole name or by those of the records that it lies in."""
    parts = name.split(".")
    while parts:
        if not isinstance(record, dict):
            return None
        length = next((end for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in record), 0)
        if not length:
            return None
        record, parts = record[".".join(parts[:length])], parts[length:]
    return record
