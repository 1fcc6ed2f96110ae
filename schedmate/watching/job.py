"""One job that is watched: its logs, read as they grow, and what is known of how it is getting on."""

import math
import os
from collections import deque
from collections.abc import Mapping
from itertools import pairwise
from statistics import median

from schedmate.readers.failures.job_logs.log_files import is_empty
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.lines import STACK_HEAD
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.watch import start
from schedmate.schemas import Metrics
from schedmate.tools.followed_file import POLL_BYTES
from schedmate.watching.events import Kind
from schedmate.watching.finding import rank_of
from schedmate.watching.last_words import NEAR_LINES, Ending, looks_over, seen_gone

LOSSES = 64

FEW_GAPS = 3
"""So many gaps say what is usual."""


class Log:
    """One log of a job."""

    def __init__(self, path: str, shapes: Shapes) -> None:
        self.path = path
        self.watched = start(path, shapes)
        self.tracker = self.watched.tracker
        self.grew_s = self.moved_s = written_s(path)
        self.step: tuple[int, float] = (0, 0.0)
        self.trouble = bool(self.watched.file.offset)
        """Words that a failure may be told in came since it was last diagnosed; what was skipped may have held some."""
        self.is_unread = True
        """It was never looked into."""
        self.is_fresh = True
        """Nothing was read yet: what comes first is as old as the file says, not as new as the reading."""
        self.metrics = Metrics(log=path)
        self.usual_s: float | None = None
        """How long it usually is from one report to the next, as of when the metrics were worked out."""
        self.hung_s = math.inf
        """A gap of so long was told as a hang: what is usual does not grow by it."""
        self.outlived_s = 0.0
        """The longest gap that was told as a hang and passed."""
        self.is_seen_to_begin = False
        """It was looked into before its first report came."""
        self.at_once_s: float | None = None
        """What the first reports that came lay apart, where they came together: a buffer holds them back."""
        self.losses: deque[float] = deque(maxlen=LOSSES)
        self.reads_on = True
        """More may lie in the file than one look takes."""

    def poll(self, now_s: float) -> bool:
        """Read what is new; tell whether there was anything."""
        was_looked_into, self.is_unread = not self.is_unread, False
        growth = self.watched.file.poll()
        if growth.restarted:
            self.tracker.restart()
        self.reads_on = len(growth.data) >= POLL_BYTES
        if not growth.data:
            return growth.restarted
        self.grew_s = min(now_s, written_s(self.path)) if self.is_fresh else now_s
        self.is_fresh = False
        self.tracker.feed(growth.data, self.grew_s)
        self.tracker.catch_up()
        self.trouble = self.trouble or tells_of_trouble(growth.data)
        if self.tracker.pace.seen_step != self.step:
            self.is_seen_to_begin = self.is_seen_to_begin or (was_looked_into and not self.step[0])
            self.step, self.moved_s = self.tracker.pace.seen_step, self.grew_s
        return True

    @property
    def spoken(self) -> str:
        """Name the file that holds its last words: the one that was moved aside, while the new one is empty."""
        rotated = self.watched.file.rotated
        return rotated if rotated and os.path.isfile(rotated) and is_empty(self.path) else self.path

    def work_out(self) -> None:
        """Compute the metrics of what was read."""
        self.metrics = self.tracker.metrics()
        self.usual_s = self.gap_s()
        if self.at_once_s is None and self.step[0]:
            self.at_once_s = self.spanned_s() if self.is_seen_to_begin else 0.0
        loss = self.metrics.loss
        if loss is not None and (not self.losses or loss != self.losses[-1]):
            self.losses.append(loss)

    def spanned_s(self) -> float:
        """Give how far the reports of the loop lie apart, the first from the last."""
        loop = self.tracker.settle()
        if loop is None:
            return 0.0
        stamps = [stamp for stamp in loop.rows.column("stamp") if stamp == stamp]
        if stamps and stamps[-1] > loop.rows.began:
            return stamps[-1] - loop.rows.began
        steps = steps_of(loop.rows.column("step"))
        return loop.rows.seen * median(steps) * (self.tracker.answer().each_s or 0.0) if steps else 0.0

    @property
    def pause_s(self) -> float:
        """Give the longest time without a report that is known to be none that lasts."""
        gaps = self.tracker.pace.clock.gaps
        few = max(gaps, default=0.0) if len(gaps) < FEW_GAPS else 0.0
        return max(self.outlived_s, self.at_once_s or 0.0, few)

    def gap_s(self) -> float | None:
        """Give how long it usually is from one report of the loop to the next; None while that is not known."""
        gaps = [gap for gap in self.tracker.pace.clock.gaps if gap < self.hung_s]
        if len(gaps) >= FEW_GAPS:
            return max(median(gaps), max(gaps) / 3)
        loop = self.tracker.settle()
        if loop is None:
            return None
        moved = steps_of(loop.rows.column("stamp"))
        if moved:
            return median(moved)
        steps, each_s = steps_of(loop.rows.column("step")), self.tracker.answer().each_s
        return median(steps) * each_s if steps and each_s else None


