"""Training programs as they truly are: step times, noise and progress, interpolated from published measurements."""

import math
from collections.abc import Collection
from functools import lru_cache
from typing import Any

import numpy as np

from schedmate.clusters.elastic import Floats
from schedmate.clusters.simulation.goodput import Noise, StepModel
from schedmate.errors import InputError, MissingExtra
from schedmate.traces.training_profiles import StepTable, TrainingProfile

EPOCHS = {"cifar10": 100, "bert": 2, "imagenet": 90, "deepspeech2": 80, "yolov3": 50, "ncf": 10}

RESTART_S = {"cifar10": 50, "deepspeech2": 25, "bert": 120, "yolov3": 80, "imagenet": 250, "ncf": 15}
"""Seconds without progress after a start or a move, as Sia's simulator has them; 30 for others."""
SLOWDOWN = {"cifar10": 1.8, "ncf": 1.5, "imagenet": 1.2, "yolov3": 1.2, "bert": 1.2, "deepspeech2": 1.2}
"""How much slower real runs were than the tables, as Sia measured."""
MOST_LOCAL = {("deepspeech2", "rtx"): 57}


class Application:
    """One training program: its true step times by kind of GPU, its noise and progress by epoch."""

    def __init__(self, profile: TrainingProfile) -> None:
        self.name = profile.name
        self.batches = list(profile.runs)
        self.runs = list(profile.runs.values())
        self.first_batch, self.most_batch = self.batches[0], self.batches[-1]
        self.epochs = min(EPOCHS.get(self.name, 1 << 30), *(len(run.progress) for run in self.runs))
        self.profile = profile
        self.tables = {kind: TrueSteps(table) for kind, table in profile.steps.items()}
        self.models = {
            kind: StepModel(*fitted.parameters) for kind, fitted in profile.fitted.items() if kind not in self.tables
        }
        self.noise = lru_cache(maxsize=100_000)(self._noise)

    def knows(self, kind: str) -> bool:
        """Tell whether the program was measured on a kind of GPU."""
        return kind in self.tables or kind in self.models

    def must_know(self, kinds: Collection[str]) -> None:
        """Refuse kinds of GPU on which the program was not measured: nobody knows what its steps take there."""
        if unknown := sorted(kind for kind in kinds if not self.knows(kind)):
            known = ", ".join(sorted({*self.tables, *self.models}))
            raise InputError(f"{self.name} was not measured on GPUs of the kind '{unknown[0]}'", f"it was on: {known}")

    def progress(self, epoch: int) -> float:
        """Give the progress at the end of so many epochs."""
        return 0.0 if epoch == 0 else min(float(run.progress[epoch - 1]) for run in self.runs)

    def _noise(self, batch: float, epoch: int) -> Noise:
        places = (min(max(batch, self.first_batch), self.most_batch), self.batches)
        sqr = np.interp(*places, [run.grad_sqr[epoch] for run in self.runs])
        var = np.interp(*places, [run.grad_var[epoch] for run in self.runs])
        return Noise(float(sqr), float(var))

    def local_range(self, kind: str) -> tuple[int, int]:
        """Give the smallest and largest batch a GPU that was tried on a kind."""
        if kind in self.tables:
            column = self.tables[kind].table.rows[:, 2]
            least, most = int(column.min()), int(column.max())
        else:
            fitted = self.profile.fitted[kind]
            least, most = fitted.least_batch, fitted.most_batch
        return least, MOST_LOCAL.get((self.name, kind), most)

    def most_local(self, kind: str, shape: tuple[int, ...]) -> int:
        """Give the largest batch a GPU that was tried on a placement."""
        if kind not in self.tables:
            return self.local_range(kind)[1]
        return self.tables[kind].most_local(shape)

    def step(self, kind: str, shape: tuple[int, ...], batch: int) -> tuple[float, float]:
        """Give true seconds of a step and of its synchronisation."""
        if kind in self.tables:
            return self.tables[kind].step(shape, batch)
        model = self.models[kind]
        seconds = float(model.step_s(len(shape), sum(shape), batch))
        return seconds, seconds - float(model.compute_s(batch))

    def single_speed(self, kind: str) -> float:
        """Give examples a second on one GPU at the largest batch that was tried."""
        if kind in self.tables:
            alone = self.tables[kind].alone()
            return float(alone[:, 2].max() / alone[:, 3].max())
        batch = self.local_range(kind)[1]
        return batch / self.step(kind, (1,), batch)[0]


class TrueSteps:
    """A table of measured step times, interpolated; interpolators are made once."""

    def __init__(self, table: StepTable) -> None:
        self.table = table
        self.placements = table.by_placement()
        self.counted = table.rows[[word == "" for word in table.placement]]
        self.cache: dict[tuple[tuple[int, ...], int], tuple[float, float]] = {}
        self.space: tuple[Any, Any] | None = None  # Any: SciPy has no types

    def alone(self) -> Floats:
        """Give the rows of one GPU."""
        return self.placements["1"]

    def step(self, shape: tuple[int, ...], batch: int) -> tuple[float, float]:
        """Interpolate over the batch where the placement was measured, else over nodes, GPUs and batch."""
        key = (shape, batch)
        if key not in self.cache:
            rows = self.placements.get(word_of(shape))
            if rows is None:
                self.cache[key] = self._in_space(shape, batch)
            else:
                step_s = float(np.interp(batch, rows[:, 2], rows[:, 3]))
                self.cache[key] = step_s, float(np.interp(batch, rows[:, 2], rows[:, 4]))
        return self.cache[key]

    def _in_space(self, shape: tuple[int, ...], batch: int) -> tuple[float, float]:
        try:
            from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator
        except ImportError as error:
            raise MissingExtra("interpolating training profiles", "sia") from error
        if self.space is None:
            keys, member = np.unique(self.table.rows[:, :3], axis=0, return_inverse=True)
            count = np.bincount(member)
            values = np.stack([np.bincount(member, self.table.rows[:, c]) / count for c in (3, 4)], axis=1)
            self.space = LinearNDInterpolator(keys, values), NearestNDInterpolator(keys, values)
        linear, nearest = self.space
        point = (min(len(shape), 16), sum(shape), batch)
        step_s, sync_s = np.ravel(linear(point))
        if math.isnan(step_s):
            # Outside of all that was measured; the nearest measurement is the best that can be said.
            step_s, sync_s = np.ravel(nearest(point))
        return float(step_s), float(sync_s)

    def most_local(self, shape: tuple[int, ...]) -> int:
        """Give the largest batch a GPU of this placement, or of those at least as large."""
        rows = self.placements.get(word_of(shape))
        if rows is None:
            rows = self.counted[(self.counted[:, 0] >= len(shape)) & (self.counted[:, 1] >= sum(shape))]
        return int((rows if len(rows) else self.table.rows)[:, 2].max())

    def most_local_of(self, replicas: int) -> int | None:
        """Give the largest batch a GPU over all placements of so many GPUs; None when there is none."""
        rows = [rows for rows in self.placements.values() if rows[0, 1] == replicas]
        return int(max(row[:, 2].max() for row in rows)) if rows else None


def word_of(shape: tuple[int, ...]) -> str:
    """Name a placement by its GPUs a node, turned so that the name is the smallest."""
    return "".join(map(str, min(shape[i:] + shape[:i] for i in range(len(shape)))))
