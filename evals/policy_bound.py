"""What the average completion time cannot fall below where jobs are as large as the cluster and others never save.

Every job begins when it comes, but for those that want all GPUs: such a job waits until all have ended that came before
it and never save. Nobody knows beforehand that it will come, so who starts jobs while there is room for them and stops
nobody that never saved can do no better.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np

from evals.fidelity import DATA
from evals.policy import MADE, SAVING, world
from evals.report import Cell, Report, Table
from schedmate.scheduling.simulation.experiment import Experiment


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the generated traces and the seeds."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with the traces")
    parser.add_argument("--traces", default="seren-like", help=",".join(MADE))
    parser.add_argument("--saving", default="real", help=",".join(SAVING))
    parser.add_argument("--seeds", type=int, default=9, help="so many draws")
    parser.add_argument("--first-seed", type=int, default=0, help="the first of them")


def waits_s(experiment: Experiment) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Give how long each job waits at least."""
    trace = experiment.trace
    wants_all = np.array(trace.sizes()) >= sum(node.gpus for node in experiment.nodes)
    saves = np.array([experiment.saving.saves(number) for number in range(len(trace))])
    ends_s = np.where(saves | wants_all, 0.0, trace.submit_s + trace.duration_s)
    gone_s = np.concatenate([[0.0], np.maximum.accumulate(ends_s)[:-1]])
    return np.where(wants_all, np.maximum(gone_s - trace.submit_s, 0.0), 0.0)


def run(options: argparse.Namespace) -> Report:
    """Run the eval."""
    rows: list[list[Cell]] = []
    for trace in options.traces.split(","):
        bounds = []
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            base = world(options.data, trace, seed)
            experiment = replace(base, saving=replace(SAVING[options.saving], seed=seed))
            waits = waits_s(experiment)
            bounds.append(float(np.mean(experiment.trace.duration_s + waits)))
            rows.append([f"{trace}, {options.saving}", seed, int((waits > 0).sum()), round(bounds[-1])])
        rows.append([f"{trace}, {options.saving}", "mean", None, round(fmean(bounds))])
    return Report([Table("average completion time, s", ("trace, restarts", "seed", "jobs held up", "at least"), rows)])
