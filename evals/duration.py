"""How well durations are estimated (the paper's Figure 14): every estimator online, nothing learned before its end."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals.durations.errors import LENGTHS, Errors
from evals.durations.job_set import JobSet
from evals.durations.sets import NAMES, load
from evals.report import Cell, Report, Table
from schedmate.errors import MissingExtra
from schedmate.models.embeddings import open_embedder
from schedmate.scheduling.estimators import Estimator
from schedmate.scheduling.estimators.advisor import Advisor
from schedmate.scheduling.estimators.best import Best
from schedmate.scheduling.estimators.catalogue import names_of, open_estimator
from schedmate.scheduling.estimators.replay import replay
from schedmate.schemas import Estimate, PastJob
from schedmate.settings import get_settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DATA = Path(__file__).parent.parent.parent / "shared" / "traces"
FIRST = 20
PAPER = (("paper: SchedMate on Mars", 0.857), ("paper: Lucid on Mars", 0.277))
ROWS = ("advisor", "advisor on true metadata", "GA2M", "LightGBM", "user mean", "best", "best without trees")
Answers = dict[str, list[Estimate]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the set, and what may be left out to save time."""
    parser.add_argument(
        "trace", nargs="?", default="venus", help=f"{', '.join(NAMES)}, or a trace: FILE or FILE:format"
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, metavar="DIR", help="holds venus_*.csv.gz and philly_*.csv.gz"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="look at the first N jobs only")
    parser.add_argument("--bounds", action="store_true", help="what rank correlation can be had at all (LightGBM)")
    parser.add_argument(
        "--without", default="", metavar="NAMES", help=f"leave out, with commas between: {', '.join(ROWS)}"
    )


@dataclass(frozen=True)
class Asked:
    """What each estimator said of each job when it came."""

    asked: list[PastJob]
    answers: Answers
    seconds: dict[str, float]
    """CPU time."""
    absent: list[str]


def answered(jobs: JobSet, left_out: set[str]) -> Asked:
    """Replay a set under each estimator."""
    answers: Answers = {}
    seconds: dict[str, float] = {}
    asked: list[PastJob] = []
    possible, absent = ready(makers(jobs))
    for name, make in possible.items():
        if name in left_out:
            continue
        started_s = time.process_time()
        source = jobs.oracle if name == "advisor on true metadata" and jobs.oracle else jobs.jobs
        pairs = [pair for pair in replay(source, [make()], jobs.ask_from_s) if pair[1]]
        seconds[name] = time.process_time() - started_s
        answers[name] = [said[0] for _, said in pairs]
        asked = asked or [past for past, _ in pairs]
        print(f"{name}: {seconds[name]:.0f} CPU s", file=sys.stderr)
    for name, said in jobs.published.items():
        answers[name] = [Estimate(duration_p50_s=said.get(past.job.job_id)) for past in asked]
    return Asked(asked, answers, seconds, absent)


def run(options: argparse.Namespace) -> Report:
    """Replay the set under each estimator, and measure."""
    jobs = load(options.trace, options.data, options.limit)
    found = answered(jobs, {name.strip() for name in options.without.split(",")})
    asked, answers = found.asked, found.answers
    kept = [place for place, past in enumerate(asked) if past.duration_s is not None]
    errors = {name: errors_of([asked[k] for k in kept], [said[k] for k in kept]) for name, said in answers.items()}
    tables = [overall(jobs, errors, found.seconds, len(asked)), by_length(errors)]
    tables += [by_past([asked[k] for k in kept], errors), *utilisation(jobs, asked, answers)]
    if options.bounds:
        from evals.durations.bounds import bounds

        tables.append(bounds(jobs))
    return Report(tables, [*notes(jobs), *found.absent], draw=partial(draw, jobs, asked, answers, errors))


def makers(jobs: JobSet) -> dict[str, Callable[[], Estimator]]:
    """Say how each estimator is made; training happens in simulated time, so that each run gives the same figures."""
    embedder = open_embedder(get_settings())
    rich = any(past.job.command for past in jobs.jobs[:100])

    def advisor() -> Advisor:
        return Advisor(names_of(embedder), by_request=not rich)

    made: dict[str, Callable[[], Estimator]] = {"advisor": advisor}
    if jobs.oracle is not None:
        made["advisor on true metadata"] = advisor
    made["GA2M"] = lambda: open_estimator("ga2m", in_background=False)
    made["LightGBM"] = lambda: open_estimator("lightgbm", in_background=False)
    made["user mean"] = lambda: open_estimator("user_mean")
    made["best"] = lambda: Best(advisor() if rich else None, in_background=False)
    made["best without trees"] = lambda: Best(advisor() if rich else None, trees=False)
    return made


def ready(made: dict[str, Callable[[], Estimator]]) -> tuple[dict[str, Callable[[], Estimator]], list[str]]:
    """Leave out what needs a package that is not here, and say so."""
    possible, absent = dict(made), []
    for name, make in made.items():
        try:
            make()
        except MissingExtra as error:
            del possible[name]
            absent.append(f"{name} is left out: {error}; {error.hint}")
    return possible, absent


