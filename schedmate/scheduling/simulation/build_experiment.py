"""From what the user asked to what a run depends on: the trace, the cluster, and what is known of the jobs."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.cluster_spec import MOST_NODES, parse_nodes, parse_ratios, read_virtual_clusters
from schedmate.clusters.simulation.interference import MeasuredInterference, read_interference
from schedmate.clusters.simulation.reservations import Reservation, read_reservations
from schedmate.clusters.simulation.restart_cost import read_saving
from schedmate.clusters.simulation.slurm_conf import read_slurm_conf
from schedmate.clusters.simulation.topology import lay_out, read_crossing
from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.scheduling.lucid.arrival_model import learn_forecast
from schedmate.scheduling.lucid.forecasts import DemandForecast, read_arrivals, read_forecast
from schedmate.scheduling.lucid.packing_tree import judge, scores_of_pairs, train
from schedmate.scheduling.simulation.experiment import Experiment, Faults
from schedmate.scheduling.simulation.options import SimulationOptions
from schedmate.scheduling.simulation.predictions import read_predictions
from schedmate.scheduling.simulation.profiling import ProfilerSetup
from schedmate.scheduling.simulation.unschedulable import check_bad_gpus, drop_misfits
from schedmate.scheduling.sites.accounts import SiteAccounts, read_accounts
from schedmate.scheduling.sites.multifactor import Weights, read_weights
from schedmate.traces.chains import attempts
from schedmate.traces.columns import Trace
from schedmate.traces.generating import generate
from schedmate.traces.profiles import Profiles, draw_profiles, read_labels, read_profiles
from schedmate.traces.reading import read_trace
from schedmate.traces.reshaping import scale, shuffle_ties, whole_gpus
from schedmate.traces.training_profiles import read_training_profiles

GPUS_PER_NODE = 8
HOUR_S = 3600.0

SIA_NODES = "6x4:aws,2x8:dgx-ext,3x8:rtx"
"""Sia's cluster of T4, A100 and 2080 Ti, in its order; what training runs were measured on."""
LEARN = "learn"

LOAD = 0.8
"""Share of the GPUs that the jobs would keep busy, where nobody says how large the cluster is."""


def prepare(options: SimulationOptions) -> Experiment:
    """Read the trace and lay out the cluster."""
    spec = options.trace
    trace = read_trace(spec, options.data, options.on_bad) if spec else generated_month(options)
    if options.fractions == "whole" or options.training is not None:
        trace = whole_gpus(trace)
    if options.vc:
        nodes = read_virtual_clusters(options.vc)
    else:
        elastic = options.training is not None and not options.nodes
        nodes = named_nodes(options.nodes or SIA_NODES) if options.nodes or elastic else fitting_nodes(trace)
        if spec and not options.nodes and not elastic:
            trace = replace(trace, notes=(*trace.notes, sized(nodes)))
    if options.ties == "shuffle":
        trace = shuffle_ties(trace, options.seed)
    if options.topology:
        nodes = lay_out(nodes, options.topology)
    site = read_accounts(options.limits) if options.limits else SiteAccounts()
    interference = read_interference(options.interference) if options.interference else None
    experiment = Experiment(
        trace=trace,
        nodes=tuple(nodes),
        kind_speed=parse_ratios(options.speed, {node.kind for node in nodes}),
        predictions=read_predictions(options.predictions, trace),
        faults=faults_of(options),
        seed=options.seed,
        accounting=options.accounting,
        saving=read_saving(options.saving),
        estimator=options.estimator,
        before=read_trace(options.learn_from, options.data, options.on_bad) if options.learn_from else None,
        profiles=judged_profiles(options, trace, interference),
        interference=interference,
        forecast=forecast_for(options, trace),
        profiler=profiler_of(options),
        sharing=options.sharing,
        fractions=options.fractions,
        training=read_training_profiles(options.training) if options.training else None,
        site=site,
        weights=weights_for(options),
        reservations=reservations_for(options, trace, nodes),
        crossing=read_crossing(options.crossing) if options.topology else (1.0, 1.0),
        evict_below=options.evict_below,
        detection_rate=options.detection_rate,
    )
    if site.unplayed:
        told = f"limits that stand in {options.limits} and are not kept: {', '.join(site.unplayed)}"
        experiment = replace(experiment, trace=replace(trace, notes=(*trace.notes, told)))
    experiment = drop_misfits(experiment, options.on_bad)
    check_bad_gpus(experiment)
    return chained(experiment) if options.chains else experiment


def faults_of(options: SimulationOptions) -> Faults:
    """Say in seconds how often things break."""
    return Faults(
        options.node_mtbf_h * HOUR_S,
        options.repair_h * HOUR_S,
        options.spares,
        options.checkpoint_min * 60,
        options.notice_min * 60,
        requeue=options.on_node_fail == "requeue",
        gpu_mean_up_s=options.gpu_mtbf_h * HOUR_S,
        gpu_notice_s=options.gpu_notice_h * HOUR_S,
    )


