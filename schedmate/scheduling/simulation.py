"""The verb `simulate`: read a trace, describe a cluster, run policies, hand back what became of the jobs."""

import csv
import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from schedmate.clusters import NodeSpec
from schedmate.clusters.interference import MeasuredInterference, read_interference
from schedmate.clusters.layout import MOST_NODES, parse_nodes, parse_ratios, read_virtual_clusters
from schedmate.errors import InputError
from schedmate.scheduling.arrival_model import learn_forecast
from schedmate.scheduling.catalogue import POLICIES, PREDICTING
from schedmate.scheduling.estimators.catalogue import ESTIMATORS
from schedmate.scheduling.experiment import HISTORY, Accounting, Experiment, Faults, Result
from schedmate.scheduling.forecasts import Forecast, read_arrivals, read_forecast
from schedmate.scheduling.misfits import drop_misfits
from schedmate.scheduling.packing_tree import judge, scores_of_pairs, train
from schedmate.scheduling.profiling import ProfilerSetup
from schedmate.scheduling.results import Summary
from schedmate.scheduling.sweep import Ledger, fingerprint, run_all
from schedmate.traces.columns import Trace
from schedmate.traces.formats.table import named_rows, number
from schedmate.traces.generating import generate
from schedmate.traces.profiles import Profiles, draw_profiles, read_labels, read_profiles
from schedmate.traces.reading import open_text, read_trace
from schedmate.traces.reshaping import scale, shuffle_ties
from schedmate.traces.rows import BadRow, OnBad
from schedmate.traces.training_profiles import read_training_profiles

Floats = npt.NDArray[np.float64]

GPUS_PER_NODE = 8
SIA_NODES = "6x4:aws,2x8:dgx-ext,3x8:rtx"
"""Sia's cluster of T4, A100 and 2080 Ti, in its order; what training runs were measured on."""
LEARN = "learn"
LOAD = 0.8
"""Share of the GPUs that the jobs would keep busy, where nobody says how large the cluster is."""


@dataclass(frozen=True)
class Options:
    """What the user may ask for, as the command line names it."""

    trace: str = ""
    policies: tuple[str, ...] = ("fifo",)
    nodes: str = ""
    vc: Path | None = None
    speed: str = ""
    seed: int = 0
    repeat: int = 1
    data: Path | None = None
    predictions: str | None = None
    """A file, and after a colon the one column that serves every policy."""
    estimator: str = HISTORY
    learn_from: str = ""
    on_bad: OnBad = "stop"
    faults: Faults = field(default_factory=Faults)
    accounting: Accounting = "published"
    profiles: Path | None = None
    labels: Path | None = None
    interference: Path | None = None
    forecast: str = ""
    sharing: bool = True
    profiler: ProfilerSetup | None = field(default_factory=ProfilerSetup)
    packing: str = "labels"
    ties: str = "id"
    evict_below: float = 0.0
    detection_rate: float = 1.0
    training: Path | None = None
    workers: int = 0
    sweep: Path | None = None
    figures: bool = False


@dataclass(frozen=True)
class Simulation:
    """What was simulated, and what came of it, in the order of the policies, then seeds."""

    experiment: Experiment
    results: Mapping[tuple[str, int], Result]
    summaries: tuple[Summary, ...]


def simulate(
    options: Options,
    tell: Callable[[int], None] | None = None,
    started: Callable[[Experiment, int], None] | None = None,
    finished: Callable[[Summary], None] | None = None,
) -> Simulation:
    """Run each policy with each seed; the callbacks serve a progress bar."""
    check(options)
    experiment = prepare(options)
    runs = [(policy, options.seed + i) for policy in options.policies for i in range(options.repeat)]
    ledger = Ledger(options.sweep) if options.sweep else None
    names = {pair: fingerprint(experiment, *pair) for pair in runs} if ledger else {}
    summaries = {pair: ledger.done[names[pair]] for pair in runs if ledger and names[pair] in ledger.done}
    open_runs = [pair for pair in runs if pair not in summaries]
    if started:
        started(experiment, len(open_runs))
    results: dict[tuple[str, int], Result] = {}
    workers = options.workers or os.cpu_count() or 1
    for policy, seed, result in run_all(experiment, open_runs, workers, tell, options.figures):
        results[policy, seed] = result
        summaries[policy, seed] = result.summary
        if ledger:
            ledger.add(names[policy, seed], result.summary)
        if finished:
            finished(result.summary)
    return Simulation(experiment, results, tuple(summaries[pair] for pair in runs))


