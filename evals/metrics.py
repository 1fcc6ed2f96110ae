"""How often and how exactly track reads the step time, clean and in massive noise, beside the paper's Figure 15."""

import argparse
import csv
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from evals.progress.invented import invent
from evals.progress.noise import make_pool, mix
from evals.report import Cell, Report, Table
from schedmate.choices import ReaderChoice
from schedmate.errors import InputError, ModelFailed
from schedmate.graphs.track import run_track
from schedmate.readers.progress.lines.formats import Format, known_formats
from schedmate.readers.progress.tracker import Tracker
from schedmate.schemas import Metrics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIELDS = {"loss": 0.01, "step": 0.0, "total_steps": 0.0, "epoch": 0.005, "throughput": 0.05}
"""What is scored beside the step time, and how near is near."""
TOLERANCE = 0.25

PAPER = (
    ("paper: Metric Tracker, Qwen-2.5-7B + BGE-m3", 84.3, 0.42),
    ("paper: the same, in the text on partial information", 91.6, None),
    ("paper: pure LLM on the noisy log", 59.2, None),
)
"""Section 5.4 and Figure 15: 1,000 synthetic logs, half of them in noise; the set is not public."""


@dataclass(frozen=True)
class Case:
    """One log and the answers that are right; None among them stands for `not to be known`."""

    name: str
    form: str
    data: bytes
    answers: tuple[float | None, ...]
    tolerance: float
    fields: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class Outcome:
    """What was read of one case, and how long that took."""

    case: Case
    metrics: Metrics
    cpu_s: float

    @property
    def error(self) -> float | None:
        """Give the relative error to the nearest right answer; None where either side has no number."""
        wanted = [answer for answer in self.case.answers if answer]
        got = self.metrics.step_time_s
        if got is None or not wanted:
            return None
        return min(((got - answer) / answer for answer in wanted), key=abs)

    @property
    def holds(self) -> bool:
        """Tell whether the step time is right, or rightly unknown."""
        if self.metrics.step_time_s is None:
            return None in self.case.answers
        return self.error is not None and abs(self.error) <= self.case.tolerance

    @property
    def capped(self) -> float | None:
        """Give the error, at most 1; no answer where there is one counts as 1."""
        if self.error is not None:
            return max(-1.0, min(1.0, self.error))
        return 1.0 if self.metrics.step_time_s is None and None not in self.case.answers else None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take a folder of labelled logs, or none for invented ones."""
    parser.add_argument(
        "folder", nargs="?", type=Path, help="NAME.log files with labels.csv; without it, invented logs"
    )
    parser.add_argument("--count", type=int, default=400, help="how many logs to invent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=int, default=20000, help="lines of noise a log")
    parser.add_argument(
        "--engine",
        choices=("built-in", "model", "paper"),
        default="built-in",
        help="model and paper ask the model that the settings name",
    )
    parser.add_argument("--misses", action="store_true", help="list the logs that were read wrong")


def run(options: argparse.Namespace) -> Report:
    """Read every log clean, in noise, and without the known format that read it."""
    cases = labelled(options.folder) if options.folder else list(invented(options.seed, options.count))
    if not cases:
        raise InputError(f"{options.folder} has no labelled logs", "expected NAME.log files and labels.csv")
    noisy = [with_noise(case, options) for case in cases]
    if options.engine != "built-in":
        return run_asking(options, cases, noisy)
    clean = [read(case) for case in cases]
    runs = {
        "clean": clean,
        f"in {options.noise:,} lines of noise": [read(case) for case in noisy],
        "clean, its own format left out": [read(case, without(one)) for case, one in zip(cases, clean, strict=True)],
        "clean, no known format": [read(case, ()) for case in cases],
        "noise, no known format": [read(case, ()) for case in noisy],
    }
    tables = [figure_15(runs), by_field(runs), by_form(clean)]
    if options.misses:
        tables.append(misses({name: found for name, found in runs.items() if "format" not in name}))
    return Report(tables, notes(options, len(cases)), draw=drawing(runs))


def run_asking(options: argparse.Namespace, cases: list[Case], noisy: list[Case]) -> Report:
    """Read every log with an engine that asks a model, through files, as `schedmate track` does, and without one."""
    runs = {
        f"--engine {engine}, {name}": [ask(case, engine) for case in some]
        for engine in (options.engine, "built-in")
        for name, some in (("clean", cases), (f"in {options.noise:,} lines of noise", noisy))
    }
    tables = [figure_15(runs), by_field(runs)] + ([misses(runs)] if options.misses else [])
    return Report(tables, notes(options, len(cases)), draw=drawing(runs))


def ask(case: Case, engine: ReaderChoice) -> Outcome:
    """Read one log from a file; a model that fails leaves the log unread."""
    started_s = time.process_time()
    with NamedTemporaryFile(suffix=".log") as file:
        file.write(case.data)
        file.flush()
        try:
            metrics = run_track(file.name, engine)
        except ModelFailed as error:
            metrics = Metrics(notes=(error.message,))
    return Outcome(case, metrics, time.process_time() - started_s)


def figure_15(runs: dict[str, list[Outcome]]) -> Table:
    """Put the paper's rows above ours."""
    rows: list[list[Cell]] = [[name, None, rate, error, None, None] for name, rate, error in PAPER]
    rows += [[name, len(found), *summary(found)] for name, found in runs.items()]
    columns = ("reader", "logs", "success %", "RMSRE, capped", "wrong values", "median CPU ms")
    return Table("Step time (Figure 15)", columns, rows)


