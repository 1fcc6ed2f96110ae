"""How well and how fast diagnose finds, locates and classes first causes, beside the paper's Table 4."""

import argparse
import csv
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from evals.planted.write import write_cases
from evals.report import Cell, Report, Table
from evals.statistics import f1_of, wilson
from schedmate.errors import InputError
from schedmate.graphs.diagnose import run_diagnose
from schedmate.models.embedders.embedder import Embedder, Vectors
from schedmate.models.embeddings import open_embedder
from schedmate.readers.failures.answer.classify import classify
from schedmate.readers.failures.causes.paper_locator import CHUNK_LINES
from schedmate.readers.failures.causes.paper_verdict import locate_as_paper
from schedmate.readers.failures.reading import read_log
from schedmate.readers.lines import visible
from schedmate.readers.templates import mask_line
from schedmate.schemas import Diagnosis
from schedmate.settings import get_settings
from schedmate.tools.logfile import open_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TAIL_LINES = 100
SLACK_LINES = 3
CATEGORIES = ("infrastructure", "framework", "script", "other", "none")

PAPER = (
    ("paper: Failure Parser, Qwen-2.5 7B", 67.7, 75.7, 90.1),
    ("paper: Failure Parser, Qwen-2.5 14B", 65.1, 77.1, 90.0),
    ("paper: Failure Parser, Qwen-2.5 32B", 68.2, 78.4, 90.7),
    ("paper: w/o locator, 7B", 11.1, 75.0, 83.8),
    ("paper: w/o locator, 14B", 62.5, 47.9, 81.8),
    ("paper: w/o locator, 32B", 69.0, 81.1, 90.9),
    ("paper: RCACopilot, fastText", 43.0, 50.0, 87.0),
)
"""Table 4: F1, precision (infrastructure against the rest) and accuracy, on 300 jobs of a private trace."""


@dataclass(frozen=True)
class Case:
    """One log and what is true of it; where a class is doubtful, `a|b` accepts either."""

    name: str
    path: Path
    category: str
    subcategory: str
    root_line: int
    root_span: int

    def truth(self, said: str) -> str:
        """Give the class by which an answer is judged: its own where the label names it, else the first named."""
        named = self.category.split("|")
        return said if said in named else named[0]

    def is_right(self, category: str, subcategory: str) -> bool:
        """Tell whether the class is right, and of infrastructure the sub-class too."""
        if self.truth(category) != category:
            return False
        named = self.subcategory.split("|")
        return category != "infrastructure" or named == [""] or subcategory in named


@dataclass(frozen=True)
class Answer:
    """What one method said of one case, and what that took."""

    category: str
    subcategory: str
    root_line: int
    elapsed_s: float
    chunks_read: int = 0
    chunks: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Name the logs to score, or the seed and number of those to make."""
    parser.add_argument("directory", nargs="?", type=Path, help="NAME.log files and labels.csv; else logs are made")
    parser.add_argument("--logs", type=int, default=300, help="how many logs to make (default: 300, as in the paper)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the logs made")
    parser.add_argument("--keep", type=Path, help="keep the logs made in this directory")
    parser.add_argument("--cases", action="store_true", help="also list each case that was answered wrongly")


def read_cases(directory: Path) -> list[Case]:
    """Read labels.csv and find each log beside it."""
    labels = directory / "labels.csv"
    if not labels.is_file():
        raise InputError(f"{labels} is not there", "columns: name, category, subcategory, root_line, root_span")
    with labels.open(newline="", encoding="utf-8") as handle:
        return [
            Case(
                row["name"],
                directory / f"{row['name']}.log",
                row["category"],
                row["subcategory"],
                int(row["root_line"] or 0),
                int(row["root_span"] or 0),
            )
            for row in csv.DictReader(handle)
        ]


def ask_hybrid(case: Case) -> Answer:
    """Ask the built-in reader."""
    started = time.perf_counter()
    found: Diagnosis = run_diagnose(str(case.path), engine="built-in")
    return Answer(found.category, found.subcategory or "", found.root_line or 0, time.perf_counter() - started)


def ask_paper(case: Case, embedder: Embedder) -> Answer:
    """Ask with the paper's locator; the class is the built-in's, from the lines around the chunk."""
    started = time.perf_counter()
    with open_log(case.path) as log:
        reading = read_log(log)
        verdict = locate_as_paper([reading], embedder)
        found = classify(verdict, [reading])
        elapsed_s = time.perf_counter() - started
        chunks = -(-log.line_count // CHUNK_LINES)
    return Answer(found.category, found.subcategory or "", found.root_line or 0, elapsed_s, verdict.chunks_read, chunks)


def ask_model(case: Case) -> Answer:
    """Ask as the paper's Failure Handler does: its locator, and the model's word alone."""
    started = time.perf_counter()
    found = run_diagnose(str(case.path), locator="paper", engine="model")
    return Answer(found.category, found.subcategory or "", found.root_line or 0, time.perf_counter() - started)


def ask_nearest(cases: Sequence[Case], embedder: Embedder) -> list[Answer]:
    """Ask as RCACopilot does: the end of the log as one vector, and the class of the nearest of all other logs."""
    started = time.perf_counter()
    vectors = np.stack([tail_vector(case.path, embedder) for case in cases])
    similar = vectors @ vectors.T
    np.fill_diagonal(similar, -1.0)
    each_s = (time.perf_counter() - started) / len(cases)
    nearest = [cases[place] for place in similar.argmax(axis=1)]
    return [Answer(other.truth(""), other.subcategory.split("|")[0], 0, each_s) for other in nearest]


def tail_vector(path: Path, embedder: Embedder) -> Vectors:
    """Average the vectors of a log's last lines."""
    with open_log(path) as log:
        lines = [mask_line(visible(line.raw)) for line in islice(log.lines_backward(), TAIL_LINES)]
    mean: Vectors = embedder.embed(lines).mean(axis=0)
    return np.asarray(mean / (np.linalg.norm(mean) or 1.0), np.float32)


