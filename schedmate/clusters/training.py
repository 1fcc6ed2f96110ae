"""The truth about elastic training jobs, played from published measurements, and what such a job believes of itself."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from schedmate.clusters import LiveJob, Placement
from schedmate.clusters.elastic import Configurations, Floats
from schedmate.clusters.goodput import Limits, Noise, StepModel, best_batch, fit
from schedmate.errors import InputError, MissingExtra
from schedmate.traces.training_profiles import StepTable, TrainingProfile

RESTART_S = {"cifar10": 50, "deepspeech2": 25, "bert": 120, "yolov3": 80, "imagenet": 250, "ncf": 15}
"""Seconds without progress after a start or a move, as Sia's simulator has them; 30 for others."""
SLOWDOWN = {"cifar10": 1.8, "ncf": 1.5, "imagenet": 1.2, "yolov3": 1.2, "bert": 1.2, "deepspeech2": 1.2}
"""How much slower real runs were than the tables, as Sia measured."""
EPOCHS = {"cifar10": 100, "bert": 2, "imagenet": 90, "deepspeech2": 80, "yolov3": 50, "ncf": 10}
MOST_LOCAL = {("deepspeech2", "rtx"): 57}
MOST_REPLICAS = 64
GROWTH = 2
"""A job may grow to this many times the most GPUs that it has tried."""
ROUND_S = 60.0


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
        self.space: tuple[Any, Any] | None = None

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