def check(options: Options) -> None:
    """Refuse what cannot be run before anything long begins."""
    if unknown := [name for name in options.policies if name not in POLICIES]:
        raise InputError(f"there is no policy '{unknown[0]}'", f"there are: {', '.join(POLICIES)}")
    if options.estimator not in {HISTORY, *ESTIMATORS}:
        known = f"{HISTORY}, {', '.join(ESTIMATORS)}"
        raise InputError(f"there is no estimator '{options.estimator}'", f"there are: {known}")
    if options.learn_from and options.estimator in {HISTORY, "oracle"}:
        raise InputError(
            f"estimator {options.estimator} learns from no trace", f"name another: {', '.join(ESTIMATORS)}"
        )
    if not options.policies:
        raise InputError("no policy is named", f"there are: {', '.join(POLICIES)}")
    if options.nodes and options.vc:
        raise InputError("--nodes and --vc both describe the cluster", "give one; a --vc file may name GPUs and kinds")
    if options.repeat < 1:
        raise InputError(f"--repeat {options.repeat} runs nothing", "give 1 or more")


def prepare(options: Options) -> Experiment:
    """Read the trace and lay out the cluster."""
    spec = options.trace
    trace = read_trace(spec, options.data, options.on_bad) if spec else generated_month(options)
    if options.vc:
        nodes = read_virtual_clusters(options.vc)
    else:
        elastic = options.training is not None and not options.nodes
        nodes = parse_nodes(options.nodes or SIA_NODES) if options.nodes or elastic else fitting_nodes(trace)
    if options.ties == "shuffle":
        trace = shuffle_ties(trace, options.seed)
    interference = read_interference(options.interference) if options.interference else None
    experiment = Experiment(
        trace=trace,
        nodes=tuple(nodes),
        kind_speed=parse_ratios(options.speed, {node.kind for node in nodes}),
        predictions=read_predictions(options.predictions, trace),
        faults=options.faults,
        seed=options.seed,
        accounting=options.accounting,
        estimator=options.estimator,
        before=read_trace(options.learn_from, options.data, options.on_bad) if options.learn_from else None,
        profiles=judged_profiles(options, trace, interference),
        interference=interference,
        forecast=forecast_for(options, trace),
        profiler=options.profiler,
        sharing=options.sharing,
        training=read_training_profiles(options.training) if options.training else None,
        evict_below=options.evict_below,
        detection_rate=options.detection_rate,
    )
    return drop_misfits(experiment, options.on_bad)


def judged_profiles(options: Options, trace: Trace, interference: MeasuredInterference | None) -> Profiles | None:
    """Read or draw what a profiler measures, with sharing scores from the labels or from a tree trained on them."""
    known = read_labels(options.labels) if options.labels else []
    if interference is not None and all(one.score < 0 for one in known):
        scores = scores_of_pairs(interference.pairs)
        known = [replace(one, score=scores.get(one.key, -1)) for one in known]
    if options.packing == "tree" and not known:
        raise InputError(
            "--packing-model tree has nothing to learn from", "give --labels FILE: Lucid's single_data.csv"
        )
    if options.profiles is not None:
        profiles = read_profiles(options.profiles, trace, {one.key: one.score for one in known})
    elif options.packing == "tree":
        profiles = draw_profiles(trace, options.seed)
    else:
        return None
    return judge(profiles, train(known)) if options.packing == "tree" else profiles


def forecast_for(options: Options, trace: Trace) -> Forecast | None:
    """Read a forecast, or learn one from the arrivals."""
    word, _, history = options.forecast.partition(":")
    if word == LEARN:
        return learn_forecast(trace, read_arrivals(Path(history)) if history else ())
    return read_forecast(Path(options.forecast)) if options.forecast else None


