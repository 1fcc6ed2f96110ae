"""Batch learners beside the decision path: they train on a copy in a thread and are swapped in when done.

A decision never waits for training. In a simulation nobody waits either, but the answer must be the same each time, so
there training happens at fixed moments of simulated time (`in_background=False`).
"""

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import numpy as np

from schedmate.scheduling.estimators.mixture import Array

Row = TypeVar("Row")
DAY_S = 86_400.0


class Model(Protocol):
    """What training gives."""

    def predict(self, rows: Array) -> Array: ...


class Retraining(Generic[Row]):
    """Keeps rows and targets, and a model that is trained anew when it is due."""

    def __init__(
        self,
        train: Callable[[list[Row], Array], Model],
        *,
        every_s: float,
        at_least: int = 200,
        most: int = 200_000,
        in_background: bool = True,
    ) -> None:
        self.train = train
        self.every_s = every_s
        self.at_least = at_least
        self.most = most
        self.in_background = in_background
        self.rows: list[Row] = []
        self.targets: list[float] = []
        self.model: Model | None = None
        self.due_s = -np.inf
        self.thread: threading.Thread | None = None
        self.trainings = 0

    def add(self, row: Row, target: float) -> None:
        """Keep what ended; the oldest goes when there is too much."""
        self.rows.append(row)
        self.targets.append(target)
        if len(self.rows) > self.most:
            del self.rows[: self.most // 10], self.targets[: self.most // 10]

    def tick(self, at_s: float) -> None:
        """Train when it is due and there is enough to learn from; at most one training is under way."""
        if at_s < self.due_s or len(self.rows) < self.at_least or (self.thread and self.thread.is_alive()):
            return
        self.due_s = at_s + self.every_s
        rows, targets = list(self.rows), np.array(self.targets)
        if not self.in_background:
            self.fit(rows, targets)
            return
        self.thread = threading.Thread(target=self.fit, args=(rows, targets), daemon=True)
        self.thread.start()

    def fit(self, rows: list[Row], targets: Array) -> None:
        """Train, then put the new model in place of the old one."""
        self.model = self.train(rows, targets)
        self.trainings += 1