class WatchedJob:
    """The logs of one job, its conditions that people were told of, and what it is asked about now."""

    def __init__(self, name: str, known: Mapping[Kind, float]) -> None:
        self.name = name
        self.logs: dict[str, Log] = {}
        self.open = dict(known)
        """What is wrong and was told of, with the step at which it was."""
        self.is_asked = False
        self.failed_readings = 0
        """How many readings in a row gave no answer."""
        self.looked_s = -1.0
        self.ending: Ending = ""
        self.has_ended = False
        """It said so itself; whatever grows after that is looked at anew."""
        self.is_settling = False
        """It is known to be over, and its log is given a moment for what was still in buffers."""
        self.is_dirty = True
        """Something came since its metrics were worked out."""
        self.has_news = False
        """Its metrics were worked out since it was judged."""

    def poll(self, now_s: float) -> bool:
        """Read what is new in all logs."""
        grew = [log.poll(now_s) for log in self.logs.values()]
        if any(grew):
            self.is_dirty, self.has_ended = True, False
        return any(grew)

    def work_out(self) -> None:
        """Compute the metrics of what was read."""
        self.is_dirty, self.has_news = False, True
        for log in self.logs.values():
            log.work_out()

    @property
    def grew_s(self) -> float:
        """Give when any log last grew."""
        return max((log.grew_s for log in self.logs.values()), default=0.0)

    @property
    def is_unread(self) -> bool:
        """Tell whether a log of it was never looked into."""
        return any(log.is_unread for log in self.logs.values())

    @property
    def reads_on(self) -> bool:
        """Tell whether more lies in a log than the last look took."""
        return any(log.reads_on for log in self.logs.values())

    @property
    def looks_over(self) -> Ending:
        """Tell how a log with trouble ends, if as one whose process is gone; looked at once after it grew."""
        if self.looked_s != self.grew_s:
            ends = {looks_over(log.spoken) for log in self.logs.values() if log.trouble}
            self.looked_s, self.ending = self.grew_s, "said" if "said" in ends else "raised" if "raised" in ends else ""
        return self.ending

    def seen_gone(self, among: int = NEAR_LINES) -> str:
        """Give the word at the end of a log of somebody who saw its process go."""
        return next(filter(None, (seen_gone(log.spoken, among) for log in self.logs.values())), "")

    @property
    def ranks(self) -> dict[str, list[Log]]:
        """Give the logs of each rank, the furthest first: steps may go into one and errors into another."""
        if len(self.logs) == 1:
            return {"": [*self.logs.values()]}
        ranks: dict[str, list[Log]] = {}
        for log in sorted(self.logs.values(), key=lambda log: -log.step[1]):
            ranks.setdefault(rank_of(log.path), []).append(log)
        return ranks

    @property
    def files(self) -> list[str]:
        """Name what is to be diagnosed: all logs that hold anything."""
        held = sorted(path for log in self.logs.values() if os.path.isfile(path := log.spoken) and not is_empty(path))
        return held or [self.leader.path]

    @property
    def leader(self) -> Log:
        """Give the log that is furthest: it speaks for the job."""
        if len(self.logs) == 1:
            return next(iter(self.logs.values()))
        return max(self.logs.values(), key=lambda log: (log.step[1], log.moved_s))

    @property
    def trouble(self) -> bool:
        """Tell whether any log holds words that nobody has looked at."""
        return any(log.trouble for log in self.logs.values())


def tells_of_trouble(data: bytes) -> bool:
    """Tell whether a piece of a log holds any word that a failure is told in."""
    return STACK_HEAD.encode() in data or bool(ready_entries().scanner.find(data))


def steps_of(values: list[float]) -> list[float]:
    """Give the differences that go forward; NaN is what does not equal itself."""
    kept = [value for value in values if value == value]
    return [later - earlier for earlier, later in pairwise(kept) if later > earlier]


def written_s(path: str) -> float:
    """Give when a file was last written to; a file that is gone was never."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
