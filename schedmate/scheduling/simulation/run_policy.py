"""Play one policy through, and work out the figures that are quoted."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.followers import ChainedCluster
from schedmate.clusters.simulation.reservations import Reserved
from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.scheduling.catalogue import PolicyParts, policy_maker
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.estimators.similar import Similar
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.loop import Loop, Observer
from schedmate.scheduling.parting import PARTED_BELOW, SpeedWatch
from schedmate.scheduling.placement.cut_gpus import cut_by
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.policy_table import entry
from schedmate.scheduling.requeueing import (
    LeaveEnded,
    RequeueAsMeasured,
    RequeueAtOnce,
    Requeueing,
    RequeueRecognised,
)
from schedmate.scheduling.simulation.experiment import Experiment, Result
from schedmate.scheduling.simulation.lending import Lending
from schedmate.scheduling.simulation.observers import ChainObserver, LearningObserver, ProgressObserver
from schedmate.scheduling.simulation.options import HISTORY
from schedmate.scheduling.simulation.profiling import Profiled, ProfilerSetup, profile, set_apart
from schedmate.scheduling.simulation.results import (
    Outcomes,
    Recorder,
    Summary,
    jain_index,
    queues_by_qos,
    queues_by_size,
)
from schedmate.scheduling.simulation.simulated_setup import arrivals, cluster_for, metadata_of
from schedmate.scheduling.simulation.timeline import Timeline
from schedmate.scheduling.sites.limits import Limits
from schedmate.scheduling.sites.site_rules import SiteRules
from schedmate.traces.limits import limits_of
from schedmate.traces.profiles import draw_profiles

NEGATIVE_AS_S = 1000.0
"""How Lucid reads a negative prediction of its additive model."""
COLLECT_EVERY = 100_000
"""Objects made, less those dropped, after which Python looks for cycles."""


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
    if entry(policy).packs and experiment.profiles is None:
        experiment = replace(experiment, profiles=draw_profiles(trace, experiment.seed))
    nodes: Sequence[NodeSpec] = experiment.nodes
    profiled = stage = None
    setup = experiment.profiler_for(policy)
    if setup is not None:
        bench, nodes = set_apart(nodes, setup, {node for one in experiment.reservations for node in one.nodes})
        stage = Timeline() if timeline is not None else None
        profiled = profiling_of(experiment, setup, bench, stage)
    predictor = predictor_for(experiment, policy)
    recorder = Recorder(trace.submit_s, trace.duration_s, trace.gpus)
    watching: list[Observer] = [recorder, *([LearningObserver(predictor)] if entry(policy).predicts else [])]
    if timeline is not None:
        watching.append(timeline)
    if tell is not None:
        watching.append(ProgressObserver(tell))
    watch = None
    parted_below = experiment.evict_below or (PARTED_BELOW if entry(policy).parts_pairs else 0.0)
    if parted_below > 0:
        watch = SpeedWatch(parted_below, detection_rate=experiment.detection_rate, seed=experiment.seed)
    given = experiment.experience
    past = None if given is None else given.copied(given.matching)
    cluster = cluster_for(experiment, policy, nodes, profiled, past)
    if isinstance(cluster, ChainedCluster):
        watching.append(chaining(cluster, recorder, profiled))
    loop = Loop(
        cluster,
        maker_for(experiment, policy, predictor, profiled, setup, watch if experiment.tries_pairs else None),
        watching,
        requeueing(experiment),
        watch,
        rules=rules_of(experiment),
        cut=cut_by(experiment.fractions),
    )
    with rarely_collecting():
        loop.run()
    if timeline is not None and stage is not None:
        timeline.add_busy(stage)
    outcomes = recorder.outcomes(trace.user.codes)
    if profiled is not None:
        outcomes = with_profiling(outcomes, profiled, experiment)
    cpu_s = time.process_time() - began_s
    evictions = watch.evicted if watch else 0
    summary = summarise(experiment, policy, outcomes, loop, profiled, evictions, cpu_s)
    return Result(summary, outcomes, sum(node.gpus for node in experiment.nodes), timeline, past)


def profiling_of(
    experiment: Experiment, setup: ProfilerSetup, bench: Sequence[NodeSpec], stage: Timeline | None
) -> Profiled:
    """Let small jobs pass through the profiler."""
    return profile(
        arrivals(experiment),
        experiment.trace.duration_s,
        bench,
        setup,
        experiment.forecast,
        stage,
        experiment.metadata,
        metadata_of(experiment),
        cut_by(experiment.fractions),
    )


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Have Python look for cycles rarely: jobs that end leave none behind, and looking for them costs a tenth."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECT_EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def chaining(cluster: ChainedCluster, recorder: Recorder, profiled: Profiled | None) -> ChainObserver:
    """Let the next attempts come; first those after jobs that were done while they were profiled."""
    chain = ChainObserver(cluster.followers, recorder)
    if profiled is not None:
        for number in np.flatnonzero(profiled.finished).tolist():
            chain.release(number, float(profiled.end_s[number]))
    return chain


def rules_of(experiment: Experiment) -> SiteRules | None:
    """Set up the site's rules; None where it has none."""
    limits = Limits(experiment.site) if experiment.site.is_limiting() else None
    reserved = Reserved(experiment.reservations) if experiment.reservations else None
    return SiteRules(limits, reserved) if limits is not None or reserved is not None else None