class Trainee:
    """One elastic job: what it has done, seen, and believes; policies see only the last through `Elastic`."""

    def __init__(self, app: Application, wanted_gpus: int, batch: int, category: str = "adaptive") -> None:
        self.app = app
        self.application = app.name
        self.category = category
        self.wanted_gpus = wanted_gpus
        self.batch = min(max(batch, app.first_batch), app.most_batch)
        self.seen: dict[str, dict[tuple[int, int, int], tuple[float, float]]] = {}
        self.models: dict[str, StepModel] = {}
        self.noise: Noise | None = None
        self.version = 0
        self.table: tuple[int, Configurations, Floats] | None = None
        self.epoch = 0
        self.progress = 0.0
        self.kind = ""
        self.shape: tuple[int, ...] = ()
        self.local, self.passes = 0, 0
        self.resume_s = -math.inf
        self.leg = 0.0
        self.settled = False

    def restarting(self, now_s: float) -> bool:
        """Tell whether the checkpoint is still being loaded."""
        return now_s < self.resume_s

    def goodputs(self, shapes: Configurations) -> Floats | None:
        """Ask the fitted models; a kind never run on is judged by one that was, at the ratio of single-GPU speeds."""
        if self.noise is None or not self.models:
            return None
        if self.table is None or self.table[0] != self.version or self.table[1] is not shapes:
            self.table = self.version, shapes, self._goodputs(shapes, self.noise)
        return self.table[2]

    def _goodputs(self, shapes: Configurations, noise: Noise) -> Floats:
        known = next(iter(kind for kind in shapes.kinds if kind in self.models), None)
        values = np.zeros(len(shapes.gpus))
        if known is None:
            return values
        most = max(self.most_gpus(kind) for kind in shapes.kinds)
        rigid = self.category == "rigid"
        use = np.flatnonzero(shapes.gpus == most if rigid else shapes.regular & (shapes.gpus <= most))
        sources = [kind if kind in self.models else known for kind in shapes.kinds]
        ratios = [
            1.0 if source == kind else self.app.single_speed(kind) / self.app.single_speed(source)
            for kind, source in zip(shapes.kinds, sources, strict=True)
        ]
        ranges = [self.app.local_range(kind) for kind in sources]
        of = shapes.kind[use]
        model = StepModel(*(np.array(column)[of] for column in zip(*(self.models[s] for s in sources), strict=True)))
        sizes = np.array([shapes.per_node[shapes.kinds.index(source)] for source in sources])[of]
        nodes = np.where(
            np.array([source == kind for kind, source in zip(shapes.kinds, sources, strict=True)])[of],
            shapes.nodes[use],
            np.ceil(shapes.gpus[use] / sizes),
        )
        least, largest = (np.array(column, float)[of] for column in zip(*ranges, strict=True))
        limits = Limits(self.app.first_batch, self.batch, least, largest)
        tune = self.category == "adaptive"
        values[use] = best_batch(model, noise, limits, nodes, shapes.gpus[use], tune).goodput * np.array(ratios)[of]
        return values

    def most_gpus(self, kind: str) -> int:
        """Grow step by step: at most twice what was tried, and no more than the batch can feed."""
        if self.category != "adaptive":
            return self.wanted_gpus
        tried = max((key[1] for key in self.seen.get(kind, ())), default=0)
        return min(max(GROWTH * tried, 1), MOST_REPLICAS, self.app.most_batch // self.app.local_range(kind)[0])

    def observe(self) -> None:
        """Measure the present step and noise; refit when the configuration is new."""
        key = (len(self.shape), sum(self.shape), self.local)
        noise = self.app.noise(self.total_batch, self.epoch)
        seen = self.seen.setdefault(self.kind, {})
        if noise != self.noise:
            self.noise, self.version = noise, self.version + 1
        if key not in seen:
            seen[key] = self.app.step(self.kind, self.shape, self.local)
            self.models[self.kind] = fitted(self.app.name, self.kind, tuple(seen.items()))
            self.version += 1
            self.settled = False

    @property
    def total_batch(self) -> int:
        """Count the examples of one step."""
        return sum(self.shape) * self.local * (self.passes + 1)

    def tune(self) -> None:
        """Choose the batch anew by what is believed now; before the first step by the user's or the smallest."""
        replicas, app = sum(self.shape), self.app
        most_local = app.most_local(self.kind, self.shape)
        before = self.local, self.passes
        if self.category == "adaptive" and self.noise is not None and self.kind in self.models:
            limits = Limits(app.first_batch, app.most_batch, app.local_range(self.kind)[0], most_local)
            nodes, count = np.array([float(len(self.shape))]), np.array([float(replicas)])
            choice = best_batch(self.models[self.kind], self.noise, limits, nodes, count)
            self.local, self.passes = int(choice.local[0]), int(choice.accumulation[0])
        else:
            adaptive = self.category == "adaptive"
            batch = max(app.first_batch, app.local_range(self.kind)[0] * replicas) if adaptive else self.batch
            local = math.ceil(batch / replicas - 1e-8)
            self.passes = math.ceil(local / most_local - 1e-8) - 1
            if replicas == 1 and batch > app.first_batch:
                self.passes = max(1, self.passes)
            self.local = math.ceil(local / (self.passes + 1) - 1e-8)
        table = app.tables.get(self.kind)
        cap = table.most_local_of(replicas) if table else None
        self.local = max(1, min(self.local, cap or self.local, app.most_batch // (replicas * (self.passes + 1))))
        self.settled = before == (self.local, self.passes)

    def rate(self) -> float:
        """Give true progress a second."""
        step_s, sync_s = self.app.step(self.kind, self.shape, self.local)
        seconds = step_s + (step_s - sync_s) * self.passes
        gain = self.app.noise(self.total_batch, self.epoch).gain(self.total_batch / self.app.first_batch)
        return float(gain) / seconds / SLOWDOWN.get(self.app.name, 1.0)

    def next_leg(self, now_s: float) -> float:
        """Give the work up to the end of the epoch, or to the next round while the batch is still being tuned."""
        self.observe()
        left = max(self.app.progress(self.epoch + 1) - self.progress, 0.0)
        if not self.settled:
            left = min(left, self.rate() * ((now_s // ROUND_S + 1) * ROUND_S - now_s))
        self.leg = left
        return left


@lru_cache(maxsize=50_000)
def fitted(
    application: str, kind: str, seen: tuple[tuple[tuple[int, int, int], tuple[float, float]], ...]
) -> StepModel:
    """Fit once for all jobs of an application that have seen the same."""
    return fit(dict(seen))


class TrainingPhysics:
    """Plays trainees epoch by epoch."""

    def __init__(self, applications: Mapping[str, Application]) -> None:
        self.applications = applications

    def enrol(self, job: LiveJob, application: str, batch: int, category: str) -> None:
        """Make a job a trainee."""
        if application not in self.applications:
            known = ", ".join(sorted(self.applications))
            raise InputError(f"job {job.job_id} trains {application}, which was not measured", f"there are: {known}")
        job.spec = Trainee(self.applications[application], job.gpus, batch, category or "adaptive")

    def begin(self, job: LiveJob, placement: Placement, left: float | None, now_s: float) -> float:
        """Book what was done, choose a batch for the new shape, and give the leg that begins after the pause."""
        trainee: Trainee = job.spec
        if left is not None:
            trainee.progress += trainee.leg - max(left, 0.0)
        trainee.kind = placement.kind
        trainee.shape = tuple(sorted((mask.bit_count() for _, mask in placement.parts), reverse=True))
        trainee.resume_s = now_s + self.pause_s(job)
        trainee.tune()
        trainee.settled = False
        return trainee.next_leg(trainee.resume_s)

    def next_leg(self, job: LiveJob, now_s: float) -> float | None:
        """Close the epoch if it is over; end the job after its last one."""
        trainee: Trainee = job.spec
        trainee.progress += trainee.leg
        goal = trainee.app.progress(trainee.epoch + 1)
        if trainee.progress >= goal - 1e-6 * max(goal, 1.0):
            trainee.progress = goal
            trainee.epoch += 1
            if trainee.epoch >= trainee.app.epochs:
                return None
        trainee.tune()
        return trainee.next_leg(now_s)

    def rate(self, job: LiveJob, placement: Placement, partner: LiveJob | None) -> float:
        """Give the trainee's true progress a second."""
        trainee: Trainee = job.spec
        return trainee.rate()

    def restart_work(self, job: LiveJob) -> float:
        """Add nothing: a restart is paid in seconds."""
        return 0.0

    def pause_s(self, job: LiveJob) -> float:
        """Load the checkpoint."""
        return float(RESTART_S.get(job.spec.application, 30))

    def status(self, job: LiveJob) -> str:
        """End well."""
        return "completed"
