"""One trace on one simulated cluster under one policy."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.clusters.breakage import Breakage
from schedmate.clusters.interference import by_score
from schedmate.clusters.rigid import Interference, RigidPhysics
from schedmate.clusters.simulated import Physics, SimulatedCluster
from schedmate.clusters.training import Application, TrainingPhysics
from schedmate.errors import InputError
from schedmate.scheduling.catalogue import COUNTED_DOWN, ORACLE, PACKING, PROFILING, Parts, policy_maker
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.forecasts import Forecast
from schedmate.scheduling.inventory import Inventory
from schedmate.scheduling.lending import Lending
from schedmate.scheduling.loop import Loop, Observer, Part
from schedmate.scheduling.packing import SpeedWatch
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.profiling import Profiled, ProfilerSetup, profile, set_apart
from schedmate.scheduling.recovery import RequeueAtOnce
from schedmate.scheduling.restarts import RestartCost
from schedmate.scheduling.results import Outcomes, Recorder, Summary, jain_index
from schedmate.scheduling.timeline import Timeline
from schedmate.scheduling.view import Action
from schedmate.traces.columns import Trace
from schedmate.traces.profiles import Configuration, Profiles, draw_profiles
from schedmate.traces.rows import BadRow, BadRows, OnBad
from schedmate.traces.training_profiles import TrainingProfile

Accounting = Literal["published", "honest"]
NCF_BATCH = 32_768
"""Total batch that Sia's simulator gives to ncf, whatever the workload says."""
NEGATIVE_AS_S = 1000.0
"""How Lucid reads a negative prediction of its additive model."""


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
    accounting: Accounting = "published"
    """`published` counts as the artifacts do, with their faults; `honest` as a cluster would."""
    profiles: Profiles | None = None
    """What is measured of each job; drawn where nobody has measured."""
    interference: Interference | None = None
    """Speed of a job beside another; by sharing score where nothing was measured."""
    forecast: Forecast | None = None
    profiler: ProfilerSetup | None = field(default_factory=ProfilerSetup)
    """Lucid's profiling stage; None leaves it out."""
    sharing: bool = True
    evict_below: float = 0.0
    """Speed at which a packed newcomer is evicted; 0: never, as the baselines do."""
    detection_rate: float = 1.0
    training: Mapping[str, TrainingProfile] | None = None
    """Measured training runs, for jobs whose duration follows from them."""
    seed: int = 0

    def has_vcs(self) -> bool:
        """Tell whether the cluster is cut into virtual clusters."""
        return any(node.vc for node in self.nodes)

    def settings(self) -> str:
        """Write down what is neither trace nor nodes nor seed."""
        shown = [sorted(self.kind_speed.items()), self.faults, self.accounting, self.profiler, self.sharing]
        shown += [self.evict_below, self.detection_rate, self.profiles is None, self.interference is None]
        return f"{shown} {self.forecast is None}"

    def profiler_for(self, policy: str) -> ProfilerSetup | None:
        """Set apart no more than a quarter of the nodes; with fewer than four there is no profiling."""
        if policy not in PROFILING or self.profiler is None:
            return None
        nodes = min(self.profiler.nodes, len(self.nodes) // 4)
        return replace(self.profiler, nodes=nodes) if nodes else None


@dataclass(frozen=True)
class Result:
    """What a run gave."""

    summary: Summary
    outcomes: Outcomes
    gpus: int = 0
    timeline: Timeline | None = None
    """Kept when figures are wanted."""


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


def arrivals(experiment: Experiment, profiled: Profiled | None = None) -> Iterator[LiveJob]:
    """Make each job when it arrives, so that only live ones take memory; who ended while profiled does not come."""
    trace, by_vc = experiment.trace, experiment.has_vcs()
    profiles = experiment.profiles
    table = [as_profile(configuration) for configuration in profiles.configurations] if profiles else []
    users, names, vcs, kinds, ids = trace.user, trace.job_name, trace.vc, trace.kind, trace.job_id
    arrive_s = arrival_times(experiment, profiled)
    order = range(len(trace)) if arrive_s is trace.submit_s else np.lexsort((np.arange(len(trace)), arrive_s))
    gpus = trace.gpus.tolist()
    for number in map(int, order):
        if profiled is not None and profiled.finished[number]:
            continue
        vc = vcs[number] if by_vc else ""
        job = LiveJob(number, str(ids[number]), gpus[number], float(arrive_s[number]), users[number], names[number], vc)
        job.kind = kinds[number]
        if profiles is not None:
            job.profile = table[profiles.codes[number]]
        yield job


def arrival_times(experiment: Experiment, profiled: Profiled | None) -> npt.NDArray[np.float64]:
    """Let profiled jobs come when profiling is over; the published accounting lets them come while it goes on."""
    submit_s = experiment.trace.submit_s
    if profiled is None or experiment.accounting == "published":
        return submit_s
    return np.where(np.isnan(profiled.end_s), submit_s, profiled.end_s)


def as_profile(configuration: Configuration) -> Profile:
    """Give what a profiler hands to a policy."""
    return Profile(*configuration.key, *configuration.measured, score_of(configuration))


def score_of(configuration: Configuration) -> int:
    """Take the published label, or judge by utilisation half-way between the published medians of the classes."""
    if configuration.score >= 0:
        return configuration.score
    return 0 if configuration.gpu_util < 28 else 1 if configuration.gpu_util < 69 else 2


def run(
    experiment: Experiment,
    policy: str,
    tell: Callable[[int], None] | None = None,
    timeline: Timeline | None = None,
) -> Result:
    """Play one policy through."""
    began_s = time.process_time()
    trace = experiment.trace
    check_durations(experiment, policy)
    if policy in PACKING and experiment.profiles is None:
        experiment = replace(experiment, profiles=draw_profiles(trace, experiment.seed))
    nodes: Sequence[NodeSpec] = experiment.nodes
    profiled = None
    setup = experiment.profiler_for(policy)
    if setup is not None:
        bench, nodes = set_apart(nodes, setup)
        profiled = profile(arrivals(experiment), trace.duration_s, bench, setup, experiment.forecast)
    predicted = experiment.predictions.get(policy)
    predictor: DurationEstimator = (
        HistoryMean() if predicted is None else TableEstimator(np.where(predicted < 0, NEGATIVE_AS_S, predicted))
    )
    recorder = Recorder(trace.submit_s, trace.duration_s, trace.gpus)
    watching: list[Observer] = [recorder, Learner(predictor)]
    if timeline is not None:
        watching.append(timeline)
    if tell is not None:
        watching.append(Progress(tell))
    watch = None
    if experiment.evict_below > 0:
        watch = SpeedWatch(experiment.evict_below, detection_rate=experiment.detection_rate, seed=experiment.seed)
    loop = Loop(
        cluster_for(experiment, policy, nodes, profiled),
        maker_for(experiment, policy, predictor, profiled, setup),
        watching,
        RequeueAtOnce(experiment.faults.notice_s),
        watch,
    )
    loop.run()
    outcomes = recorder.outcomes(trace.user.codes)
    if profiled is not None:
        outcomes = with_profiling(outcomes, profiled, experiment)
    cpu_s = time.process_time() - began_s
    evictions = watch.evicted if watch else 0
    summary = summarise(experiment, policy, outcomes, loop, profiled, evictions, cpu_s)
    return Result(summary, outcomes, sum(node.gpus for node in nodes), timeline)


def check_durations(experiment: Experiment, policy: str) -> None:
    """Refuse what a trace cannot tell: durations for rigid jobs, training runs for elastic ones."""
    trace = experiment.trace
    if policy == "sia" and experiment.training is None:
        raise InputError("policy sia needs measured training runs", "give --training DIR, and a Sia or Pollux workload")
    if experiment.training is not None:
        if policy in ORACLE or policy in PROFILING:
            raise InputError(f"policy {policy} needs durations, which {trace.name} has not", "run sia, fifo, tiresias")
    elif missing := int(np.isnan(trace.duration_s).sum()):
        raise InputError(f"{missing} jobs of {trace.name} have no duration", "a Sia workload needs --training DIR")


def cluster_for(
    experiment: Experiment, policy: str, nodes: Sequence[NodeSpec], profiled: Profiled | None
) -> SimulatedCluster:
    """Build the world that the policy will meet."""
    faults, trace = experiment.faults, experiment.trace
    published = experiment.accounting == "published"
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
    # Where the published simulator counts a job down tick by tick it sees the end one second late.
    late_s = 1.0 if published and policy in COUNTED_DOWN else 0.0
    jobs = arrivals(experiment, profiled)
    physics: Physics = RigidPhysics(
        trace.duration_s + late_s,
        RestartCost().cost_s,
        experiment.kind_speed,
        experiment.interference or by_score,
    )
    if experiment.training is not None:
        training = TrainingPhysics({name: Application(runs) for name, runs in experiment.training.items()})
        physics, jobs = training, enrolled(jobs, training, trace, policy == "sia")
    tick_s = 1.0 if published and policy in PACKING else 0.0
    return SimulatedCluster(nodes, jobs, physics, breakage, tick_s, published)


def enrolled(jobs: Iterator[LiveJob], training: TrainingPhysics, trace: Trace, elastic: bool) -> Iterator[LiveJob]:
    """Make each job a trainee; a policy that knows no elastic jobs runs them at the size and batch that was asked."""
    for job in jobs:
        extra = dict(pair.partition("=")[::2] for pair in trace.extra[job.number].split(";")) if trace.extra else {}
        batch = NCF_BATCH if job.name == "ncf" else int(float(extra.get("batch_size") or 0))
        category = extra.get("category") or "adaptive"
        training.enrol(job, job.name, batch, category if elastic else "rigid")
        yield job


def maker_for(
    experiment: Experiment,
    policy: str,
    predictor: DurationEstimator,
    profiled: Profiled | None,
    setup: ProfilerSetup | None,
) -> Callable[[str], Policy]:
    """Plug the parts together."""
    parts = Parts(
        oracle=TableEstimator(experiment.trace.duration_s),
        predictor=predictor,
        restart=RestartCost(),
        forecast=experiment.forecast,
        sharing=experiment.sharing,
        published=experiment.accounting == "published",
    )
    make = policy_maker(policy, parts)
    if profiled is None or setup is None or not profiled.lends:
        return make
    lends, lender = profiled.lends, setup.scale_lender
    return lambda vc: Lending(make(vc), lends, not parts.published) if vc == lender else make(vc)


def with_profiling(outcomes: Outcomes, profiled: Profiled, experiment: Experiment) -> Outcomes:
    """Add what happened before the loop saw the jobs."""
    was = ~np.isnan(profiled.start_s)
    end_s = np.where(profiled.finished, profiled.end_s, outcomes.end_s)
    first_s = np.where(profiled.finished, profiled.start_s, outcomes.first_start_s)
    run_s = np.where(profiled.finished, outcomes.duration_s, outcomes.run_s)
    queue_s = end_s - outcomes.submit_s - run_s
    if experiment.accounting == "published":
        # The queue for the profiler is added to the one for the cluster, though both are stood in at once.
        queue_s = np.where(was & ~profiled.finished, queue_s + profiled.start_s - outcomes.submit_s, queue_s)
    fairness = np.where(
        profiled.finished, (end_s - outcomes.submit_s) / np.maximum(outcomes.duration_s, 1.0), outcomes.fairness
    )
    return replace(outcomes, end_s=end_s, first_start_s=first_s, run_s=run_s, queue_s=queue_s, fairness=fairness)


def summarise(
    experiment: Experiment,
    policy: str,
    outcomes: Outcomes,
    loop: Loop,
    profiled: Profiled | None,
    evictions: int,
    cpu_s: float,
) -> Summary:
    """Work out the figures that are quoted."""
    jct_s = outcomes.jct_s
    span_s = float(np.max(outcomes.end_s) - outcomes.submit_s[0])
    busy_gpu_s = sum(part.busy_gpu_s for part in loop.parts.values()) + (profiled.busy_gpu_s if profiled else 0.0)
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
        evictions=evictions,
        jain_index=round(jain_index(outcomes), 6),
        finish_time_fairness_p95=round(float(np.quantile(outcomes.fairness, 0.95)), 4),
        profiling_gpu_h=round(profiled.gpu_s / 3600, 3) if profiled else 0.0,
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
