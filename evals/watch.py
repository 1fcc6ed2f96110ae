"""How soon does `watch` tell of deaths, and how often does it cry wolf: labelled logs that grow by a played clock."""

import argparse
import csv
import os
import re
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.report import Report, Table
from evals.statistics import wilson
from schedmate.clusters.log_ends import LogEnd
from schedmate.readers.lines import clean
from schedmate.watching.events import WatchEvent
from schedmate.watching.journal import Journal
from schedmate.watching.last_words import STACK, indented
from schedmate.watching.service import WatchOptions, WatchService

BEGIN_S = 1_790_000_000.0

PIECES, PIECE_S = 60, 10.0
"""A log without a clock comes in so many pieces, so long apart."""
STEP_S, MOST_PIECES, LONGEST_S = 2.0, 600, 1800.0
"""Lines so close together come together; a very long log has no more pieces; no pause is longer."""
IN_TIME_S = 30.0

IN_RECORD = re.compile(rb'"time_ms": ?(1\d{12})\b')
"""MLPerf's records bear Unix milliseconds."""
AFTER_S = 3600.0

AT_ONCE_S, MOST_SAID = 0.1, 4
"""So many lines, so close together, are said of an exception when it is caught."""
BUFFERED_S = 60.0

YEARLESS_S = 400 * 86400.0
"""A stamp without a year is read as of 1970."""


@dataclass
class Told:
    """What was told of one log."""

    events: list[WatchEvent]
    ended_s: float
    """When its last line came."""
    faulted_s: float = 0.0
    """When the line came that it died of."""

    def died_s(self) -> float | None:
        """Give how long after its last line its death was told, less than nothing where what follows is fallout.

        None where it was not, or before it died, or was taken back.
        """
        back_s = max((one.at_s for one in self.events if one.kind == "went_on"), default=0.0)
        since_s = max(self.faulted_s, back_s)
        return min(
            (one.at_s - self.ended_s for one in self.events if is_death(one) and one.at_s >= since_s), default=None
        )

    @property
    def is_early(self) -> bool:
        """Tell whether a death was told before the line was there that the job died of."""
        return any(is_death(one) and one.at_s < self.faulted_s for one in self.events)

    @property
    def alarms(self) -> list[str]:
        """Name what called people though all was well; a log that breaks off in its middle may be taken for a hang."""
        calls = [one for one in self.events if one.kind not in {"silent", "went_on"}]
        return [one.kind for one in calls if is_death(one) or one.at_s <= self.ended_s]


def is_death(event: WatchEvent) -> bool:
    """Tell whether an event says that a job died."""
    return event.kind == "died"


