"""The paper's physical experiment on what there is: 82 jobs on a real Ray of 64 played GPUs, and in the simulator."""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from evals.fidelity import DATA
from evals.report import Cell, Report, Table
from evals.testbed.arms import ARMS
from evals.testbed.beside import Beside, simulate
from evals.testbed.playing import Ended, Played, play
from evals.testbed.workload import PACE, Workload, draw
from schedmate.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HOUR_S = 3600.0

PAPER_H = {"lucid": (4.39, 17.2), "lucid+": (3.37, 15.7)}
"""Average completion time and makespan of its Table 2."""
FIDELITY = 0.037
"""Deviation of its simulator."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what is played, and where what was played is kept."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with lucid/: pairs as measured")
    parser.add_argument("--arms", default=",".join(ARMS), help=",".join(ARMS))
    parser.add_argument("--jobs", type=int, default=82)
    parser.add_argument("--span", type=float, default=200.0, help="seconds in which they come")
    parser.add_argument("--load", type=float, default=1.1, help="GPU time asked for, over that of 56 GPUs in the span")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for what was played; what lies there is not played again")


def run(options: argparse.Namespace) -> Report:
    """Play what has not been played, then the same in the simulator."""
    for name in options.arms.split(","):
        if name not in ARMS:
            raise InputError(f"there is no arm '{name}'", f"there are: {', '.join(ARMS)}")
    workload = draw(options.data, options.jobs, options.span, options.load, options.seed)
    with TemporaryDirectory(prefix="physical-") as scratch:
        keep = options.keep or Path(scratch)
        keep.mkdir(parents=True, exist_ok=True)
        found = {name: played_or_kept(name, workload, keep) for name in options.arms.split(",")}
    beside = {name: (simulate(workload, one), simulate(workload, one, False)) for name, one in found.items()}
    tables = [jobs_table(found, beside), work_table(found), fidelity_table(found, beside), machine_table(found)]
    notes = (
        f"One second here is {PACE:g} s of the experiment; hours are the experiment's. No job has more than 56 GPUs.",
        "Simulated: the same jobs, beliefs and checkpoints; a job's start takes what it took here. "
        "Without starts: as if it took nothing.",
    )
    return Report(tables, notes, draw=lambda figure: draw_all(figure, found, beside))


def played_or_kept(name: str, workload: Workload, keep: Path) -> Played:
    """Play one scheduler, unless that was done."""
    file = keep / f"{name}.json"
    if not file.exists():
        with (keep / f"{name}.log").open("w") as log:
            print(f"{ARMS[name].title}: playing", file=sys.stderr, flush=True)
            played = play(name, ARMS[name], workload, keep / name, lambda line: print(line, file=log, flush=True))
        file.write_text(json.dumps(asdict(played)))
    told = json.loads(file.read_text())
    if len(told["jobs"]) != len(workload.tasks):
        raise InputError(f"{file} is of another experiment", "name another --keep")
    return Played(**{**told, "jobs": [Ended(**job) for job in told["jobs"]]})


def jct_s(played: Played) -> np.ndarray:
    """Give completion times at the experiment's pace."""
    return np.array([job.jct_s for job in played.jobs]) * PACE


def makespan_s(played: Played) -> float:
    """Give the time from the first submission to the last end."""
    return PACE * (max(job.end_s for job in played.jobs) - min(job.submit_s for job in played.jobs))


def jobs_table(found: Mapping[str, Played], beside: Mapping[str, tuple[Beside, Beside]]) -> Table:
    """Compare the schedulers as the paper's Table 2 does."""
    base = jct_s(found["lucid"]).mean() if "lucid" in found else None
    rows: list[list[Cell]] = []
    for name, played in found.items():
        mean_s = float(jct_s(played).mean())
        waited_s = mean_s - PACE * float(np.mean([job.ran_s for job in played.jobs]))
        paper = PAPER_H.get(name, (None, None))
        rows.append(
            [ARMS[name].title, round(mean_s / HOUR_S, 3), round(waited_s / HOUR_S, 3),
             round(makespan_s(played) / HOUR_S, 2), f"{1 - mean_s / base:+.1%}" if base else None, *paper]
        )  # fmt: skip
    columns = ("scheduler", "completion h", "waiting h", "makespan h", "better than Lucid", "paper: completion h")
    return Table("On Ray: averages of all jobs", (*columns, "makespan h "), rows)