def notes(options: argparse.Namespace, count: int) -> list[str]:
    """Say what the figures rest on."""
    kind = f"{count} logs of {options.folder}" if options.folder else f"{count} invented logs, seed {options.seed}"
    return [
        f"engine {options.engine} on {kind}. Success: within the label's tolerance, or rightly unknown.",
        "RMSRE, capped: relative errors count at most 1, and no answer where there is one counts as 1.",
        "The paper's 1,000 logs are not public: its rows stand for orientation and not for a race.",
    ]


def labelled(folder: Path) -> list[Case]:
    """Read a folder of logs and its labels.csv."""
    table = folder / "labels.csv"
    if not table.is_file():
        raise InputError(f"{folder} has no labels.csv", "name a folder of NAME.log files with labels, or none")
    cases = []
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            path = folder / f"{row['name']}.log"
            if path.is_file():
                fields = {name: numbers(row[name]) for name in FIELDS if row.get(name)}
                tolerance = float(row["step_time_tol"] or TOLERANCE)
                answers = tuple(None if cell in {"", "null"} else float(cell) for cell in row["step_time_s"].split("|"))
                cases.append(Case(row["name"], row["framework"], path.read_bytes(), answers, tolerance, fields))
    return cases


def numbers(cell: str) -> tuple[float, ...]:
    """Read the acceptable answers of a cell."""
    return tuple(float(part) for part in cell.split("|") if part and part != "null")


def invented(seed: int, count: int) -> Iterable[Case]:
    """Turn invented logs into cases."""
    for one in invent(seed, count):
        truth = one.truth
        answers = (truth.step_time_s,) if truth.also_s is None else (truth.step_time_s, truth.also_s)
        fields: dict[str, tuple[float, ...]] = {
            name: (float(value),) for name in FIELDS if (value := getattr(truth, name)) is not None
        }
        yield Case(one.name, one.form, one.text.encode(), answers, TOLERANCE, fields)


def with_noise(case: Case, options: argparse.Namespace) -> Case:
    """Mix a case with the folder's own noise, or with invented noise where it has none."""
    source = options.folder / "noise.txt" if options.folder else None
    if source is not None and source.is_file():
        pool = [line for line in source.read_text("utf-8", "surrogateescape").split("\n") if line]
    else:
        pool = make_pool(options.seed)
    rng = random.Random(f"{options.seed}/{case.name}")
    text = mix(case.data.decode("utf-8", "surrogateescape"), pool, rng, options.noise)
    return Case(
        case.name, case.form, text.encode("utf-8", "surrogateescape"), case.answers, case.tolerance, case.fields
    )


