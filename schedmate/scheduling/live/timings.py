"""How long the loop takes for its decisions, and its readers for theirs; kept in the store for whoever monitors it."""

import json
import time
from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.history.live import LiveStore
from schedmate.models.call_counts import CallCounts
from schedmate.scheduling.live.messages import Message
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster
from schedmate.tools.exposition import Histogram
from schedmate.workers.worker_pool import READING_BOUNDS

FACT = "timings"
EVERY_S = 15.0
TURN_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Timings:
    """Counts since the loop came up; written down now and then, with nothing in between lost but to a kill."""

    def __init__(self, calls: CallCounts | None = None) -> None:
        self.turns = Histogram.of(*TURN_BOUNDS)
        """CPU seconds of a turn: what it waits for others does not count."""
        self.readings: dict[str, Histogram] = {}
        """Seconds by the clock, by what was read."""
        self.outcomes: dict[tuple[str, str], int] = {}
        """Readings by what was read and who answered: built-in, model, both, or nobody."""
        self.calls = calls or CallCounts()
        """What the readers asked models."""
        self.decides = False
        self.written_s = 0.0
        self.is_new = True

    def turn(self, work: Callable[[], object]) -> None:
        """Let the loop turn, and count it if anything was decided."""
        self.decides, began_s = False, time.process_time()
        work()
        if self.decides:
            self.turns.add(time.process_time() - began_s)
            self.is_new = True

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """A job that comes is no decision."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Nor is one that ends."""

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Note that a policy was asked in this turn."""
        self.decides = True

    def reading(self, kind: str, took_s: float, by: str) -> None:
        """Count a reading."""
        self.readings.setdefault(kind, Histogram.of(*READING_BOUNDS)).add(max(0.0, took_s))
        self.outcomes[kind, by] = self.outcomes.get((kind, by), 0) + 1
        self.is_new = True

    def tend(self, store: LiveStore, now_s: float) -> None:
        """Write down what is new."""
        if self.is_new and not 0 <= now_s - self.written_s < EVERY_S:
            self.written_s, self.is_new = now_s, False
            store.set_fact(FACT, json.dumps(self.told()))

    def told(self) -> Message:
        """Give all as plain values."""
        return {
            "turns": [self.turns.counts, self.turns.total],
            "readings": {kind: [one.counts, one.total] for kind, one in self.readings.items()},
            "outcomes": [[kind, by, count] for (kind, by), count in self.outcomes.items()],
            "calls": self.calls.told(),
        }


def remembered(text: str) -> Timings:
    """Give what a loop wrote down; nothing where it wrote nothing, or where another version did."""
    timings = Timings()
    try:
        told = json.loads(text) if text else {}
        for kind, (counts, total) in told.get("readings", {}).items():
            timings.readings[kind] = Histogram(READING_BOUNDS, counts, total)
        if "turns" in told:
            timings.turns = Histogram(TURN_BOUNDS, *told["turns"])
        timings.outcomes = {(kind, by): count for kind, by, count in told.get("outcomes", [])}
        timings.calls.merge(told.get("calls", []))
    except (ValueError, TypeError, AttributeError):
        return Timings()
    return timings