def requeueing(experiment: Experiment) -> Requeueing:
    """Choose what becomes of jobs that a fault of the cluster ended."""
    faults = experiment.faults
    if not faults.requeue:
        return LeaveEnded()
    if faults.measured_s:
        return RequeueAsMeasured(faults.measured_s, faults.notice_s)
    if faults.recognised:
        return RequeueRecognised(faults.recognised, faults.soon_s, faults.notice_s, experiment.seed)
    return RequeueAtOnce(faults.notice_s)


def predictor_for(experiment: Experiment, policy: str) -> DurationEstimator:
    """Choose who predicts, and put similar jobs beside it where that is asked for."""
    own = own_predictor(experiment, policy)
    return Similar(own) if experiment.similar else own


def own_predictor(experiment: Experiment, policy: str) -> DurationEstimator:
    """Take a published table, else the estimator that is named."""
    predicted = experiment.predictions.get(policy)
    if predicted is not None:
        return TableEstimator(np.where(predicted < 0, NEGATIVE_AS_S, predicted))
    if experiment.estimator == "oracle":
        return TableEstimator(experiment.trace.duration_s)
    if experiment.estimator == HISTORY:
        return HistoryMean()
    from schedmate.scheduling.estimators.catalogue import open_estimator
    from schedmate.scheduling.estimators.live import LiveEstimator

    # Training in the background would make the figures depend on how busy the machine is.
    predictor = LiveEstimator(open_estimator(experiment.estimator, in_background=False))
    if experiment.before is not None:
        predictor.teach(experiment.before)
    return predictor


def check_durations(experiment: Experiment, policy: str) -> None:
    """Refuse what a trace cannot tell: durations for rigid jobs, training runs for elastic ones."""
    trace = experiment.trace
    if entry(policy).needs_training and experiment.training is None:
        raise InputError("policy sia needs measured training runs", "give --training DIR, and a Sia or Pollux workload")
    if experiment.training is not None:
        if entry(policy).told_durations or entry(policy).profiles:
            raise InputError(f"policy {policy} needs durations, which {trace.name} has not", "run sia, fifo, tiresias")
    elif missing := int(np.isnan(trace.duration_s).sum()):
        raise InputError(
            f"no duration is known of {how_many(missing, 'job')} of {trace.name}", "a Sia workload needs --training DIR"
        )


def maker_for(
    experiment: Experiment,
    policy: str,
    predictor: DurationEstimator,
    profiled: Profiled | None,
    setup: ProfilerSetup | None,
    watch: SpeedWatch | None = None,
) -> Callable[[str], Policy]:
    """Plug the parts together."""
    parts = PolicyParts(
        oracle=TableEstimator(experiment.trace.duration_s),
        predictor=predictor,
        restart=experiment.saving,
        limits=TableEstimator(limits_of(experiment.trace)),
        forecast=experiment.forecast,
        sharing=experiment.sharing,
        uses=experiment.uses,
        pairs=watch.allows if watch is not None else None,
        site=experiment.site,
        weights=experiment.weights,
        partition=lambda job: experiment.trace.vc[job.number],
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
        avg_queue_s_by_gpus=queues_by_size(outcomes.gpus, outcomes.queue_s),
        avg_queue_s_by_qos=queues_by_qos(experiment.trace.qos, outcomes.queue_s),
    )
