"""One trace on one simulated cluster under one policy."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.clusters.breakage import Breakage
from schedmate.clusters.rigid import RigidPhysics
from schedmate.clusters.simulated import SimulatedCluster
from schedmate.errors import InputError
from schedmate.scheduling.catalogue import Parts, policy_maker
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.inventory import Inventory
from schedmate.scheduling.loop import Loop, Observer, Part
from schedmate.scheduling.recovery import RequeueAtOnce
from schedmate.scheduling.restarts import RestartCost
from schedmate.scheduling.results import Outcomes, Recorder, Summary, jain_index
from schedmate.scheduling.view import Action
from schedmate.traces.columns import Trace
from schedmate.traces.rows import BadRow, BadRows, OnBad


@dataclass(frozen=True)
class Faults:
    """How often nodes break and how long they are away; without a mean time they never do."""

    mean_up_s: float = 0.0
    repair_s: float = 4 * 3600.0
    spares: int = 0
    checkpoint_s: float = 1800.0
    notice_s: float = 0.0
    """How long it takes until a job that lost its node is queued again."""


@dataclass(frozen=True)
class Experiment:
    """Everything that a run depends on, so that the same experiment gives the same figures."""

    trace: Trace
    nodes: tuple[NodeSpec, ...]
    kind_speed: Mapping[str, float] = field(default_factory=dict)
    predictions: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    """Published durations by policy name; a policy without one learns from the jobs that have ended."""
    faults: Faults = field(default_factory=Faults)
    seed: int = 0

    def has_vcs(self) -> bool:
        """Tell whether the cluster is cut into virtual clusters."""
        return any(node.vc for node in self.nodes)

    def settings(self) -> str:
        """Write down what is neither trace nor nodes nor seed."""
        return f"{sorted(self.kind_speed.items())} {self.faults}"


@dataclass(frozen=True)
class Result:
    """What a run gave."""

    summary: Summary
    outcomes: Outcomes


class Learner:
    """Tells an estimator of each job that has ended."""

    def __init__(self, estimator: DurationEstimator) -> None:
        self.estimator = estimator

    def submitted(self, job: LiveJob, part: Part) -> None:
        """Do nothing: only ends teach."""

    def ended(self, job: LiveJob, part: Part, status: str) -> None:
        """Pass on how long the job really ran."""
        self.estimator.learn(job, job.served_s, status)

    def decided(self, part: Part, actions: list[Action]) -> None:
        """Do nothing: only ends teach."""


class Progress:
    """Calls back now and then with the number of jobs that have ended."""

    def __init__(self, tell: Callable[[int], None], every: int = 500) -> None:
        self.tell = tell
        self.every = every
        self.done = 0

    def submitted(self, job: LiveJob, part: Part) -> None:
        """Do nothing."""

    def ended(self, job: LiveJob, part: Part, status: str) -> None:
        """Count."""
        self.done += 1
        if self.done % self.every == 0:
            self.tell(self.done)

    def decided(self, part: Part, actions: list[Action]) -> None:
        """Do nothing."""


def arrivals(trace: Trace, by_vc: bool) -> Iterator[LiveJob]:
    """Make each job when it arrives, so that only live ones take memory."""
    users, names, vcs, kinds = trace.user, trace.job_name, trace.vc, trace.kind
    for number in range(len(trace)):
        vc = vcs[number] if by_vc else ""
        job = LiveJob(
            number,
            str(trace.job_id[number]),
            int(trace.gpus[number]),
            float(trace.submit_s[number]),
            users[number],
            names[number],
            vc,
        )
        job.kind = kinds[number]
        yield job


def run(
    experiment: Experiment,
    policy: str,
    tell: Callable[[int], None] | None = None,
    observers: tuple[Observer, ...] = (),
) -> Result:
    """Play one policy through."""
    began_s = time.process_time()
    trace, nodes = experiment.trace, experiment.nodes
    restart = RestartCost()
    predicted = experiment.predictions.get(policy)
    predictor: DurationEstimator = HistoryMean() if predicted is None else TableEstimator(predicted)
    parts = Parts(oracle=TableEstimator(trace.duration_s), predictor=predictor, restart=restart)
    faults = experiment.faults
    breakage = None
    if faults.mean_up_s:
        breakage = Breakage(
            nodes,
            faults.mean_up_s,
            faults.repair_s,
            spares=faults.spares,
            checkpoint_s=faults.checkpoint_s,
            seed=experiment.seed,
        )
    cluster = SimulatedCluster(
        nodes,
        arrivals(trace, experiment.has_vcs()),
        RigidPhysics(trace.duration_s, restart.cost_s, experiment.kind_speed),
        breakage,
    )
    recorder = Recorder(trace.submit_s, trace.duration_s, trace.gpus)
    watching: list[Observer] = [recorder, Learner(predictor), *observers]
    if tell is not None:
        watching.append(Progress(tell))
    loop = Loop(cluster, policy_maker(policy, parts), watching, RequeueAtOnce(faults.notice_s))
    loop.run()
    outcomes = recorder.outcomes(trace.user.codes)
    cpu_s = time.process_time() - began_s
    return Result(summarise(experiment, policy, outcomes, loop, cpu_s), outcomes)


def summarise(experiment: Experiment, policy: str, outcomes: Outcomes, loop: Loop, cpu_s: float) -> Summary:
    """Work out the figures that are quoted."""
    jct_s = outcomes.jct_s
    span_s = float(np.max(outcomes.end_s) - outcomes.submit_s[0])
    busy_gpu_s = sum(part.busy_gpu_s for part in loop.parts.values())
    total_gpus = sum(node.gpus for node in experiment.nodes)
    return Summary(
        policy=policy,
        trace=experiment.trace.name,
        jobs=len(jct_s),
        avg_jct_s=round(float(jct_s.mean()), 3),
        median_jct_s=round(float(np.median(jct_s)), 3),
        p99_jct_s=round(float(np.quantile(jct_s, 0.99)), 3),
        avg_queue_s=round(float(outcomes.queue_s.mean()), 3),
        p999_queue_s=round(float(np.quantile(outcomes.queue_s, 0.999)), 3),
        makespan_s=round(span_s, 3),
        gpu_utilisation=round(busy_gpu_s / (total_gpus * span_s), 6) if span_s > 0 else 0.0,
        preemptions=int(outcomes.preemptions.sum()),
        evictions=0,
        jain_index=round(jain_index(outcomes), 6),
        finish_time_fairness_p95=round(float(np.quantile(outcomes.fairness, 0.95)), 4),
        profiling_gpu_h=0.0,
        cpu_s=round(cpu_s, 3),
        seed=experiment.seed,
    )


def drop_misfits(experiment: Experiment, on_bad: OnBad) -> Experiment:
    """Leave out, or stop at, jobs that could never start: too big, of an unknown virtual cluster or GPU kind."""
    trace, by_vc = experiment.trace, experiment.has_vcs()
    rooms: dict[str, Inventory] = {}
    for node in experiment.nodes:
        rooms.setdefault(node.vc, Inventory()).add(node)
    bad = BadRows(trace.name, on_bad)
    why: dict[tuple[int, int, int], str] = {}
    keep = np.ones(len(trace), bool)
    shapes = np.stack([trace.vc.codes if by_vc else np.zeros(len(trace), np.int32), trace.gpus, trace.kind.codes])
    for index in range(len(trace)):
        vc, gpus, kind = (int(code) for code in shapes[:, index])
        if (vc, gpus, kind) not in why:
            word = trace.vc.words[vc] if by_vc else ""
            why[vc, gpus, kind] = misfit(rooms, word, gpus, trace.kind.words[kind])
        if reason := why[vc, gpus, kind]:
            keep[index] = False
            bad.add(BadRow(int(trace.line[index]), f"job {trace.job_id[index]} {reason}"))
    if bad.count == 0:
        return experiment
    if bad.count == len(trace):
        raise InputError(f"no job of {trace.name} fits the cluster: {bad.shown[0]}", "give more or larger nodes")
    kept = trace.rows(keep)
    predictions = {name: values[keep] for name, values in experiment.predictions.items()}
    return replace(experiment, trace=replace(kept, notes=(*kept.notes, *bad.notes())), predictions=predictions)


def misfit(rooms: Mapping[str, Inventory], vc: str, gpus: int, kind: str) -> str:
    """Say why a job could not even start on the empty cluster; empty when it could."""
    room = rooms.get(vc)
    if room is None:
        return f"belongs to virtual cluster '{vc}', which is not described (there are {', '.join(sorted(rooms)[:20])})"
    place = room.place(gpus, kind)
    if place is not None:
        room.give(place)
        return ""
    pools = ", ".join(sorted({f"{pool.total_gpus} of kind {pool.kind}" for pool in room.pools}))
    if kind and all(pool.kind != kind for pool in room.pools):
        return f"asks for GPU kind {kind}; {'virtual cluster ' + vc if vc else 'the cluster'} has {pools}"
    return f"asks for {gpus} GPUs{' of kind ' + kind if kind else ''}; {vc or 'the cluster'} has {pools}"
