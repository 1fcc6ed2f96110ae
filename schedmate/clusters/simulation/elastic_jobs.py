"""The truth about elastic training jobs, played from published measurements, and what such a job believes of itself."""

import math
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from schedmate.clusters import LiveJob, Placement
from schedmate.clusters.elastic import Configurations, Floats
from schedmate.clusters.simulation.applications import RESTART_S, SLOWDOWN, Application
from schedmate.clusters.simulation.experience import Experience, Steps
from schedmate.clusters.simulation.first_guess import average_gain
from schedmate.clusters.simulation.goodput import BatchLimits, Noise, StepModel, best_batch, fitted
from schedmate.clusters.simulation.work_left import SILENT
from schedmate.errors import InputError

MOST_REPLICAS, ROUND_S = 64, 60.0

GROWTH = 2
"""A job may grow to this many times the most GPUs that it has tried."""
BELIED = 1.5
"""Computing that takes so many times what others' steps made one expect, or so many times less: they were no like."""


class Trainee:
    """One elastic job: what it has done, seen, and believes; policies see only the last through `Elastic`."""

    def __init__(self, app: Application, wanted_gpus: int, batch: int, category: str = "adaptive") -> None:
        self.app = app
        self.application = app.name
        self.category = category
        self.wanted_gpus = wanted_gpus
        self.batch = min(max(batch, app.first_batch), app.most_batch)
        self.seen: dict[str, Steps] = {}
        self.borrowed: dict[str, Steps] = {}
        """What others of the application have seen, as long as nothing belies it."""
        self.others: tuple[Trainee, ...] = ()
        """One of each application that has ended, by which a job without a like is placed until its own first step."""
        self.first_noise: Noise | None = None
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
        self.pause_s = 0.0
        """What the present start or move takes before steps go on."""
        self.has_tried = False
        """It ran on one GPU of each kind before it began."""
        self.leg = 0.0
        self.began_s = self.leg_began_s = math.inf
        self.outlook = SILENT
        self.settled = False
        """The batch that is best by what is believed is the one that runs."""
        self.observed = False
        """The present configuration and epoch have been measured."""

    def restarting(self, now_s: float) -> bool:
        """Tell whether the checkpoint is still being loaded."""
        return now_s < self.resume_s

    def work_left(self, now_s: float) -> float | None:
        """Tell by log or like what is still to be done; what was done before a stop counts once it goes on."""
        begun = 0.0 if now_s <= self.leg_began_s else min(self.leg, self.rate() * (now_s - self.leg_began_s))
        done, whole = (
            self.app.first_batch * part for part in (self.progress + begun, self.app.progress(self.app.epochs))
        )
        return self.outlook.left(done, whole, now_s - self.began_s)

    def goodputs(self, shapes: Configurations) -> Floats | None:
        """Ask the fitted models; a kind never run on is judged by one that was, at the ratio of single-GPU speeds."""
        if self.others and not self.seen:
            return average_gain(self.others, shapes, self.most_fed(shapes.kinds))
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
        limits = BatchLimits(self.app.first_batch, self.batch, least, largest)
        tune = self.category == "adaptive"
        values[use] = best_batch(model, noise, limits, nodes, shapes.gpus[use], tune).goodput * np.array(ratios)[of]
        return values

    def most_gpus(self, kind: str) -> int:
        """Grow step by step: at most twice what was tried, and no more than the batch can feed."""
        if self.category != "adaptive":
            return self.wanted_gpus
        tried = max((key[1] for seen in (self.seen, self.borrowed) for key in seen.get(kind, ())), default=0)
        return min(max(GROWTH * tried, 1), self.most_fed([kind]))

    def most_fed(self, kinds: Iterable[str]) -> int:
        """Count the GPUs that the largest batch can feed."""
        return min(MOST_REPLICAS, *(self.app.most_batch // self.app.local_range(kind)[0] for kind in kinds))

    def observe(self) -> None:
        """Take in the step and noise of what has run so far; refit when the configuration is new."""
        self.observed = True
        key = (len(self.shape), sum(self.shape), self.local)
        noise = self.app.noise(self.total_batch, self.epoch)
        self.first_noise = self.first_noise or noise
        seen = self.seen.setdefault(self.kind, {})
        if noise != self.noise:
            self.noise, self.version = noise, self.version + 1
        if key not in seen:
            step_s, sync_s = seen[key] = self.app.step(self.kind, self.shape, self.local)
            self.doubt(step_s - sync_s)
            self.refit(self.kind)
            self.settled = False

    def borrow(self, steps: Mapping[str, Steps], noise: Noise) -> None:
        """Believe what others have seen, on every kind of GPU that they ran on and that this program can use."""
        self.borrowed = {kind: dict(seen) for kind, seen in steps.items() if self.app.knows(kind)}
        self.noise = noise
        for kind in self.borrowed:
            self.refit(kind)

    def doubt(self, compute_s: float) -> None:
        """Give up all that was borrowed when a GPU of one's own takes much longer, or less, than it made one expect.

        Synchronising tells nothing: over more nodes than others have tried it is only guessed.
        """
        if self.kind not in self.borrowed:
            return
        expected_s = float(self.models[self.kind].compute_s(self.local))
        if max(compute_s, expected_s) > BELIED * min(compute_s, expected_s):
            self.borrowed.clear()
            self.outlook = self.outlook.without_like()
            self.models.clear()
            for kind in self.seen:
                self.refit(kind)

    def refit(self, kind: str) -> None:
        """Fit the steps of one kind of GPU anew; one's own go over others'."""
        known = {**self.borrowed.get(kind, {}), **self.seen.get(kind, {})}
        self.models[kind] = fitted(self.app.name, kind, tuple(known.items()))
        self.version += 1

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
            limits = BatchLimits(app.first_batch, app.most_batch, app.local_range(self.kind)[0], most_local)
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
        """Give the work up to the end of the epoch, or to the next round while there is something new to tell by then.

        What runs is measured while it runs: a policy that decides now does not know it yet.
        """
        left = max(self.app.progress(self.epoch + 1) - self.progress, 0.0)
        if not (self.settled and self.observed):
            left = min(left, self.rate() * ((now_s // ROUND_S + 1) * ROUND_S - now_s))
        self.leg, self.leg_began_s, self.began_s = left, now_s, min(self.began_s, now_s)
        return left


class TrainingPhysics:
    """Plays trainees epoch by epoch."""

    def __init__(
        self,
        applications: Mapping[str, Application],
        experience: Experience | None = None,
        kinds: Collection[str] = (),
    ) -> None:
        self.applications = applications
        self.experience = experience
        self.kinds = kinds
        """Kinds of GPU that there are; jobs are tried on each first, where that is counted."""

    def enrol(self, job: LiveJob, application: str, batch: int, category: str) -> None:
        """Make a job a trainee."""
        if application not in self.applications:
            known = ", ".join(sorted(self.applications))
            raise InputError(f"job {job.job_id} trains {application}, which was not measured", f"there are: {known}")
        self.applications[application].must_know([job.kind] if job.kind else self.kinds)
        job.spec = trainee = Trainee(self.applications[application], int(job.gpus), batch, category or "adaptive")
        if self.experience is not None and not self.experience.teach(job.number, trainee):
            trainee.others = self.others(self.experience) if trainee.category == "adaptive" else ()

    def others(self, experience: Experience) -> tuple[Trainee, ...]:
        """Give a training of each ended application, free in its batch, with what was seen; none where nobody asks."""
        found = []
        for name in sorted(experience.steps) if experience.matching.is_asked else ():
            other = Trainee(self.applications[name], 1, self.applications[name].most_batch)
            other.borrow(experience.steps[name], experience.noise[name])
            found.append(other)
        return tuple(found)

    def begin(self, job: LiveJob, placement: Placement, left: float | None, now_s: float) -> float:
        """Book what was done, choose a batch for the new shape, and give the leg that begins after the pause."""
        trainee = trainee_of(job)
        if left is not None:
            trainee.progress += trainee.leg - max(left, 0.0)
            if now_s > trainee.resume_s:
                trainee.observe()
        trainee.kind = placement.kind
        trainee.shape = tuple(sorted((mask.bit_count() for _, mask in placement.parts), reverse=True))
        trainee.pause_s = RESTART_S.get(trainee.application, 30) + self.trials_s(trainee)
        trainee.resume_s = now_s + trainee.pause_s
        trainee.tune()
        trainee.settled = trainee.observed = False
        return trainee.next_leg(trainee.resume_s)

    def next_leg(self, job: LiveJob, now_s: float) -> float | None:
        """Close the epoch if it is over; end the job after its last one."""
        trainee = trainee_of(job)
        trainee.progress += trainee.leg
        trainee.observe()
        goal = trainee.app.progress(trainee.epoch + 1)
        if trainee.progress >= goal - 1e-6 * max(goal, 1.0):
            trainee.progress = goal
            trainee.epoch += 1
            trainee.observed = False
            if trainee.epoch >= trainee.app.epochs:
                if self.experience is not None:
                    self.experience.learn(trainee, goal * trainee.app.first_batch)
                return None
        trainee.tune()
        return trainee.next_leg(now_s)

    def rate(self, job: LiveJob, placement: Placement, partner: LiveJob | None) -> float:
        """Give the trainee's true progress a second."""
        return trainee_of(job).rate()

    def lost_work(self, job: LiveJob, done: float) -> float:
        """Lose nothing: an elastic trainer saves when it is told to stop."""
        trainee_of(job).leg_began_s = math.inf
        return 0.0

    def saved_s(self, job: LiveJob, run: object, now_s: float) -> float | None:
        """Save at every moment."""
        return now_s

    def restart_work(self, job: LiveJob) -> float:
        """Add nothing: a restart is paid in seconds."""
        return 0.0

    def pause_s(self, job: LiveJob) -> float:
        """Load the checkpoint, after the trials if there are any."""
        return trainee_of(job).pause_s

    def trials_s(self, trainee: Trainee) -> float:
        """Let who has no like, or was belied, run on one GPU of each kind, one after the other; loading counts too.

        All of it is counted on the GPUs that the job begins on, and nothing seen there is kept but what Sia's
        simulator gives for nothing: the ratio of the kinds' speeds.
        """
        trial_s = self.experience.trial_s if self.experience is not None else 0.0
        if not trial_s or trainee.has_tried or trainee.borrowed:
            return 0.0
        trainee.has_tried = True
        kinds = sum(trainee.app.knows(kind) for kind in self.kinds)
        return kinds * trial_s + max(kinds - 1, 0) * RESTART_S.get(trainee.application, 30)

    def status(self, job: LiveJob) -> str:
        """End well."""
        return "completed"


def trainee_of(job: LiveJob) -> Trainee:
    """Give the truth of a job that was brought in here."""
    assert isinstance(job.spec, Trainee)
    return job.spec
