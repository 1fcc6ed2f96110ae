"""Our policy beside every baseline: average completion time by trace, with published and with real restarts."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import get_args

import numpy as np

from evals.fidelity import DATA, venus
from evals.paper_tables.runs import open_runs
from evals.remaining import LOGS, legibility
from evals.report import Cell, Report, Table
from schedmate.clusters.simulation.restart_cost import NONE, PUBLISHED, REAL
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.errors import InputError
from schedmate.scheduling.placement.cut_gpus import Fractions
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.simulation.build_experiment import fitting_nodes, prepare
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.options import SimulationOptions
from schedmate.scheduling.simulation.predictions import read_columns
from schedmate.scheduling.simulation.results import Summary
from schedmate.scheduling.simulation.run_policy import run as play
from schedmate.traces.generating import generate
from schedmate.traces.reshaping import scale

FILES = {
    "pcs": "philly_pcs.csv.gz",
    "pollux": "philly_pollux.csv.gz",
    "kalos-800": "kalos_head800.csv.gz",
    "openb": "openb_pods_2023.csv.gz",
}
MADE = {"month": "helios", "seren-like": "seren", "kalos-like": "kalos"}
TRACES = ("venus", *FILES, *MADE)
SAVING = {"published": PUBLISHED, "real": REAL, "none": NONE}
BASELINES = ("srtf", "fifo", "easy", "qssf", "tiresias", "horus", "lucid")

ORACLES = frozenset({"srtf"})
"""`easy` is told limits, which are made from the truth where a trace has none: round, and at least twice as long."""
OURS = "schedmate"
LEFT_OUT = {
    "no progress": Uses(progress=False),
    "no displacing": Uses(displacing=False),
    "no moving": Uses(moving=False),
    "no packing": Uses(packing=False),
    "no estimates": Uses(estimates=False),
}

GOALS = {
    ("venus", "published"): 12_300,
    ("pcs", "published"): 32_000,
    ("kalos-like", "published"): 2_500,
    ("seren-like", "published"): 1_450,
    ("venus", "real"): 12_500,
    ("pcs", "real"): 32_500,
    ("kalos-like", "real"): 8_000,
    ("seren-like", "real"): 1_600,
    ("venus", "none"): 13_150,
}
"""Average completion time in s that was asked for."""
JAIN = {(trace, saving): 0.98 for trace in TRACES for saving in SAVING}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the traces, the ways in which jobs save, and how often to draw."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with the traces")
    parser.add_argument("--traces", default="venus,kalos-800,openb,month,seren-like,kalos-like", help=",".join(TRACES))
    parser.add_argument("--saving", default="published,real", help=",".join(SAVING))
    parser.add_argument("--policies", default=",".join(BASELINES), help="baselines to run beside ours")
    parser.add_argument(
        "--loads", default="1", help="jobs come so many times as fast as in the trace, as in 0.7,0.9,1.1"
    )
    parser.add_argument("--fractions", default="time", choices=get_args(Fractions), help="what a part of a GPU is")
    parser.add_argument("--seeds", type=int, default=1, help="made traces, drawn profiles, and who saves, so often")
    parser.add_argument("--first-seed", type=int, default=0, help="the first of them")
    parser.add_argument("--keep", type=Path, help="folder that remembers runs: whoever is stopped goes on there")
    parser.add_argument("--logs", type=Path, default=LOGS, help="labelled logs: as many tell the remaining time")
    parser.add_argument(
        "--jobs", type=Path, metavar="FILE", help="jobs.csv: with --repos, labelled jobs whose code tells"
    )
    parser.add_argument("--repos", type=Path, metavar="DIR", help="their repositories")
    parser.add_argument("--legible", type=float, help="share of logs that tell it, instead of the measured one")
    parser.add_argument("--drift", type=float, default=0.3, help="assumed spread of the logarithm of jobs' pace")
    parser.add_argument("--ablate", action="store_true", help="leave parts of our policy out, one by one")


@lru_cache(maxsize=2)
def world(data: Path, name: str, seed: int, load: float = 1.0, fractions: Fractions = "time") -> Experiment:
    """Set a trace up under honest accounting: nothing is known that a live scheduler would not know."""
    if load != 1:
        base = world(data, name, seed, fractions=fractions)
        return replace(base, trace=scale(base.trace, rate=load))
    if name == "venus":
        base = venus(data)
        table = data / "lucid" / "venus_sept_profile.csv.gz"
        ga2m = read_columns(table, base.trace, ("ebm_pred_duration_s",))["ebm_pred_duration_s"]
        return replace(base, accounting="honest", seed=seed, predictions={"lucid": ga2m})
    if name in FILES:
        path = str(data / FILES[name])
        return prepare(
            SimulationOptions(trace=path, on_bad="skip", accounting="honest", seed=seed, fractions=fractions)
        )
    if name == "month":
        return prepare(SimulationOptions(accounting="honest", seed=seed))
    if name in MADE:
        trace = generate(MADE[name], seed=seed)
        return Experiment(trace=trace, nodes=tuple(fitting_nodes(trace)), accounting="honest", seed=seed)
    raise InputError(f"there is no trace '{name}'", f"there are: {', '.join(TRACES)}")


def measured(
    options: argparse.Namespace, tell: Callable[[str], None] = print
) -> dict[tuple[str, str, str], list[Summary]]:
    """Play everything; say each run as it ends, since all of them take a while."""
    names = [*filter(None, options.policies.split(",")), OURS, *(LEFT_OUT if options.ablate else ())]
    if (options.jobs is None) != (options.repos is None):
        raise InputError("--jobs and --repos go together", "without both, the logs alone tell what time is left")
    read = legibility(options.logs, options.drift, jobs=options.jobs, repos=options.repos)
    if options.legible is not None:
        read = replace(read, share=options.legible)
    is_invented = options.legible is None and not (options.logs / "labels.csv").is_file()
    where = f"invented logs (there is no {options.logs / 'labels.csv'})" if is_invented else "logs"
    tell(f"{read.share:.0%} of {where} tell the remaining time, nine of ten within {tenths(read)} of it")
    runs = None
    if options.keep:
        runs = open_runs(options.keep, lambda line: None, range(0))
    found: dict[tuple[str, str, str], list[Summary]] = {}
    for trace, load, seed, saving in product(
        options.traces.split(","),
        map(float, options.loads.split(",")),
        range(options.first_seed, options.first_seed + options.seeds),
        options.saving.split(","),
    ):
        base = world(options.data, trace, seed, load, options.fractions)
        base = replace(base, legibility=read, saving=replace(SAVING[saving], seed=seed))
        row = trace if load == 1 else f"{trace} x {load:g}"
        for name in names:
            used = replace(base, uses=LEFT_OUT.get(name, Uses()))
            policy = OURS if name in LEFT_OUT else name
            summary = runs.one(name, used, policy, seed) if runs else play(used, policy).summary
            found.setdefault((row, saving, name), []).append(summary)
            tell(f"{row}, {saving}, seed {seed}, {name}: {summary.avg_jct_s:,.0f} s, {summary.cpu_s:.1f} CPU s")
    return found


def tenths(read: Legibility) -> str:
    """Write between which ratios the told remaining times lie."""
    low, high = np.quantile(read.ratios, (0.05, 0.95))
    return f"{low:.2f} to {high:.2f}"


def table(
    found: dict[tuple[str, str, str], list[Summary]],
    title: str,
    value: Callable[[Summary], float],
    goals: Mapping[tuple[str, str], float],
    best_of: Callable[..., str] = min,
) -> Table:
    """Put means over seeds beside each other; the last columns say who is best of those that know no truth."""
    names = list(dict.fromkeys(name for _, _, name in found))
    rows: list[Sequence[Cell]] = []
    for trace, saving in dict.fromkeys((trace, saving) for trace, saving, _ in found):
        means = {name: fmean(map(value, found[trace, saving, name])) for name in names}
        honest = {name: mean for name, mean in means.items() if name not in ORACLES and name not in LEFT_OUT}
        best = best_of(honest, key=lambda name: honest[name])
        rows.append(
            [
                f"{trace}, {saving}",
                *(round(means[name], 3 if means[name] <= 1 else 0) for name in names),
                best,
                goals.get((trace, saving)),
            ]
        )
    shown = [f"{name}*" if name in ORACLES else name for name in names]
    return Table(title, ("trace, restarts", *shown, "best without an oracle", "goal for ours"), rows)


def run(options: argparse.Namespace) -> Report:
    """Run the eval."""
    found = measured(options, lambda line: None if options.as_json else print(line, flush=True))
    notes = (
        "* is told true durations. Baselines are told true profiles when jobs come; ours believes what it measured.",
        f"Logs tell the remaining time as `python -m evals remaining` measures; assumed drift: {options.drift:g}.",
        "real: 60 % of jobs save, every 30 min, 120 s to start again, 180 s above 8 GPUs; none: nobody saves.",
    )
    tables = [
        table(found, "average completion time, s", lambda one: one.avg_jct_s, GOALS),
        table(found, "99.9th percentile of the queue, s", lambda one: one.p999_queue_s, {}),
        table(found, "Jain's index of evenness", lambda one: one.jain_index, JAIN, max),
    ]
    return Report(tables, notes)
