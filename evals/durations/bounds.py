"""How well any estimate could order a set's jobs: by what the future tells, and by trees that aim at ranks."""

import math
from collections import defaultdict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evals.durations.errors import Floats, ranks
from evals.durations.job_set import JobSet
from evals.report import Cell, Table
from schedmate.scheduling.estimators.best import LOOSE, RETRAIN_S, TREES, Best
from schedmate.scheduling.estimators.lightgbm import boost
from schedmate.scheduling.estimators.replay import replay
from schedmate.schemas import Job

FOLDS = 5
Picked = NDArray[np.bool_]


def bounds(jobs: JobSet) -> Table:
    """Give the rank correlation of what sees the future beside that of the best that does not."""
    best, rows = Best(trees=False), []
    for past, _ in replay(jobs.jobs, [best], math.inf):
        rows.append(best.open[past.job.job_id].features)
    kept = [place for place, past in enumerate(jobs.jobs) if past.duration_s is not None]
    features = np.stack([rows[place] for place in kept])
    past_jobs = [jobs.jobs[place] for place in kept]
    truth_s = np.array([past.duration_s for past in past_jobs], float)
    came_s = np.array([past.job.submit_s or 0.0 for past in past_jobs])
    asked = came_s >= jobs.ask_from_s
    place = ranks(truth_s) / len(truth_s)
    requests = [request(past.job) for past in past_jobs]
    told: dict[str, Floats] = {
        "mean rank of the same request, itself counted (sees the future)": means(requests, place, asked, True),
        "the same, itself left out (sees the future)": means(requests, place, asked, False),
        "trees on ranks, learned from all other jobs, later ones too (see the future)": folds(features, place),
        "trees on ranks, learned from ended jobs only": online(features, place, came_s, came_s + truth_s, asked),
    }
    cells: list[list[Cell]] = [[name, correlation(said[asked], truth_s[asked])] for name, said in told.items()]
    return Table(f"{jobs.name}: what rank correlation can be had", ("", "Spearman"), cells)


def request(job: Job) -> tuple[object, ...]:
    """Name what was asked for, by all that a trace without commands tells."""
    return job.user, job.vc, job.name, job.gpus, job.extra.get("cpus", "")


def means(keys: list[tuple[object, ...]], place: Floats, asked: Picked, with_itself: bool) -> Floats:
    """Give each job the mean rank of those asked about that share its key."""
    sums: dict[tuple[object, ...], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for key, rank, counts in zip(keys, place, asked, strict=True):
        if counts:
            sums[key][0] += rank
            sums[key][1] += 1
    usual = float(place[asked].mean())
    said = np.full(len(place), usual)
    for number in np.flatnonzero(asked):
        total, count = sums[keys[number]]
        if with_itself:
            said[number] = total / count
        elif count > 1:
            said[number] = (total - place[number]) / (count - 1)
    return said


def train(features: Floats, place: Floats) -> Callable[[Floats], Floats]:
    """Train trees on ranks."""
    booster = boost(features, place, "l2", [], TREES, **LOOSE)
    return lambda rows: np.asarray(booster.predict(rows, num_threads=1), float)


def online(features: Floats, place: Floats, came_s: Floats, ended_s: Floats, asked: Picked) -> Floats:
    """Ask trees about the jobs of the next days, trained anew each time on what had ended."""
    said = np.full(len(place), np.nan)
    first_s, last_s = float(came_s[asked].min()), float(came_s.max())
    for begin_s in np.arange(first_s, last_s + 1, RETRAIN_S):
        due = (came_s >= begin_s) & (came_s < begin_s + RETRAIN_S)
        if due.any():
            known = ended_s < begin_s
            said[due] = train(features[known], place[known])(features[due])
    return said


def folds(features: Floats, place: Floats) -> Floats:
    """Ask trees about each fifth of the jobs, trained on the other four."""
    drawn = np.random.default_rng(0).integers(0, FOLDS, len(place))
    said = np.empty(len(place))
    for fold in range(FOLDS):
        said[drawn == fold] = train(features[drawn != fold], place[drawn != fold])(features[drawn == fold])
    return said


def correlation(said: Floats, truth: Floats) -> float:
    """Give Spearman's."""
    return float(np.corrcoef(ranks(said), ranks(truth))[0, 1])
