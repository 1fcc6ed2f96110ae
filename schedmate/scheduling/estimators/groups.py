"""What the ended and the running jobs of a user, a cluster, a size say about the next: online, job by job.

A group remembers its latest durations and ends, and which of its jobs are under way: a user who submits the tenth job
of a sweep tells more by the nine before it than by name and size.
"""

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from schedmate.history.commands import normalise_command
from schedmate.history.rows import run_key
from schedmate.schemas import Job, JobStatus

REMEMBERED = 24
SMOOTHING = 0.3

UNDER_WAY = 512
"""Jobs of a group that are looked at while they run; a group with more says no more by them."""
NAN = math.nan
LEVELS = ("run", "same request", "user and GPUs", "user", "cluster and GPUs", "GPUs")

DETAILED = 4
"""Levels whose latest jobs are looked at one by one."""
LATEST, LASTED_OF = 3, 16
"""Submissions that are told one by one, and those of which is counted how many lasted."""
LASTED = tuple(math.log(seconds) for seconds in (60, 300, 1800, 10_800))
FATES = {"completed": 0.0, "failed": 1.0, "cancelled": 2.0}
Key = tuple[object, ...]


@dataclass(slots=True)
class Begun:
    """A job that came, and what has become of it."""

    at_s: float
    took: float = NAN
    """Logarithm, once it has ended."""
    fate: float = -1.0


@dataclass(slots=True)
class JobGroup:
    """Jobs that have something in common."""

    durations: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """Logarithms, oldest first."""
    fates: deque[JobStatus] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    jobs: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    count: int = 0
    """Ends."""
    sent: int = 0
    smoothed: float = NAN
    ended_s: float = NAN
    begun_s: float = NAN
    running: dict[str, Begun] = field(default_factory=dict)
    submissions: deque[Begun] = field(default_factory=lambda: deque(maxlen=32))

    def learn(self, job_id: str, duration: float, fate: JobStatus, at_s: float) -> None:
        """Take in an end."""
        if (begun := self.running.pop(job_id, None)) is not None:
            begun.took, begun.fate = duration, FATES.get(fate, 3.0)
        self.durations.append(duration)
        self.fates.append(fate)
        self.jobs.append(job_id)
        self.count += 1
        self.smoothed = duration if self.count == 1 else self.smoothed + SMOOTHING * (duration - self.smoothed)
        self.ended_s = at_s

    def begin(self, job_id: str, at_s: float) -> None:
        """Take in a submission."""
        self.begun_s = at_s
        self.sent += 1
        begun = Begun(at_s)
        self.submissions.append(begun)
        if len(self.running) < UNDER_WAY:
            self.running[job_id] = begun


class Groups:
    """All groups, each job in six of them, closest first."""

    def __init__(self) -> None:
        self.groups: dict[Key, JobGroup] = {}

    def of(self, job: Job) -> list[JobGroup]:
        """Give a job's groups; those that have seen nothing are made."""
        return [self.groups.setdefault(key, JobGroup()) for key in keys(job)]

    def seen(self, job: Job) -> list[JobGroup]:
        """Give a job's groups without making any."""
        nothing = JobGroup()
        return [self.groups.get(key, nothing) for key in keys(job)]

    def begin(self, job: Job, at_s: float) -> None:
        """Take in a submission."""
        for group in self.of(job):
            group.begin(job.job_id, at_s)

    def learn(self, job: Job, duration_s: float, at_s: float) -> None:
        """Take in an end."""
        duration = math.log(max(duration_s, 1.0))
        for group in self.of(job):
            group.learn(job.job_id, duration, job.status, at_s)


def keys(job: Job) -> list[Key]:
    """Name a job's groups, closest first; a job without a command is a run of nothing."""
    name, user, cpus = normalise_command(job.name) if job.name else "", job.user, job.extra.get("cpus", "")
    run = run_key(job)
    closest: Key = (0, run, job.gpus) if run is not None else (0, user, job.vc, name, job.gpus, cpus)
    return [
        closest,
        (1, user, job.vc, name, job.gpus, cpus),
        (2, user, job.gpus),
        (3, user),
        (4, job.vc, job.gpus),
        (5, job.gpus),
    ]


def places(groups: list[JobGroup]) -> list[float]:
    """Give the log durations that the groups propose, each in its own way; NaN where a group has seen nothing."""
    proposed: list[float] = []
    for level, group in enumerate(groups):
        ordered = sorted(group.durations)
        if level < DETAILED:
            proposed.append(group.durations[-1] if ordered else NAN)
        proposed.append(ordered[len(ordered) // 2] if ordered else NAN)
    return proposed


def features(job: Job, groups: list[JobGroup], at_s: float) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Give what a batch learner may look at: sizes, the time of day and week, and each group's recent past."""
    values = [math.log2(max(job.gpus, 0.5)), math.log2(number(job.extra.get("cpus")) + 1)]
    values += [at_s / 3600 % 24, at_s / 86400 % 7]
    for level, group in enumerate(groups[1:], 1):
        values += recent(group, at_s, detailed=level < DETAILED)
    return np.array(values)


def recent(group: JobGroup, at_s: float, detailed: bool) -> list[float]:
    """Tell a group's recent past in numbers."""
    latest = list(group.durations)
    ordered, count = sorted(latest), len(latest)
    values = [ordered[int(share * (count - 1))] if count else NAN for share in (0.1, 0.5, 0.9)]
    values += [group.smoothed, float(count), math.log1p(max(at_s - group.ended_s, 0)) if count else NAN]
    values += [group.fates.count(fate) / count if count else NAN for fate in ("completed", "failed")]
    if detailed:
        values += [latest[-place] if place <= count else NAN for place in (1, 2, 3)]
        ages = [at_s - begun.at_s for begun in group.running.values()]
        values += (
            [float(len(ages)), *(math.log1p(max(age, 0)) for age in (max(ages), min(ages)))] if ages else [0, NAN, NAN]
        )
        values.append(math.log1p(max(at_s - group.begun_s, 0)) if group.submissions else NAN)
        values += [float(sum(at_s - begun.at_s < window for begun in group.submissions)) for window in (600, 86400)]
        values += sent_before(group, at_s)
    return values


def sent_before(group: JobGroup, at_s: float) -> list[float]:
    """Tell what became of what was sent before, ended or not: what still runs has told that it takes no less."""
    values: list[float] = []
    seen: list[tuple[float, bool]] = []
    for place, begun in enumerate(reversed(group.submissions)):
        if place == LASTED_OF:
            break
        age, is_over = math.log1p(max(at_s - begun.at_s, 0)), begun.fate >= 0
        seen.append((begun.took if is_over else age, is_over))
        if place < LATEST:
            values += [age, begun.took, NAN if is_over else age, begun.fate]
    values += [NAN] * (4 * LATEST - len(values))
    for least in LASTED:
        lasted = sum(took > least for took, _ in seen)
        told = lasted + sum(is_over and took <= least for took, is_over in seen)
        values.append(lasted / told if told else NAN)
    return values


def number(text: str | None) -> float:
    """Read a number that may not be one."""
    try:
        value = float(text or 0)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and value >= 0 else 0.0