def read(case: Case, formats: Sequence[Format] | None = None) -> Outcome:
    """Read one log as `schedmate track` does, without the cost of start-up."""
    started_s = time.process_time()
    tracker = Tracker(case.name, formats)
    tracker.feed(case.data, now_s=0.0)
    tracker.finish()
    return Outcome(case, tracker.metrics(), time.process_time() - started_s)


def without(outcome: Outcome) -> list[Format]:
    """Give the known formats less the one that read a log."""
    return [one for one in known_formats() if one.framework != outcome.metrics.framework]


def summary(outcomes: Sequence[Outcome]) -> list[Cell]:
    """Give success rate, capped error, values where none can be known, and the time it took."""
    errors = [one.capped for one in outcomes if one.capped is not None]
    rmsre = math.sqrt(sum(error * error for error in errors) / len(errors)) if errors else None
    wrong = sum(one.metrics.step_time_s is not None and not any(one.case.answers) for one in outcomes)
    return [percent(outcomes, lambda one: one.holds), rmsre, wrong, 1000 * median(one.cpu_s for one in outcomes)]


def percent(outcomes: Sequence[Any], holds: Callable[[Any], bool]) -> float | None:
    """Give the share that holds, in percent; None of nothing."""
    return 100.0 * sum(map(holds, outcomes)) / len(outcomes) if outcomes else None


def by_field(runs: dict[str, list[Outcome]]) -> Table:
    """Tell how often the other values are right."""
    rows: list[list[Cell]] = []
    for name, outcomes in runs.items():
        row: list[Cell] = [name]
        for field in FIELDS:
            scored = [one for one in outcomes if one.case.fields.get(field)]
            row.append(percent(scored, lambda one, field=field: right(one, field)))  # type: ignore[misc]
        rows.append(row)
    return Table("Other values, % right where labelled", ("reader", *FIELDS), rows)


def right(outcome: Outcome, field: str) -> bool:
    """Tell whether one value is among the right ones."""
    got = getattr(outcome.metrics, field)
    wanted = outcome.case.fields[field]
    return got is not None and any(abs(got - one) <= FIELDS[field] * abs(one) + 1e-9 for one in wanted)


def by_form(outcomes: Sequence[Outcome]) -> Table:
    """Tell which formats are read worst."""
    forms: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        forms[one.case.form].append(one)
    rows: list[list[Cell]] = [[form, len(ones), percent(ones, lambda one: one.holds)] for form, ones in forms.items()]
    rows.sort(key=lambda row: (row[2], str(row[0])))
    return Table("By format, clean", ("format", "logs", "success %"), rows)


def misses(runs: dict[str, list[Outcome]]) -> Table:
    """List what was read wrong."""
    rows: list[list[Cell]] = [
        [one.case.name, name, "|".join(str(answer) for answer in one.case.answers), one.metrics.step_time_s]
        for name, outcomes in runs.items()
        for one in outcomes
        if not one.holds
    ]
    return Table("Read wrong", ("log", "reader", "wanted", "got"), rows)


def drawing(runs: dict[str, list[Outcome]]) -> "Callable[[Figure], None]":
    """Draw success and error as Figure 15 does."""

    def draw(figure: "Figure") -> None:
        names = ["paper", *runs]
        rates = [PAPER[0][1], *(summary(found)[0] for found in runs.values())]
        errors = [PAPER[0][2], *(summary(found)[1] for found in runs.values())]
        for place, (title, values) in enumerate((("(a) success rate, %", rates), ("(b) RMSRE, capped", errors)), 1):
            axes = figure.add_subplot(1, 2, place)
            bars = axes.barh(range(len(names)), [float(value or 0) for value in values], color="#4878a8")
            bars[0].set_color("#b0b0b0")
            axes.bar_label(bars, fmt="%.3g", padding=2)
            axes.set_yticks(range(len(names)), names if place == 1 else [""] * len(names))
            axes.invert_yaxis()
            axes.set_title(title)

    return draw
