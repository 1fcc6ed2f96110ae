"""Learn what one log puts before its lines, where no prefix known from launchers does.

A collector may put a stamp, a level and a name before all that a job prints, tracebacks too: they tell of no line.
"""

import re
from collections import Counter
from collections.abc import Iterator

import re2

from schedmate.readers.failures.lines.journal_names import own_name
from schedmate.readers.lines import Own, clean, visible
from schedmate.readers.prefixes import PROCESS, RANK
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

SAMPLE_BYTES, END_BYTES = 1 << 12, 1 << 15
LEAST_LINES, MOST_SHARE, PAIRS_SHARE = 24, 0.9, 0.5
LEAST_HEADS, MOST_HEAD_CHARS, MOST_PRINTED = 2, 160, 12

LEAST_PASTED = 8
"""Fewer lines may be the frames of one stack, and all indented."""
MARGINS = b" \t>"

NO_MARGIN = re.compile(rb'File "| *\d{1,6}\t')
"""A frame is indented by itself, and so is the number that `cat -n` writes."""

PROCESSES_SHARE = 0.6
"""Most lines are of processes; what their launcher and NCCL print bears no such name."""
LINES_A_NAME = 4
"""Each source says more than a line or two; what differs from line to line counts something."""
NAMED = re.compile(
    rb"(?:[\[(]?\d{4}-\d\d-\d\d[T ]|[A-Z][a-z]{2} [ \d]\d )?(?:[\[(]?\d\d:\d\d:\d\d\S{0,16} )?"
    rb"(?P<name>[\[(<]?(?:(?=[a-z0-9._-]{1,80}\d)[a-z][a-z0-9]{0,40}[._-][a-z0-9._-]{1,100}[\])>|:]{0,2}"
    rb"|[a-z][a-z0-9._-]{1,100}/[a-z][a-z0-9._-]{0,62}[\])>|:]{1,2})) "
)
"""How a collector that joins several sources begins a line: when, and the name of a pod, a task or a machine, or a
pod's and its container's. Of such pairs half is enough: beside them stand the daemons' own names."""
COUNTS = late(
    r"\W?(?:epoch|step|iter|batch|fold|round|trial|run|seed|layer|loss|acc|val|valid|train|test|v)\w{0,9}[._:-]"
)
"""What counts, or measures, is no source."""
PRINTED = re2.compile(
    r'Traceback \(most recent call last\)|  File "[^"\n]{1,400}", line \d|\[rank\d{1,5}\]:|NCCL (?:INFO|WARN) '
    r"|(?:srun|slurmstepd): error: |torch\.distributed\.elastic\b|W\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ torch/"
)
"""What processes and launchers print themselves, and no program logs."""
NCCLS = late(r"\S+:\d+:\d+ \[-?\d+\] $")
"""Where NCCL's own head begins, with host and process."""
FIGURES = re.compile(r"\\?\d+")


def own_prefixes(log: LogFile) -> Own:
    """Give what stands before this log's lines: a journal's name for the job, a head, names of sources or processes."""
    rows = list(samples(log))
    margin = margin_of(rows)
    bare = [raw.removeprefix(margin) for raw in rows]
    process = process_before(bare)
    if process is not PROCESS and (head := head_of(log, rows)):
        return Own(own_name(log), head=head)
    return Own(own_name(log), source_names(bare), None, process, margin.decode())


def margin_of(rows: list[bytes]) -> bytes:
    """Give the white space or the quote mark before every line, as in a log pasted into a page; mostly none."""
    rows = [raw for raw in rows if raw.strip(MARGINS)]
    if len(rows) < LEAST_PASTED:
        return b""
    margin = min((raw[: len(raw) - len(raw.lstrip(MARGINS))] for raw in rows), key=len)
    is_more = any(NO_MARGIN.match(raw, len(margin)) for raw in rows)
    return margin if not is_more and all(raw.startswith(margin) for raw in rows) else b""


def samples(log: LogFile) -> Iterator[bytes]:
    """Give the lines at the head, in the middle and at the end."""
    for start in dict.fromkeys((0, log.size // 2, max(0, log.size - SAMPLE_BYTES))):
        rows = log.window(start, start + SAMPLE_BYTES).split(b"\n")[start > 0 :]
        yield from (raw for raw in rows if raw.strip())


def process_before(rows: list[bytes]) -> re.Pattern[str] | None:
    """Give how most lines name the process that printed them: a host and a number, or a rank alone."""
    heads = [visible(raw[:MOST_HEAD_CHARS]) for raw in rows]
    named = [
        match["host"] for head in heads if (match := PROCESS.match(head)) and not COUNTS.match(f"{match['host']}:")
    ]
    ranks = Counter(match["rank"] for head in heads if (match := RANK.match(head)))
    if len(rows) < LEAST_LINES:
        return None
    if len(named) >= PROCESSES_SHARE * len(rows):
        return PROCESS
    of_ranks = sum(ranks.values()) >= PROCESSES_SHARE * len(rows) and 1 < len(ranks) * LINES_A_NAME <= len(rows)
    return RANK if of_ranks and len(ranks) > 1 else None


def source_names(rows: list[bytes]) -> frozenset[str]:
    """Give the names that stand before nearly all lines, each before many; empty where lines begin otherwise."""
    said = Counter(match["name"].decode() for raw in rows if (match := NAMED.match(raw)))
    often = {name: count for name, count in said.items() if count > 1 and not COUNTS.match(name)}
    share = PAIRS_SHARE if often and all("/" in name for name in often) else MOST_SHARE
    if len(rows) < LEAST_LINES or sum(often.values()) < share * len(rows) or len(often) * LINES_A_NAME > len(rows):
        return frozenset()
    return frozenset(often)


def head_of(log: LogFile, rows: list[bytes]) -> re.Pattern[str] | None:
    """Give what nearly all lines begin with, figures aside, that stands before what processes print themselves."""
    heads = Counter(FIGURES.sub(r"\\d+", re.escape(head)) for head in heads_before_what_is_printed(log))
    shape, count = heads.most_common(1)[0] if heads else ("", 0)
    if not shape or count < LEAST_HEADS:
        return None
    head = re.compile(shape)
    fits = sum(head.match(visible(raw[: 2 * MOST_HEAD_CHARS])) is not None for raw in rows)
    return head if fits >= MOST_SHARE * len(rows) else None


def heads_before_what_is_printed(log: LogFile) -> Iterator[str]:
    """Give what no known prefix takes off before a traceback, a frame, a rank's or a launcher's word."""
    text = log.window(max(0, log.size - END_BYTES), log.size).decode("utf-8", "replace")
    reached = found = 0
    for match in PRINTED.finditer(text):
        start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.start())
        if start < reached:
            continue
        reached, found = max(end, start + 1), found + 1
        head = visible(text[start : match.start()])
        if match[0].startswith("NCCL"):
            head = NCCLS.sub("", head)
        if 0 < len(head) <= MOST_HEAD_CHARS and clean(head + "#").text != "#":
            yield head
        else:
            yield ""
        if found == MOST_PRINTED:
            return