def profiler_of(options: SimulationOptions) -> ProfilerSetup | None:
    """Set nodes apart for profiling, if any."""
    if options.profiler == "none" or not options.profiling_nodes:
        return None
    return ProfilerSetup(
        options.profiling_nodes,
        options.profiling_s,
        lenders=options.lenders,
        scale_lender=options.extra_lender,
        known=options.profiler == "new",
    )


def chained(experiment: Experiment) -> Experiment:
    """Let jobs that were sent again come after those that had broken off, and say how many."""
    trace = experiment.trace
    chains = attempts(trace)
    told = (
        f"{len(chains):,} of {how_many(len(trace), 'job')} were sent again after a like one of their "
        "user had failed or been stopped: each comes as long after that one's end here as it did then"
    )
    return replace(experiment, trace=replace(trace, notes=(*trace.notes, told)), chains=chains)


def weights_for(options: SimulationOptions) -> Weights:
    """Read what counts how much in Slurm's priority, out of the site's slurm.conf where nothing else is said."""
    text = options.priority or (options.nodes if options.nodes.endswith(".conf") else "")
    return read_weights(text) if text else Weights()


def reservations_for(options: SimulationOptions, trace: Trace, nodes: Sequence[NodeSpec]) -> tuple[Reservation, ...]:
    """Read who has reserved nodes."""
    if options.reservations is None:
        return ()
    found = read_reservations(options.reservations, [node.name for node in nodes], trace.origin_s)
    if options.training is not None and not all(one.is_maintenance for one in found):
        raise InputError("elastic jobs are played with maintenance only", "leave Users and Accounts out")
    if options.profiler != "none" and options.extra_lender:
        raise InputError("--extra-lender and --reservations cannot be had together", "give one of them")
    return found


def named_nodes(text: str) -> list[NodeSpec]:
    """Read nodes as people write them, or out of a site's slurm.conf."""
    return read_slurm_conf(Path(text)) if text.endswith(".conf") else parse_nodes(text)


def judged_profiles(
    options: SimulationOptions, trace: Trace, interference: MeasuredInterference | None
) -> Profiles | None:
    """Read or draw what a profiler measures, with sharing scores from the labels or from a tree trained on them."""
    known = read_labels(options.labels) if options.labels else []
    if interference is not None and all(one.score < 0 for one in known):
        scores = scores_of_pairs(interference.pairs)
        known = [replace(one, score=scores.get(one.key, -1)) for one in known]
    if options.packing_model == "tree" and not known:
        raise InputError(
            "--packing-model tree has nothing to learn from", "give --labels FILE: Lucid's single_data.csv"
        )
    if options.profiles is not None:
        profiles = read_profiles(options.profiles, trace, {one.key: one.score for one in known})
    elif options.packing_model == "tree":
        profiles = draw_profiles(trace, options.seed)
    else:
        return None
    return judge(profiles, train(known)) if options.packing_model == "tree" else profiles


def forecast_for(options: SimulationOptions, trace: Trace) -> DemandForecast | None:
    """Read a forecast, or learn one from the arrivals."""
    word, _, history = options.forecast.partition(":")
    if word == LEARN:
        return learn_forecast(trace, read_arrivals(Path(history)) if history else ())
    return read_forecast(Path(options.forecast)) if options.forecast else None


def generated_month(options: SimulationOptions) -> Trace:
    """Make a month like Helios; requests above a quarter of the cluster that the jobs would fill are cut to it."""
    trace = generate(seed=options.seed)
    if options.nodes or options.vc:
        return trace
    return scale(trace, most_gpus=max(GPUS_PER_NODE, busy_nodes(trace) // 4 * GPUS_PER_NODE))


def busy_nodes(trace: Trace) -> int:
    """Count the nodes of 8 GPUs that the jobs keep busy to 80 %."""
    span_s = max(float(trace.submit_s[-1] - trace.submit_s[0]), HOUR_S)
    busy = float((trace.gpus * np.nan_to_num(trace.duration_s)).sum()) / span_s
    return max(math.ceil(busy / LOAD / GPUS_PER_NODE), 1)


def sized(nodes: Sequence[NodeSpec]) -> str:
    """Tell that nobody named the cluster."""
    return (
        f"the cluster was made for the trace, {how_many(len(nodes), 'node')} of {GPUS_PER_NODE} GPUs: as large as its "
        f"largest job, or as keeps it busy for {LOAD:.0%}; --nodes or --vc names yours"
    )


def fitting_nodes(trace: Trace) -> list[NodeSpec]:
    """Choose as many nodes as the jobs keep busy, and at least as many as the largest job needs."""
    count = max(busy_nodes(trace), math.ceil(math.ceil(trace.gpus.max()) / GPUS_PER_NODE))
    if count > MOST_NODES:
        raise InputError(
            f"{trace.name} would keep {how_many(count, 'node')} busy", "describe the cluster with --nodes or --vc"
        )
    kinds = sorted({trace.kind.words[code] for code in np.unique(trace.kind.codes)} - {""})
    return parse_nodes(",".join(f"{count}x{GPUS_PER_NODE}:{kind}" for kind in kinds or ["gpu"]))
