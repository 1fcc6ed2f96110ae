"""How often models were asked and for what, how long that took, what it cost and what failed.

It is counted in the process that asks, and handed on to whoever is monitored; nothing of what was said is in it.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from schedmate.errors import FailureReason, ModelFailed
from schedmate.tools.exposition import Family, Histogram

BOUNDS = (0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)

LOST = "lost"
"""The failure of a call that was given up with the process that made it."""
REASONS = frozenset({*get_args(FailureReason), LOST})

MOST_SERIES = 64
"""Models times tasks; what goes beyond is counted as `other`, so that a server's odd names make no series."""
MOST_LETTERS = 100


@dataclass
class CallCount:
    """The calls of one model for one task."""

    task: str
    model: str
    seconds: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    """Calls by how long they took, in buckets."""
    total_s: float = 0.0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    """By reason."""

    def add(self, other: "CallCount") -> None:
        """Take in the calls of another count."""
        self.seconds = [mine + theirs for mine, theirs in zip(self.seconds, other.seconds, strict=True)]
        self.total_s += other.total_s
        self.prompt_tokens += other.prompt_tokens
        self.answer_tokens += other.answer_tokens
        for reason in REASONS & other.failed.keys():
            self.failed[reason] = self.failed.get(reason, 0) + other.failed[reason]


ROWS = TypeAdapter(list[CallCount])


class CallCost:
    """What a call cost that is under way; who makes it says so."""

    tokens = (0, 0)
    """Of the prompt and of the answer."""


class CallCounts:
    """All calls of a process, or of those that it has heard of."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], CallCount] = {}
        self.lock = Lock()

    @contextmanager
    def timed(self, model: str, counts_success: bool = True) -> Iterator[CallCost]:
        """Count what is done meanwhile as one call; what costs no tokens may count only where it fails."""
        call, began_s = CallCost(), time.monotonic()
        try:
            yield call
        except ModelFailed as error:
            self.note(model, time.monotonic() - began_s, failure=error.reason)
            raise
        if counts_success:
            self.note(model, time.monotonic() - began_s, call.tokens)

    def note(
        self, model: str, took_s: float, tokens: tuple[int, int] = (0, 0), failure: str = "", task: str = ""
    ) -> None:
        """Count one call."""
        histogram = Histogram.of(*BOUNDS)
        histogram.add(max(0.0, took_s))
        failed = {failure: 1} if failure else {}
        self.take(CallCount(task, model, histogram.counts, histogram.total, *tokens, failed))

    def unusable(self, model: str, reason: FailureReason) -> None:
        """Note that what a call gave, which is counted already, was of no use."""
        self.take(CallCount("", model, failed={reason: 1}))

    def take(self, count: CallCount) -> None:
        """Add to what is known of this model and task."""
        with self.lock:
            key = (count.task[:MOST_LETTERS], count.model[:MOST_LETTERS])
            if key not in self.kept and len(self.kept) >= MOST_SERIES:
                key = (key[0] if any(task == key[0] for task, _ in self.kept) else "other", "other")
            self.kept.setdefault(key, CallCount(*key)).add(count)

    def merge(self, told: object, task: str = "") -> None:
        """Take in what another process counted for a task; what is no such count is nothing."""
        try:
            for count in ROWS.validate_python(told):
                if len(count.seconds) == len(BOUNDS) + 1:
                    count.task = task or count.task
                    self.take(count)
        except ValidationError:
            return

    def told(self) -> list[dict[str, object]]:
        """Give all as plain values."""
        with self.lock:
            rows: list[dict[str, object]] = ROWS.dump_python([*self.kept.values()])
        return rows

    def drained(self) -> list[dict[str, object]]:
        """Give all as plain values, and begin anew."""
        with self.lock:
            rows: list[dict[str, object]] = ROWS.dump_python([*self.kept.values()])
            self.kept = {}
        return rows


CALLS = CallCounts()
"""Those that this process made itself."""


def families(by_asker: Mapping[str, CallCounts]) -> Iterator[Family]:
    """Give the figures for Prometheus, by who asked."""
    kept = [(asker, count) for asker, counts in by_asker.items() for count in [*counts.kept.values()]]
    seconds, tokens, failed = list[tuple[dict[str, str], float]](), [], []
    for asker, count in kept:
        labels = {"asker": asker, "model": count.model, "task": count.task}
        seconds += Histogram(BOUNDS, count.seconds, count.total_s).values(**labels)
        tokens += [
            (labels | {"direction": "prompt"}, float(count.prompt_tokens)),
            (labels | {"direction": "answer"}, float(count.answer_tokens)),
        ]
        failed += [(labels | {"reason": reason}, float(count.failed.get(reason, 0))) for reason in sorted(REASONS)]
    about = "Time of a call of a model, its turn and new tries in it; its count is that of the calls."
    yield Family("schedmate_model_call_seconds", "histogram", about, seconds)
    about = "Calls of models that failed, or gave what was of no use, by reason."
    yield Family("schedmate_model_failures_total", "counter", about, failed)
    yield Family("schedmate_model_tokens_total", "counter", "Tokens as the server counts them.", tokens)