def work_table(found: Mapping[str, Played]) -> Table:
    """Show what the schedulers did."""
    rows: list[list[Cell]] = []
    whole_h = profiling_h(found["lucid"]) if "lucid" in found else None
    for name, played in found.items():
        recoveries = [job.recovery_s * PACE / 60 for job in played.jobs if job.recovery_s is not None]
        spent_h = profiling_h(played)
        rows.append(
            [ARMS[name].title, sum(job.profiled_gpus > 0 for job in played.jobs), round(spent_h, 2),
             None if whole_h is None else round(whole_h - spent_h, 2), played.evicted, played.displaced,
             len(recoveries), round(float(np.mean(recoveries)), 1) if recoveries else None,
             sum(job.released > 0 for job in played.jobs)]
        )  # fmt: skip
    columns = ("scheduler", "jobs profiled", "GPU h of profiling", "saved over Lucid", "evicted", "displaced", "faults")
    return Table("What was done", (*columns, "minutes to the next start", "let go on by a person"), rows)


def profiling_h(played: Played) -> float:
    """Give the GPU hours that went into profiling."""
    return sum(job.profiled_s * job.profiled_gpus for job in played.jobs) * PACE / HOUR_S


def fidelity_table(found: Mapping[str, Played], beside: Mapping[str, tuple[Beside, Beside]]) -> Table:
    """Put the simulator beside what happened."""
    rows: list[list[Cell]] = []
    for name, played in found.items():
        real_s, (told, ideal) = float(jct_s(played).mean()), beside[name]
        span_s, told_s = makespan_s(played), float(told.jct_s.mean())
        rows.append(
            [ARMS[name].title, round(real_s / HOUR_S, 3), round(told_s / HOUR_S, 3), f"{told_s / real_s - 1:+.1%}",
             f"{float(ideal.jct_s.mean()) / real_s - 1:+.1%}", f"{told.makespan_s / span_s - 1:+.1%}",
             f"{float(np.median(np.abs(told.jct_s / jct_s(played) - 1))):.1%}", told.result.summary.evictions,
             told.result.summary.preemptions]
        )  # fmt: skip
    columns = ("scheduler", "on Ray h", "simulated h", "off", "off without starts", "makespan off", "a job, median")
    title = f"The simulator beside it (the paper's is within {FIDELITY:.1%})"
    return Table(title, (*columns, "evicted", "displaced"), rows)


def machine_table(found: Mapping[str, Played]) -> Table:
    """Say what the machine was like meanwhile."""
    names = ("took_s", "load", "most_load", "busy", "least_free_gib", "step_late_ms", "step_latest_s")
    rows: list[list[Cell]] = [
        [ARMS[name].title, *(round(played.machine[one], 2) for one in names), round(played.overhead_s, 2)]
        for name, played in found.items()
    ]
    columns = ("scheduler", "took s", "load", "at most", "CPU busy", "least GiB free", "a step late, ms", "latest, s")
    return Table("The machine meanwhile", (*columns, "start and end of a run, s"), rows)


def draw_all(figure: "Figure", found: Mapping[str, Played], beside: Mapping[str, tuple[Beside, Beside]]) -> None:
    """Draw how completion times spread, on Ray and simulated, and the averages beside each other."""
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    draw_spread(left, found, beside)
    places = np.arange(len(found))
    for shift, label, values in (
        (-0.2, "on Ray", [jct_s(one).mean() / HOUR_S for one in found.values()]),
        (0.2, "simulated", [beside[name][0].jct_s.mean() / HOUR_S for name in found]),
    ):
        bars = right.bar(places + shift, values, 0.38, label=label, color="#2a6f97" if shift < 0 else "#a9c6d9")
        right.bar_label(bars, fmt="%.2f", fontsize=7)
    right.set_xticks(places, [ARMS[name].title.replace(" + ", "\n+ ") for name in found], fontsize=8)
    right.set_ylabel("average completion time, h")
    right.legend(frameon=False)


def draw_spread(axes: "Axes", found: Mapping[str, Played], beside: Mapping[str, tuple[Beside, Beside]]) -> None:
    """Draw the share of jobs done within each time: solid on Ray, dashed simulated."""
    for number, (name, played) in enumerate(found.items()):
        for values, style in ((jct_s(played), "-"), (beside[name][0].jct_s, "--")):
            shares = np.arange(1, len(values) + 1) / len(values)
            label = ARMS[name].title if style == "-" else None
            axes.step(np.sort(values) / HOUR_S, shares, style, where="post", color=f"C{number}", label=label, lw=1.3)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("completion time, h (solid: on Ray, dashed: simulated)")
    axes.set_ylabel("share of jobs")
    axes.legend(frameon=False)
