"""Tell whether a log ends in a fatal error, from its last lines alone: a job that is dead has no time left."""

import tempfile

import re2

from schedmate.errors import SchedMateError
from schedmate.schemas import Metrics
from schedmate.tools.logfile import LogFile, open_log

TAIL_BYTES = 1 << 17
LEAST_SURE = 0.5

GIVES_UP = frozenset({
    "distributed.watchdog_timeout", "distributed.watchdog_abort", "distributed.heartbeat_monitor",
    "distributed.gloo_timeout", "distributed.store_timeout", "distributed.barrier_timeout",
})  # fmt: skip
"""Effects after which a rank ends itself: why it waited in vain is unsure, that it is dead is not."""
TROUBLE = re2.compile(
    rb"(?i)error|exception|traceback|fatal|abort|killed|core dumped|cancelled|\bxid\b|exit(?:ed)? ?code|oom|panic"
    rb"|evicted|signal|terminated|time limit|time(?:d )?-?out|watchdog|fail|lost|refused|reset by|closed by|unreachable"
    rb"|no space|out of memory|fell off|fallen off|hang|hung|stuck|stalled|preempt|shut(?:ting)? ?down|segfault"
    rb"|died|dead|cannot|unable to|unhandled"
)
"""A tail without any of these words ends in nothing fatal that is worth the reading."""


def fatal_end_of(path: str, metrics: Metrics) -> str:
    """Look at the end of a log by its path; nothing is told of one that cannot be read."""
    try:
        with open_log(path) as log:
            return fatal_end(log, metrics)
    except SchedMateError:
        return ""


def fatal_end(log: LogFile, metrics: Metrics) -> str:
    """Name the line that ended a job after its last progress, with its quote; nothing where it may still be alive."""
    start = max(0, log.size - TAIL_BYTES)
    data = log.window(start, log.size)
    quotes = [item.quote.encode() for item in metrics.evidence]
    after = max((place for quote in quotes if quote and (place := data.rfind(quote)) >= 0), default=0)
    if not TROUBLE.search(data[after:]):
        return ""
    from schedmate.readers.failures.answer.classify import classify
    from schedmate.readers.failures.causes.first_cause import locate
    from schedmate.readers.failures.reading import read_log

    start += data.find(b"\n") + 1 if start else 0
    with tail_of(log, start) as tail:
        try:
            reading = read_log(tail)
        except SchedMateError:
            return ""
        verdict = locate([reading])
        found = classify(verdict, [reading])
    given_up = found.failure_id in GIVES_UP and verdict.chosen is not None and not verdict.chosen.survived
    if found.category == "none" or found.root_line is None or not (given_up or found.confidence >= LEAST_SURE):
        return ""
    number = log.line_number(start) + found.root_line - 1
    return f"line {number:,} ended it: {found.root_excerpt[:160]}"


def tail_of(log: LogFile, start: int) -> LogFile:
    """Put the end of a log into a buffer that is read as a log is."""
    handle = tempfile.TemporaryFile("w+b")  # noqa: SIM115 - the log owns it and closes it
    handle.write(log.window(start, log.size))
    handle.flush()
    return LogFile(log.name, handle)


def dead(metrics: Metrics, why: str) -> Metrics:
    """Take back what would be left of a job that has died."""
    gone = {"phase": "failed", "eta_s": None, "eta_low_s": None, "eta_high_s": None}
    return metrics.model_copy(update=gone | {"notes": (*metrics.notes, f"{why}; schedmate diagnose says why")})
