"""The world that a policy meets: jobs as they arrive, and the simulated cluster that plays them out."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.clusters.applications import Application
from schedmate.clusters.breakage import Breakage
from schedmate.clusters.interference import by_score
from schedmate.clusters.measuring import Measuring
from schedmate.clusters.rigid import RigidPhysics, Truth
from schedmate.clusters.simulated import Physics, SimulatedCluster
from schedmate.clusters.telling import Telling, planned_s
from schedmate.clusters.training import TrainingPhysics
from schedmate.scheduling.catalogue import COUNTED_DOWN, MEASURING, PACKING
from schedmate.scheduling.experiment import Experiment
from schedmate.scheduling.profiling import Profiled
from schedmate.traces.columns import Trace
from schedmate.traces.profiles import Configuration

NCF_BATCH = 32_768
"""Total batch that Sia's simulator gives to ncf, whatever the workload says."""


BROKE_OFF = frozenset({"failed", "cancelled", "killed", "timeout", "node_fail"})


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


def truth_of(experiment: Experiment) -> Truth | None:
    """Give what each job really takes, by number."""
    profiles = experiment.profiles
    if profiles is None:
        return None
    table, codes = [as_profile(configuration) for configuration in profiles.configurations], profiles.codes
    return lambda number: table[codes[number]]


def broke_off(trace: Trace) -> npt.NDArray[np.bool_]:
    """Tell which jobs never did what they set out to do."""
    words = np.array([word.lower() in BROKE_OFF for word in trace.status.words] or [False])
    return np.asarray(words[trace.status.codes], np.bool_)


def statuses_of(trace: Trace) -> Callable[[int], str]:
    """Let jobs end as they did; where a trace does not say, well.

    A job that a broken node ended is one that failed here: what its owner did about it stands in the trace.
    """
    told = [word.lower() or "completed" for word in trace.status.words]
    words, codes = ["failed" if word == "node_fail" else word for word in told], trace.status.codes
    return lambda number: words[codes[number]]


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
    truth = truth_of(experiment)
    physics: Physics = RigidPhysics(
        trace.duration_s + late_s,
        experiment.saving,
        experiment.kind_speed,
        experiment.interference or by_score,
        truth,
        statuses_of(trace),
    )
    work_s = trace.duration_s
    telling = Telling(
        experiment.legibility, work_s, planned_s(work_s, broke_off(trace), experiment.seed), experiment.seed
    )
    measuring = Measuring(truth) if truth is not None and policy in MEASURING else None
    if experiment.training is not None:
        training = TrainingPhysics({name: Application(runs) for name, runs in experiment.training.items()})
        physics, jobs = training, enrolled(jobs, training, trace, policy == "sia")
    tick_s = 1.0 if published and policy in PACKING else 0.0
    return SimulatedCluster(nodes, jobs, physics, breakage, tick_s, published, telling, measuring)


def enrolled(jobs: Iterator[LiveJob], training: TrainingPhysics, trace: Trace, elastic: bool) -> Iterator[LiveJob]:
    """Make each job a trainee; a policy that knows no elastic jobs runs them at the size and batch that was asked."""
    for job in jobs:
        extra = dict(pair.partition("=")[::2] for pair in trace.extra[job.number].split(";")) if trace.extra else {}
        batch = NCF_BATCH if job.name == "ncf" else int(float(extra.get("batch_size") or 0))
        category = extra.get("category") or "adaptive"
        training.enrol(job, job.name, batch, category if elastic else "rigid")
        yield job
