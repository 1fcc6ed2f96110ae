"""A site whose clock is played: logs are real files with real times of writing, the readers are real processes."""

import os
import time
from datetime import UTC, datetime

import pytest

from schedmate.watching.journal import Journal
from schedmate.watching.service import WatchOptions, WatchService

BEGIN_S = 1_790_000_000.0


def stamp(at_s):
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S}"


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.now_s = BEGIN_S
        self.told = []
        self.options = {}
        self.watch = None

    def path(self, name):
        return str(self.folder / "logs" / name)

    def write(self, name, text):
        """Append to a log, as of now."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a") as file:
            file.write(text)
        os.utime(path, (self.now_s, self.now_s))

    def train(self, name, first, last, total=10_000, every_s=10.0, loss=lambda step: 5.0 / step, look=True):
        """Print a step every so often, and have the watch look in between."""
        for step in range(first, last + 1):
            self.now_s += every_s
            self.write(name, f"{stamp(self.now_s)} step {step}/{total} loss {loss(step):.4f}\n")
            if look:
                self.look()

    def start(self, **options):
        """Start a watch; the one before it, if any, has gone."""
        self.options = options or self.options
        since_s = self.options.pop("since_s", 600.0)
        ends, is_asked = self.options.pop("ends", ()), self.options.pop("is_asked", False)
        patterns = (str(self.folder / "logs"),)
        journal = Journal(self.folder / "data" / "watch.jsonl", self.now_s, since_s, is_asked)
        self.watch = WatchService(WatchOptions(patterns, **self.options), journal, self.told.append, self.now_s, ends)

    def stop(self):
        if self.watch is not None:
            self.watch.close()
        os.utime(self.folder / "data" / "watch.jsonl", (self.now_s, self.now_s))
        self.watch = None

    def look(self):
        """Look once, and wait for the answers to what was asked."""
        self.watch.look(self.now_s)
        while self.watch.pool.busy or self.watch.pool.waiting:
            self.watch.pipes.sleep(1.0)
            self.watch.pool.tend(self.now_s)
        self.watch.outbox.tend(self.now_s)
        os.utime(self.folder / "data" / "watch.jsonl", (self.now_s, self.now_s))

    def pass_by(self, seconds, every_s=10.0):
        """Let time go by in which nothing is printed."""
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.now_s += every_s
            self.look()

    def sent(self):
        """Wait until all that was handed over is sent."""
        while self.watch.outbox.is_busy:
            time.sleep(0.01)
        self.watch.outbox.hear()

    @property
    def kinds(self):
        return [event.kind for event in self.told]


@pytest.fixture
def site(tmp_path):
    made = Site(tmp_path)
    (tmp_path / "logs").mkdir()
    made.start()
    yield made
    made.stop()
