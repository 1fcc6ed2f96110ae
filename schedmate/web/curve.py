"""A job's curve as its log grows: read once, then only what is new, in bounded memory."""

import os
import threading
from collections import OrderedDict
from pathlib import Path

from schedmate.readers.progress.learning.learned import all_formats
from schedmate.readers.progress.tracker import Tracker

PIECE, FIRST_PIECE, FIRST_BYTES = 8 << 10, 1 << 10, 64 << 10
"""The beginning is read in smaller pieces: of each only the last forty steps are known."""
MOST_BYTES = 4 << 20
"""Of a log that is met for the first time; of a longer one the end is read."""
MOST_POINTS = 600
MOST_CURVES = 24
Points = list[tuple[float, float]]


class Curve:
    """Loss and step time of one run, by its counter."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.begin()

    def begin(self) -> None:
        """Know nothing yet."""
        self.tracker = Tracker(str(self.path), all_formats())
        self.at = -1
        self.skipped = 0
        self.file = (0, 0)
        self.loss: dict[float, float] = {}
        self.step_time: dict[float, float] = {}

    def grow(self) -> None:
        """Read what is new; a log that was cut or replaced is read anew."""
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return
        try:
            told = os.fstat(handle)
            if (told.st_dev, told.st_ino) != self.file or told.st_size < self.at:
                self.begin()
                self.file = (told.st_dev, told.st_ino)
                self.at = self.skipped = max(0, told.st_size - MOST_BYTES)
            limit = self.at + MOST_BYTES
            while self.at < limit and (data := os.pread(handle, self.piece, self.at)):
                self.at += len(data)
                self.take(data)
        finally:
            os.close(handle)

    @property
    def piece(self) -> int:
        """Say how much to read at once."""
        return FIRST_PIECE if self.at - self.skipped < FIRST_BYTES else PIECE

    def take(self, data: bytes) -> None:
        """Feed a piece, and note the last steps that it told of."""
        self.tracker.feed(data)
        self.tracker.catch_up()
        metrics, loop = self.tracker.metrics(), self.tracker.loop
        if loop is None or metrics.step is None:
            return
        self.loss.update(loop.rows.pairs("step", "loss"))
        if metrics.step_time_s is not None:
            self.step_time[float(metrics.step)] = metrics.step_time_s
        self.loss, self.step_time = thinned(self.loss), thinned(self.step_time)


class Curves:
    """The curves of the jobs that were looked at last."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Path, Curve] = OrderedDict()
        self.lock = threading.Lock()

    def of(self, path: Path) -> tuple[Points, Points, int]:
        """Give loss and step time by step, and how many bytes of the log's beginning were not read."""
        with self.lock:
            curve = self.kept.pop(path, None) or Curve(path)
            self.kept[path] = curve
            while len(self.kept) > MOST_CURVES:
                self.kept.popitem(last=False)
            curve.grow()
            return list(curve.loss.items()), list(curve.step_time.items()), curve.skipped


def thinned(values: dict[float, float]) -> dict[float, float]:
    """Leave out every other point when there are too many; the newest stays."""
    if len(values) <= MOST_POINTS:
        return values
    newest = list(values.items())[::-1][::2]
    return dict(newest[::-1])
