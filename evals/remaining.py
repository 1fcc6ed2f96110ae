"""How often and how well track tells the remaining time of a job that is under way; the simulator errs as it does."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from evals.cut_short import scoring
from evals.metrics import labelled
from evals.progress import knowing
from evals.progress.invented import invent
from evals.report import Report, Table
from schedmate.clusters.simulation.told_remaining import Legibility, spread
from schedmate.readers.progress.tracker import Tracker
from schedmate.schemas import Metrics

LOGS = Path(__file__).parent.parent.parent / "shared" / "logs" / "progress"
INVENTED = 400
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the logs whose share is counted, and how many are invented to measure errors by."""
    parser.add_argument("folder", nargs="?", type=Path, default=LOGS, help="NAME.log files and labels.csv")
    parser.add_argument("--count", type=int, default=INVENTED, help="logs to invent, whose truth is known")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=Path, metavar="FILE", help="jobs.csv: labelled jobs, whose code is read")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="their repositories, as folders or git directories")
    parser.add_argument("--programs", default="", metavar="SEEDS", help="run programs of our own, cut their logs: 1,2")


def read(data: bytes) -> Metrics:
    """Read what there is of a log."""
    tracker = Tracker("log", None)
    tracker.feed(data, now_s=0.0)
    tracker.finish()
    return tracker.metrics()


def stands(folder: Path) -> list[Metrics]:
    """Read each log as it stands: most are pieces of jobs that went on."""
    return [read(case.data) for case in labelled(folder)]


def told(seed: int, count: int) -> list[tuple[Metrics, float]]:
    """Read invented logs, which end before their jobs do; give the true seconds to go beside what was read."""
    found = []
    for one in invent(seed, count):
        truth = one.truth
        if truth.epoch is not None:
            continue  # its end is that of a pass
        if truth.total_steps and truth.step is not None and truth.step_time_s and truth.total_steps > truth.step:
            left_s = (truth.total_steps - truth.step) * truth.step_time_s
            found.append((read(one.text.encode()), left_s))
    return found


def ratios(found: Iterable[tuple[Metrics, float]]) -> list[float]:
    """Give told over true remaining time, in ascending order."""
    return sorted(one.eta_s / left_s for one, left_s in found if one.eta_s is not None)


def covered(found: Iterable[tuple[Metrics, float]]) -> float | None:
    """Give the share of intervals in which the truth lies."""
    inside = [
        one.eta_low_s <= left_s <= one.eta_high_s
        for one, left_s in found
        if one.eta_low_s is not None and one.eta_high_s is not None
    ]
    return sum(inside) / len(inside) if inside else None


def share(found: Sequence[Metrics]) -> float:
    """Give the share that tells the remaining time."""
    return sum(one.eta_s is not None for one in found) / len(found) if found else 0.0


def legibility(
    folder: Path,
    drift: float,
    seed: int = 0,
    count: int = INVENTED,
    jobs: Path | None = None,
    repos: Path | None = None,
) -> Legibility:
    """Measure now what the simulator is to be told: how many logs tell, and the errors of those that do.

    Invented jobs keep their pace. Real ones do not, and no log that is public shows by how much over its whole length:
    that spread is assumed, and multiplied in. Where labelled jobs are given too, so is that log and code are of no kin.
    """
    found = told(seed, count)
    logs = stands(folder) if (folder / "labels.csv").is_file() else [one for one, _ in found]
    part = knowing.composed(knowing.tellings(folder), knowing.jobs_know(jobs, repos)) if jobs else share(logs)
    errors = [error * pace for error in ratios(found) or [1.0] for pace in spread(1.0, drift).ratios]
    return Legibility(part, tuple(float(error) for error in np.quantile(errors, np.linspace(0.005, 0.995, 100))))


def run(options: argparse.Namespace) -> Report:
    """Run the eval."""
    found = told(options.seed, options.count)
    logs = stands(options.folder) if (options.folder / "labels.csv").is_file() else []
    errors = ratios(found)
    at = [errors[int(place * (len(errors) - 1))] if errors else None for place in SHARES]
    rows = [
        ("invented, total known", len(found), share([one for one, _ in found]), *at, covered(found)),
        ("labelled logs", len(logs), share(logs) if logs else None, *[None] * len(SHARES), None),
    ]
    columns = ("logs", "count", "tell", *(f"told / true, {place:.0%}" for place in SHARES), "in the interval")
    tables = [Table("Remaining time", columns, rows)]
    if logs:
        jobs = knowing.jobs_know(options.jobs, options.repos) if options.jobs else []
        tables.append(knowing.table(knowing.tellings(options.folder), jobs))
    if options.programs:
        tables.append(scoring.table(scoring.cuts([int(seed) for seed in options.programs.split(",")])))
    return Report(tables, ("`python -m evals policy` takes its errors from here.",))