class Engine:
    """An engine that knows of a job's end some seconds after it: that it failed or completed, and no more."""

    said = ""

    def __init__(self, after_s: float, is_well: bool) -> None:
        self.after_s = after_s
        self.end = LogEnd("COMPLETED 0", True) if is_well else LogEnd("FAILED 1")
        self.ended_s: float | None = None
        self.now_s = 0.0

    def look(self, paths: Iterable[str], now_s: float) -> None:
        """Hear what time it is."""
        self.now_s = now_s

    def end_of(self, path: str) -> LogEnd | None:
        """Tell, once it is late enough."""
        return self.end if self.ended_s is not None and self.now_s >= self.ended_s + self.after_s else None

    def close(self) -> None:
        """Nothing is held."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take sets with a labels.csv, as `make field-logs` writes them; without a class a log is well."""
    parser.add_argument("sets", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--ends", type=float, metavar="SECONDS", help="an engine tells of each end so long after it")
    parser.add_argument("--most", type=int, default=0, help="so many logs of each set, from its beginning; 0: all")


def run(options: argparse.Namespace) -> Report:
    """Replay each log alone, and count."""
    died: list[tuple[str, Told]] = []
    well: list[tuple[str, Told]] = []
    for folder in options.sets:
        with (folder / "labels.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows[: options.most or None]:
            path = folder / f"{row['name']}.log"
            if path.is_file():
                is_well = row.get("category", "none") == "none"
                engine = Engine(options.ends, is_well) if options.ends is not None else None
                (well if is_well else died).append((str(path), replayed(path, engine, int(row.get("root_line") or 0))))
    waits = [told.died_s() for _, told in died]
    in_time = sum(wait is not None and wait <= IN_TIME_S for wait in waits)
    ever = sum(any(one.kind in {"died", "stalled"} for one in told.events) for _, told in died)
    early = [f"{path}: told to have died before it did" for path, told in died if told.is_early]
    false = [f"{path}: {', '.join(told.alarms)}" for path, told in well if told.alarms]
    tables = [
        Table(
            "deaths",
            ("logs", f"told within {IN_TIME_S:.0f} s", "%", "ever told as died or hanging", "told too early"),
            [(len(died), in_time, 100 * in_time / max(1, len(died)), ever, len(early))],
        ),
        Table(
            "healthy logs",
            ("logs", "with an alarm", "%", "share"),
            [(len(well), len(false), 100 * len(false) / max(1, len(well)), wilson(len(false), len(well)))],
        ),
    ]
    return Report(tables, [*false, *early])


def replayed(path: Path, engine: Engine | None = None, root_line: int = 0) -> Told:
    """Let one log grow by its own clock, and an hour go by after its end; a set says at which line the job died."""
    with TemporaryDirectory() as name:
        log, now_s = Path(name) / "logs" / "job.log", BEGIN_S
        log.parent.mkdir()
        events: list[WatchEvent] = []
        journal, ends = Journal(Path(name) / "watch.jsonl", now_s), [engine] if engine else []
        watch = WatchService(WatchOptions((str(log.parent),)), journal, events.append, now_s, ends)
        pieces = by_clock(path.read_bytes().splitlines(keepends=True))
        lines, faulted_s = 0, BEGIN_S
        for number, (data, pause_s) in enumerate(pieces, 1):
            with log.open("ab") as file:
                file.write(data)
            os.utime(log, (now_s, now_s))
            faulted_s = now_s if lines < root_line else faulted_s
            lines += data.count(b"\n")
            ended_s = now_s
            if engine is not None and number == len(pieces):
                engine.ended_s = ended_s
            now_s = wait(watch, now_s, pause_s)
        watch.close()
    return Told(events, ended_s, faulted_s)


def by_clock(lines: list[bytes]) -> list[tuple[bytes, float]]:
    """Cut a log where its clock moves on, each piece with the pause after it; without a clock, evenly.

    Lines without a clock come evenly between those that have one. A clock that begins behind the middle is not the
    log's: a kernel's report, put behind it, tells when things happened and not when they were written. Of a very long
    log the middle comes at once: were its pieces joined, it would seem to pause.
    """
    stamps = own_clock([clock_of(raw) for raw in lines])
    marks: list[tuple[int, float]] = []
    for number, at_s in enumerate(arrivals(stamps)):
        if at_s is not None and (not marks or at_s >= marks[-1][1] + STEP_S):
            marks.append((number, at_s))
    if len(marks) < 2 or marks[0][0] > len(lines) // 2:
        marks, stamps = [(len(lines) * piece // PIECES, piece * PIECE_S) for piece in range(PIECES)], []
    marks = spread(marks, [number for number, at_s in enumerate(stamps) if at_s is None])
    if len(marks) > MOST_PIECES:
        half = MOST_PIECES // 2
        skipped_s = marks[-half][1] - marks[half][1] - STEP_S
        marks = marks[: half + 1] + [(number, at_s - skipped_s) for number, at_s in marks[-half:]]
    whole = [(after_the_exception(lines, number), at_s) for number, at_s in marks]
    later = (mark for number, mark in enumerate(whole) if number and mark[0] > whole[number - 1][0])
    marks = [whole[0], *(mark for mark in later if mark[0] < len(lines))]
    cuts = [0, *(number for number, _ in marks[1:]), len(lines)]
    pauses = [min(later[1] - sooner[1], LONGEST_S) for sooner, later in pairwise(marks)] + [AFTER_S]
    pieces = [(b"".join(lines[low:high]), pause_s) for (low, high), pause_s in zip(pairwise(cuts), pauses, strict=True)]
    return [(data, pause_s) for data, pause_s in pieces if data]


def own_clock(stamps: list[float | None]) -> list[float | None]:
    """Keep one clock of two, with and without the year: that of most lines."""
    with_year = sum(at_s >= YEARLESS_S for at_s in stamps if at_s is not None)
    is_dated = 2 * with_year >= sum(at_s is not None for at_s in stamps)
    return [at_s if at_s is not None and (at_s >= YEARLESS_S) == is_dated else None for at_s in stamps]


def arrivals(stamps: list[float | None]) -> list[float | None]:
    """Say when lines came that tell when they were printed.

    Where some come long after later ones, a buffer held them: all come as often as that is emptied.
    """
    told = [at_s for at_s in stamps if at_s is not None]
    told = told[: told.index(max(told)) + 1] if told else []  # what never catches up is a report behind the log
    lag_s = max((latest - at_s for latest, at_s in zip(accumulate(told, max), told, strict=True)), default=0.0)
    if lag_s < BUFFERED_S:
        return stamps
    first_s = told[0]
    return [at_s if at_s is None else first_s + lag_s * -((first_s - at_s) // lag_s) for at_s in stamps]


def after_the_exception(lines: list[bytes], cut: int) -> int:
    """Move a cut within a traceback behind it: its lines are written at once, with what is said of it next."""
    if not any(is_of_stack(line) for line in lines[max(0, cut - 1) : cut + 1]) and not is_exception(lines, cut - 1):
        return cut
    while cut < len(lines) and is_of_stack(lines[cut]):
        cut += 1
    if cut < len(lines) and is_of_stack(lines[cut - 1]):
        cut += 1
    if 0 < cut < len(lines) and clock_of(lines[cut]) is None:
        return cut + 1
    for _ in range(MOST_SAID):
        cut += 0 < cut < len(lines) and is_at_once(lines[cut - 1], lines[cut])
    return cut


def is_at_once(line: bytes, after: bytes) -> bool:
    """Tell whether a line was printed together with the one before it."""
    at_s, after_s = clock_of(line), clock_of(after)
    return at_s is not None and after_s is not None and 0 <= after_s - at_s < AT_ONCE_S


def is_of_stack(raw: bytes) -> bool:
    """Tell a line of a traceback, but for the exception itself."""
    return bool(STACK.search(indented(raw)))


def is_exception(lines: list[bytes], number: int) -> bool:
    """Tell the line that ends a traceback."""
    return number > 0 and is_of_stack(lines[number - 1]) and not is_of_stack(lines[number])


def clock_of(raw: bytes) -> float | None:
    """Read when a line was printed: by the stamp before it, or by the field of a record that is called so."""
    if field := IN_RECORD.search(raw[:2000]):
        return int(field[1]) / 1000
    line = clean(raw)
    return line.time_s if line.clock == "epoch" else None


def spread(marks: list[tuple[int, float]], bare: list[int]) -> list[tuple[int, float]]:
    """Let what lies without a clock between two clocks come evenly, as far as the pause is long enough."""
    spaced = [marks[0]]
    for (number, at_s), (after, later_s) in pairwise(marks):
        between = bare[bisect(bare, number) : bisect(bare, after - 1)]
        count = min(len(between) + 1, int((later_s - at_s) / PIECE_S))
        parts = range(1, count)
        spaced += [(between[(len(between) * k) // count], at_s + (later_s - at_s) * k / count) for k in parts]
        spaced.append((after, later_s))
    return spaced


def wait(watch: WatchService, now_s: float, pause_s: float) -> float:
    """Let a pause go by; look at the moments that matter, and wait for each answer. Give the time at its end."""
    for after_s in (0.0, 4.0, 9.0, 14.0, 21.0, 29.0, 60.0, *range(120, 1800, 60), *range(1800, 3601, 300)):
        if after_s >= pause_s:
            break
        watch.look(now_s + after_s)
        while watch.pool.busy or watch.pool.waiting:
            watch.pipes.sleep(1.0)
            watch.pool.tend(now_s + after_s)
    return now_s + pause_s