def located(case: Case, answer: Answer) -> bool:
    """Tell whether the root line named is the root's, or within three lines of it; 0, for none, is near no line."""
    first = max(1, case.root_line - SLACK_LINES)
    return first <= answer.root_line <= case.root_line + case.root_span + SLACK_LINES


def score_row(name: str, cases: Sequence[Case], answers: Sequence[Answer]) -> list[Cell]:
    """Give a row of the table: infrastructure against the rest, five-way accuracy, sub-class, locator, time."""
    pairs = list(zip(cases, answers, strict=True))
    truths = [case.truth(answer.category) for case, answer in pairs]
    hits = sum(truth == answer.category for truth, answer in zip(truths, answers, strict=True))
    both = sum(truth == answer.category == "infrastructure" for truth, answer in zip(truths, answers, strict=True))
    said = sum(answer.category == "infrastructure" for answer in answers)
    true = truths.count("infrastructure")
    sub = sum(
        answer.category == "infrastructure" and case.is_right(answer.category, answer.subcategory)
        for case, answer in pairs
    )
    rooted = [pair for pair in pairs if pair[0].root_line]
    found = sum(located(*pair) for pair in rooted)
    return [
        name,
        100 * f1_of(both, said, true),
        100 * both / said if said else None,
        100 * both / true if true else None,
        wilson(hits, len(pairs)),
        f"{sub}/{true}",
        wilson(found, len(rooted)),
        1000 * median(answer.elapsed_s for answer in answers),
    ]


def run(options: argparse.Namespace) -> Report:
    """Score every method on the same logs."""
    if options.directory:
        return score(read_cases(options.directory), options.cases)
    with TemporaryDirectory() as scratch:
        directory = options.keep or Path(scratch)
        write_cases(directory, options.logs, options.seed)
        return score(read_cases(directory), options.cases)


def score(cases: Sequence[Case], list_wrong: bool) -> Report:
    """Ask each method about each case."""
    embedder = open_embedder(get_settings())
    hybrid = [ask_hybrid(case) for case in cases]
    paper = [ask_paper(case, embedder) for case in cases]
    nearest = ask_nearest(cases, embedder)
    columns = ["method", "F1 %", "precision %", "recall %", "accuracy", "sub-class", "locator hits", "median ms"]
    rows: list[Sequence[Cell]] = [
        [name, f1, precision, None, f"{accuracy} %", None, None, None] for name, f1, precision, accuracy in PAPER
    ]
    rows.append(score_row("schedmate built-in, hybrid locator", cases, hybrid))
    rows.append(score_row("schedmate built-in, paper locator", cases, paper))
    rows.append(score_row("RCACopilot-style, leave one out", cases, nearest))
    if get_settings().llm_url or get_settings().llm:
        alone = [ask_model(case) for case in cases]
        rows.append(score_row("schedmate, paper locator and a model alone", cases, alone))
    tables = [Table("Identifying infrastructure failures", columns, rows), confusion(cases, hybrid)]
    if list_wrong:
        tables.append(wrong_cases(cases, hybrid))
    calls, chunks = sum(one.chunks_read for one in paper), sum(one.chunks for one in paper)
    notes = [
        f"paper locator: {calls:,} of {chunks:,} chunks classified ({calls / len(cases):.1f} a log)",
        "A locator hit is a root line within 3 lines of the label; accuracy is over our five classes.",
    ]
    return Report(tables, notes, draw=partial(draw, rows))


def draw(rows: Sequence[Sequence[Cell]], figure: "Figure") -> None:
    """Draw F1 and precision of each method as bars."""
    axes = figure.subplots()
    names = [str(row[0]) for row in rows]
    places = np.arange(len(rows))
    for shift, column, label in ((-0.2, 1, "F1"), (0.2, 2, "precision")):
        values = [float(row[column] or 0.0) for row in rows]
        axes.barh(places + shift, values, 0.38, label=label)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("%, infrastructure against the rest")
    axes.legend(loc="lower right")


def confusion(cases: Sequence[Case], answers: Sequence[Answer]) -> Table:
    """Count what was said of each class."""
    pairs = zip(cases, answers, strict=True)
    counts = Counter((case.truth(answer.category), answer.category) for case, answer in pairs)
    rows: list[Sequence[Cell]] = [[true, *(counts[true, said] for said in CATEGORIES)] for true in CATEGORIES]
    return Table("Confusion: rows true, columns said", ["", *CATEGORIES], rows)


def wrong_cases(cases: Sequence[Case], answers: Sequence[Answer]) -> Table:
    """List what went wrong."""
    rows: list[Sequence[Cell]] = [
        [
            case.name,
            f"{case.category}/{case.subcategory}",
            f"{answer.category}/{answer.subcategory}",
            case.root_line,
            answer.root_line,
        ]
        for case, answer in zip(cases, answers, strict=True)
        if not case.is_right(answer.category, answer.subcategory) or (case.root_line and not located(case, answer))
    ]
    return Table("Wrong", ["case", "true", "said", "true line", "said line"], rows)
