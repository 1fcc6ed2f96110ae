"""The world that a policy meets: jobs as they arrive, and the simulated cluster that plays them out."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.clusters.simulation.applications import Application
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.elastic_jobs import TrainingPhysics
from schedmate.clusters.simulation.experience import Experience
from schedmate.clusters.simulation.followers import ChainedCluster, Followers
from schedmate.clusters.simulation.gpu_faults import GpuFaults
from schedmate.clusters.simulation.interference import by_score
from schedmate.clusters.simulation.job_faults import Mishaps
from schedmate.clusters.simulation.measured_profiles import AFTER_S, Kind, Measuring, by_request
from schedmate.clusters.simulation.node_faults import Breakage
from schedmate.clusters.simulation.physics import Physics
from schedmate.clusters.simulation.reservations import Reserved
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics, Truth
from schedmate.clusters.simulation.told_remaining import Telling, planned_s
from schedmate.clusters.simulation.topology import slowdown
from schedmate.scheduling.policy_table import entry
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.profiling import NEVER, Profiled
from schedmate.traces.chains import broke_off
from schedmate.traces.columns import Trace
from schedmate.traces.limits import limits_of
from schedmate.traces.profiles import DRAWN, Configuration, Profiles, as_profiled

NCF_BATCH = 32_768
"""Total batch that Sia's simulator gives to ncf, whatever the workload says."""


def arrivals(
    experiment: Experiment, profiled: Profiled | None = None, profiles: Profiles | None = None, again: bool = False
) -> Iterator[LiveJob]:
    """Make each job when it arrives, so that only live ones take memory; who ended while profiled does not come.

    Who was sent again because another had ended comes with `again` only.
    A job brings along what is believed of it: of those that passed the profiler by, nothing.
    """
    trace, by_vc = experiment.trace, experiment.has_vcs()
    shown = np.ones(len(trace), bool)
    if profiled is not None and experiment.metadata != NEVER:
        shown = ~np.isnan(profiled.start_s)
    arrive_s = arrival_times(experiment, profiled)
    table = [as_profile(configuration) for configuration in profiles.configurations] if profiles else []
    # Plain lists: picking single values out of arrays would take half of the time.
    users, names, vcs, kinds = (one.listed() for one in (trace.user, trace.job_name, trace.vc, trace.kind))
    ids = trace.job_id
    has_accounts, has_qos = len(trace.account.codes) > 0, len(trace.qos.codes) > 0
    arrivals_s = arrive_s.tolist()
    whole = range(len(trace))
    order = whole if arrive_s is trace.submit_s else np.lexsort((np.arange(len(trace)), arrive_s)).tolist()
    gpus = trace.sizes()
    reserved = Reserved(experiment.reservations) if experiment.reservations else None
    limits = limits_of(trace).tolist() if reserved is not None else []
    later = {number for number, _ in experiment.chains.values()}
    for number in order:
        if (number in later) is not again:
            continue
        if profiled is not None and profiled.finished[number]:
            continue
        vc = vcs[number] if by_vc else ""
        job = LiveJob(number, str(ids[number]), gpus[number], arrivals_s[number], users[number], names[number], vc)
        job.kind = kinds[number]
        job.packable = job.gpus >= 1  # who has a part of a GPU has neighbours already
        if has_accounts:
            job.account = trace.account[number]
        if has_qos:
            job.qos = trace.qos[number]
        if reserved is not None:
            account = experiment.site.account_of(job.user, job.account)
            job.reach = reserved.reach(limits[number], job.user, account)
        if profiles is not None and shown[number]:
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


def believed(experiment: Experiment, policy: str) -> Profiles | None:
    """Give what a policy is told of each job when it comes: the truth, what a profiler saw of it, or nothing."""
    profiles, warm_up = experiment.profiles, experiment.warm_up
    if profiles is None or entry(policy).measures:
        return None
    if warm_up is None or not entry(policy).profiles or experiment.profiler is None:
        return profiles
    warm_s = warm_up.draw(len(experiment.trace), experiment.seed)
    return as_profiled(profiles, warm_s, experiment.profiler.limit_s)


def metadata_of(experiment: Experiment) -> Callable[[LiveJob], Kind]:
    """Tell programs apart by what their code would say; where profiles were drawn, by user, name and size."""
    profiles = experiment.profiles
    if profiles is None or any(one.dataset == DRAWN for one in profiles.configurations):
        return by_request
    keys, codes = [one.key for one in profiles.configurations], profiles.codes
    return lambda job: keys[codes[job.number]]


