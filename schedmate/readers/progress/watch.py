"""Watch many live logs: poll each for what is new, and give the metrics of all in their order."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from schedmate.errors import SchedMateError
from schedmate.readers.failures.answer.fatal_end import dead, fatal_end_of
from schedmate.readers.progress.answer.slowdown import Slowdown
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.lines.formats import Format
from schedmate.readers.progress.reading import shared_shapes
from schedmate.readers.progress.tracker import Tracker
from schedmate.readers.progress.whole import WHOLE_BYTES, read_log
from schedmate.schemas import Metrics
from schedmate.tools.followed_file import FollowedFile
from schedmate.tools.logfile import open_log


@dataclass(slots=True)
class WatchedLog:
    """One log that is watched."""

    path: str
    tracker: Tracker
    file: FollowedFile
    change: Slowdown | None = None
    looked: tuple[int, float] = (0, 0.0)
    dead_at: int = -1
    death: str = ""
    """What the log ends in, where that is fatal, as of that version of what was read."""

    def poll(self, now_s: float) -> bool:
        """Feed what is new; tell whether there was anything."""
        growth = self.file.poll()
        if growth.restarted:
            self.tracker.restart()
        if not growth.data:
            return growth.restarted
        self.tracker.feed(growth.data, now_s)
        self.tracker.catch_up()
        return True

    def metrics(self, now_s: float) -> Metrics:
        """Give the metrics as of now; once the log stands still its end is looked at, as a dead job is not slow."""
        metrics = self.tracker.metrics(now_s, self.changed_s()).model_copy(update={"log": self.path})
        if metrics.phase == "stalled":
            if self.dead_at != self.tracker.version:
                self.dead_at, self.death = self.tracker.version, fatal_end_of(self.path, metrics)
            if self.death:
                return dead(metrics, self.death)
        return metrics

    def changed_s(self) -> float | None:
        """Give when the file last changed; None where there is none."""
        try:
            return os.stat(self.path).st_mtime
        except OSError:
            return None

    def slowdown(self) -> Slowdown | None:
        """Give the change of pace, if there is one; it is looked for when steps were added."""
        self.tracker.catch_up()
        if self.looked != self.tracker.pace.seen_step:
            self.looked = self.tracker.pace.seen_step
            self.change = self.tracker.pace.speed.change()
        return self.change


class Watch:
    """All logs that are watched, in the order they were named."""

    def __init__(self, paths: Sequence[str], formats: Sequence[Format] | None = None) -> None:
        shapes = shared_shapes(formats)
        self.logs = [start(path, shapes) for path in paths]

    def poll(self, now_s: float) -> int:
        """Poll every log once; give how many had something new."""
        return sum([log.poll(now_s) for log in self.logs])

    def metrics(self, now_s: float) -> list[Metrics]:
        """Give the metrics of all logs."""
        return [log.metrics(now_s) for log in self.logs]


def start(path: str, shapes: Shapes) -> WatchedLog:
    """Begin with what a log already holds: a large one is read from its end, an absent one is waited for."""
    try:
        size = os.stat(path).st_size
    except OSError:
        size = 0
    if size > WHOLE_BYTES:
        try:
            with open_log(path) as log:
                return WatchedLog(path, read_log(log, shapes, final=False), FollowedFile(path, log.size))
        except SchedMateError:
            pass  # it went away meanwhile: wait for it
    return WatchedLog(path, Tracker(path, shapes=shapes), FollowedFile(path))