def errors_of(asked: list[PastJob], said: list[Estimate]) -> Errors:
    """Put said and true beside each other."""

    def column(name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return np.array([np.nan if (value := getattr(one, name)) is None else value for one in said], float)

    truth = np.array([past.duration_s for past in asked], float)
    return Errors(truth, column("duration_p50_s"), column("duration_p10_s"), column("duration_p90_s"))


def overall(jobs: JobSet, errors: dict[str, Errors], seconds: dict[str, float], count: int) -> Table:
    """Give each estimator its row, the paper's beside them."""
    rows: list[list[Cell]] = [[name, None, share, *[None] * 7] for name, share in PAPER]
    truth_s = next(iter(errors.values())).truth_s
    short = Errors(truth_s, np.ones_like(truth_s), np.full_like(truth_s, np.nan), np.full_like(truth_s, np.nan))
    rows.append(["always 1 s", 1.0, short.within(1.0), short.factor(), *[None] * 6])
    for name, error in errors.items():
        octaves = error.octaves()
        finite = octaves[np.isfinite(octaves)]
        off = float(finite.mean()) if len(finite) else None
        shares = [error.covered(), error.within(1.0), error.factor(), error.spearman()]
        rows.append(
            [
                name,
                *shares,
                float(np.median(error.relative())),
                off,
                error.held(),
                error.below_high(),
                seconds.get(name),
            ]
        )
    columns = (
        "",
        "answers",
        "within 100 %",
        "within 2x",
        "Spearman",
        "median error",
        "mean doublings off",
        "in 80 % interval",
        "below p90",
        "CPU s",
    )
    return Table(f"{jobs.name}: {count:,} jobs asked about when they came", columns, rows)


def by_length(errors: dict[str, Errors]) -> Table:
    """Give the shares within 100 % and within a factor of two, by how long the jobs really ran."""
    rows: list[list[Cell]] = []
    for name, error in errors.items():
        row: list[Cell] = [name]
        for _, low, high in LENGTHS:
            part = error.of((error.truth_s >= low) & (error.truth_s < high))
            row += [part.within(1.0), part.factor()] if len(part.truth_s) else [None, None]
        rows.append(row)
    columns = ["", *(text for name, _, _ in LENGTHS for text in (f"{name}: 100 %", f"{name}: 2x"))]
    return Table("by length: within 100 %, within a factor of two", columns, rows)


def by_past(asked: list[PastJob], errors: dict[str, Errors]) -> Table:
    """Give the share below p90 of users' first jobs among those asked about, and of their later ones."""
    sent: Counter[str] = Counter()
    is_first = np.zeros(len(asked), bool)
    for place, past in enumerate(asked):
        is_first[place] = sent[past.job.user] < FIRST
        sent[past.job.user] += 1
    rows: list[list[Cell]] = []
    for name, error in errors.items():
        parts = [error.of(is_first), error.of(~is_first)]
        if error.below_high() is not None:
            rows.append([name, *(part.below_high() for part in parts), *(part.held() for part in parts)])
    columns = ("", "below p90: first", "later", "in 80 % interval: first", "later")
    return Table(f"users' first {FIRST} jobs that are asked about, and later ones", columns, rows)


def utilisation(jobs: JobSet, asked: list[PastJob], answers: Answers) -> list[Table]:
    """Compare GPU utilisation with what a profiler would have measured, where the set has it."""
    rows: list[list[Cell]] = [["paper: SchedMate", None, 0.281, None], ["paper: Lucid's profiler", None, 0.193, None]]
    for name, errors in utilisation_errors(jobs, asked, answers).items():
        known = errors[~np.isnan(errors)]
        if len(known):
            rows.append([name, len(known) / len(errors), float(known.mean()), float(np.median(known))])
    if len(rows) == 2:
        return []
    return [Table("GPU utilisation, relative error", ("", "answers", "mean", "median"), rows)]


def utilisation_errors(
    jobs: JobSet, asked: list[PastJob], answers: Answers
) -> "dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]":
    """Give each estimator's relative errors of GPU utilisation; NaN where it said nothing."""
    said: dict[str, list[float | None]] = {name: [one.gpu_util for one in given] for name, given in answers.items()}
    if jobs.profiled:
        said["profiler, first 100 s"] = [jobs.profiled.get(past.job.job_id) for past in asked]
    truth = [past.hardware.gpu_util if past.hardware else None for past in asked]
    found = {}
    for name, values in said.items():
        pairs = [(value, true) for value, true in zip(values, truth, strict=True) if true]
        errors = np.array([np.nan if value is None else abs(value - true) / true for value, true in pairs])
        if len(errors) and not np.isnan(errors).all():
            found[name] = errors
    return found


def notes(jobs: JobSet) -> list[str]:
    """Say what the figures mean and what the set does not offer."""
    return [
        "Relative error is |said - true| / true. Whoever always says 1 s is never off by more than 100 %, so the share "
        "within a factor of two, where too long counts as much as too short, stands beside the paper's share.",
        "Online: a job is asked about when it comes; an end is learned when it has passed. Where the trace tells no "
        "queueing, a job counts as started when it came.",
        jobs.lacks,
    ]


def draw(jobs: JobSet, asked: list[PastJob], answers: Answers, errors: dict[str, Errors], figure: "Figure") -> None:
    """Draw the paper's two panels: the share of jobs below each relative error, of duration and of utilisation."""
    busy = utilisation_errors(jobs, asked, answers)
    panels = figure.subplots(1, 2 if busy else 1, squeeze=False)[0]
    for name, error in errors.items():
        plot_share(panels[0], error.relative(), name)
    panels[0].set_title(f"duration, {jobs.name}")
    for name, values in busy.items():
        plot_share(panels[1], np.where(np.isnan(values), np.inf, values), name)
    if busy:
        panels[1].set_title("GPU utilisation")
    for axes in panels:
        axes.set_xlim(0, 2)
        axes.set_ylim(0, 1)
        axes.set_xlabel("relative error")
        axes.set_ylabel("share of jobs")
        axes.legend(fontsize="x-small", loc="lower right")


def plot_share(axes: "Axes", errors: "np.ndarray[tuple[int], np.dtype[np.float64]]", name: str) -> None:
    """Draw one cumulative share."""
    axes.plot(np.sort(errors), np.arange(1, len(errors) + 1) / len(errors), label=name)