def measuring_for(experiment: Experiment, policy: str, truth: Truth | None) -> Measuring | None:
    """Let runs be measured where anybody makes use of it: our own policy, and Lucid with the advisor."""
    if truth is None:
        return None
    if entry(policy).measures:
        return Measuring(truth)
    if not entry(policy).profiles or experiment.metadata == NEVER:
        return None
    count = len(experiment.trace)
    warm_s = experiment.warm_up.draw(count, experiment.seed) if experiment.warm_up else np.zeros(count)
    return Measuring(
        truth,
        lambda number: AFTER_S + float(warm_s[number]),
        metadata_of(experiment),
        experiment.metadata,
        agreed=1,
        every=True,
    )


def statuses_of(trace: Trace) -> Callable[[int], str]:
    """Let jobs end as they did; where a trace does not say, well.

    A job that a broken node ended is one that failed here: what its owner did about it stands in the trace.
    """
    told = [word.lower() or "completed" for word in trace.status.words]
    words, codes = ["failed" if word == "node_fail" else word for word in told], trace.status.codes.tolist()
    return lambda number: words[codes[number]]


def cluster_for(
    experiment: Experiment,
    policy: str,
    nodes: Sequence[NodeSpec],
    profiled: Profiled | None,
    past: Experience | None = None,
) -> SimulatedCluster:
    """Build the world that the policy will meet."""
    trace = experiment.trace
    published = experiment.accounting == "published"
    # Where the published simulator counts a job down tick by tick it sees the end one second late.
    late_s = 1.0 if published and entry(policy).counts_down else 0.0
    truth = truth_of(experiment)
    jobs = arrivals(experiment, profiled, believed(experiment, policy))
    physics: Physics = RigidPhysics(
        trace.duration_s + late_s,
        experiment.saving,
        experiment.kind_speed,
        experiment.interference or by_score,
        truth,
        statuses_of(trace),
        slowdown(nodes, experiment.crossing),
    )
    work_s = trace.duration_s
    telling = Telling(
        experiment.legibility, work_s, planned_s(work_s, broke_off(trace), experiment.seed), experiment.seed
    )
    measuring = measuring_for(experiment, policy, truth)
    if experiment.training is not None:
        applications = {name: Application(runs) for name, runs in experiment.training.items()}
        training = TrainingPhysics(applications, past, {node.kind for node in nodes})
        physics, jobs = training, enrolled(jobs, training, trace, entry(policy).needs_training)
    tick_s = 1.0 if published and entry(policy).packs else 0.0
    mishaps = Mishaps(experiment.mishaps, experiment.blamed) if experiment.mishaps else None
    world = (
        nodes,
        jobs,
        physics,
        breakage_for(experiment, nodes),
        tick_s,
        published,
        telling,
        measuring,
        mishaps,
        experiment.reservations,
        gpu_faults_for(experiment, nodes),
    )
    if not experiment.chains:
        return SimulatedCluster(*world)
    others = arrivals(experiment, profiled, believed(experiment, policy), again=True)
    cluster = ChainedCluster(*world)
    cluster.expect(Followers(experiment.chains, others))
    return cluster


def breakage_for(experiment: Experiment, nodes: Sequence[NodeSpec]) -> Breakage | None:
    """Let nodes break, where they do."""
    faults = experiment.faults
    if not faults.mean_up_s:
        return None
    up_s, repair_s, seed = faults.mean_up_s, faults.repair_s, experiment.seed
    return Breakage(nodes, up_s, repair_s, spares=faults.spares, checkpoint_s=faults.checkpoint_s, seed=seed)


def gpu_faults_for(experiment: Experiment, nodes: Sequence[NodeSpec]) -> GpuFaults | None:
    """Let single GPUs go bad, where they do."""
    faults, seed = experiment.faults, experiment.seed
    if not faults.gpu_mean_up_s:
        return None
    return GpuFaults(nodes, faults.gpu_mean_up_s, faults.repair_s, faults.gpu_notice_s, faults.checkpoint_s, seed)


def enrolled(jobs: Iterator[LiveJob], training: TrainingPhysics, trace: Trace, elastic: bool) -> Iterator[LiveJob]:
    """Make each job a trainee; a policy that knows no elastic jobs runs them at the size and batch that was asked."""
    for job in jobs:
        extra = dict(pair.partition("=")[::2] for pair in trace.extra[job.number].split(";")) if trace.extra else {}
        batch = NCF_BATCH if job.name == "ncf" else int(float(extra.get("batch_size") or 0))
        category = extra.get("category") or "adaptive"
        training.enrol(job, job.name, batch, category if elastic else "rigid")
        yield job