def generated_month(options: Options) -> Trace:
    """Make a month like Helios; requests above a quarter of the cluster that the jobs would fill are cut to it."""
    trace = generate(seed=options.seed)
    if options.nodes or options.vc:
        return trace
    return scale(trace, most_gpus=max(GPUS_PER_NODE, busy_nodes(trace) // 4 * GPUS_PER_NODE))


def busy_nodes(trace: Trace) -> int:
    """Count the nodes of 8 GPUs that the jobs keep busy to 80 %."""
    span_s = max(float(trace.submit_s[-1] - trace.submit_s[0]), 3600.0)
    busy = float((trace.gpus * np.nan_to_num(trace.duration_s)).sum()) / span_s
    return max(math.ceil(busy / LOAD / GPUS_PER_NODE), 1)


def fitting_nodes(trace: Trace) -> list[NodeSpec]:
    """Choose as many nodes as the jobs keep busy, and at least as many as the largest job needs."""
    count = max(busy_nodes(trace), math.ceil(int(trace.gpus.max()) / GPUS_PER_NODE))
    if count > MOST_NODES:
        raise InputError(f"{trace.name} would keep {count:,} nodes busy", "describe the cluster with --nodes or --vc")
    kinds = sorted({trace.kind.words[code] for code in np.unique(trace.kind.codes)} - {""})
    return parse_nodes(",".join(f"{count}x{GPUS_PER_NODE}:{kind}" for kind in kinds or ["gpu"]))


def read_predictions(spec: str | None, trace: Trace) -> dict[str, Floats]:
    """Read durations that were predicted elsewhere: a CSV of job_id and one column a policy, or the column named."""
    if spec is None:
        return {}
    name, _, column = spec.rpartition(":")
    if not name or Path(spec).exists():
        return read_columns(Path(spec), trace, POLICIES)
    values = read_columns(Path(name), trace, (column,))[column]
    return dict.fromkeys(PREDICTING, values)


def read_columns(path: Path, trace: Trace, names: Collection[str]) -> dict[str, Floats]:
    """Read those of the named columns that a CSV has, in the order of the trace's jobs."""
    numbers: dict[str, int] = {str(job_id): index for index, job_id in enumerate(trace.job_id)}
    columns: dict[str, Floats] = {}
    with open_text(path) as stream:
        for row in named_rows(stream, ("job_id",)):
            if isinstance(row, BadRow):
                raise InputError(f"{path}, line {row.line}: {row.reason}", "mend the row")
            index = numbers.get(row["job_id"])
            for name in row.keys() & names if index is not None else ():
                try:
                    columns.setdefault(name, np.full(len(trace), np.nan))[index] = number(row[name], name)
                except ValueError as error:
                    raise InputError(f"{path}, line {row.line}: {error}", "give a number of seconds") from error
    if not columns:
        raise InputError(f"{path} predicts nothing for this trace", f"columns: job_id and any of {', '.join(names)}")
    for name, values in columns.items():
        if missing := int(np.isnan(values).sum()):
            raise InputError(f"{path} has no '{name}' for {missing} of {len(trace)} jobs", "add them")
    return columns


def write_jobs(simulation: Simulation, path: Path) -> None:
    """Write one row a job and run."""
    trace = simulation.experiment.trace
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        names = "policy,seed,job_id,user,vc,gpus,submit_s,duration_s,first_start_s,end_s,jct_s,queue_s,preemptions"
        writer.writerow(names.split(","))
        for (policy, seed), result in simulation.results.items():
            rows = result.outcomes
            floats: Sequence[Floats] = (
                rows.submit_s,
                rows.duration_s,
                rows.first_start_s,
                rows.end_s,
                rows.jct_s,
                rows.queue_s,
            )
            table = np.round(np.stack(floats, axis=1), 3).tolist()
            for index, numbers in enumerate(table):
                words = [trace.job_id[index], trace.user[index], trace.vc[index], trace.gpus[index]]
                writer.writerow([policy, seed, *words, *numbers, rows.preemptions[index]])
