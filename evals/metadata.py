"""How well extract reads jobs from their source code: every field against labels, and how much it had to read."""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from evals.report import Cell, Report, Table
from evals.repositories import source_of
from schedmate.choices import ReaderChoice
from schedmate.errors import InputError
from schedmate.graphs.extract import run_extract
from schedmate.readers.code.reader import read_code
from schedmate.schemas import Extraction
from schedmate.tools.reading_trace import CHARACTERS_A_TOKEN
from schedmate.tools.repository import Repository

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DATA = Path(__file__).parent.parent.parent / "shared" / "repos"

MARKS = (("always empty", 0.17, None), ("most frequent value", 0.37, None), ("a crude static script", 0.58, 0.65))
"""Floors that the data's own description gives: macro accuracy, and over the core fields."""
LARGER = 200_000
"""Tokens from which on a repository counts as a larger one."""


@dataclass(frozen=True)
class Answer:
    """What was read of one job, at what cost."""

    job_id: str
    repo: str
    extraction: Extraction
    cpu_s: float
    whole_tokens: int
    endings: tuple[str, ...] = ()
    """Where the trails of labelled fields ended that stayed open."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the labels' folder, and repositories for machines without a network."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, metavar="DIR", help="holds jobs.csv and its scorer")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="the repositories, as folders or git directories")
    parser.add_argument("--engine", choices=("auto", "built-in", "model", "paper"), default="built-in")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the answers as JSON lines")


def run(options: argparse.Namespace) -> Report:
    """Read every job and score the answers with the scorer that lies beside the labels."""
    labels, scorer = options.data / "jobs.csv", options.data / "score_repos.py"
    for path in (labels, scorer):
        if not path.is_file():
            raise InputError(
                f"{path} is absent", "name the folder with the labelled jobs: python -m evals metadata DIR"
            )
    with labels.open(newline="") as file:
        rows = list(csv.DictReader(file))
    answers = [read_job(row, options, options.engine) for row in rows]
    scores = score(answers, labels, scorer, options.save)
    read = {options.engine: scores}
    if options.engine in ("model", "paper"):
        read["built-in"] = score([read_job(row, options, "built-in") for row in rows], labels, scorer, None)
    tables = [overall(read), fields(scores), reading(scores, answers), endings(answers), traps(scores)]
    return Report(tables, notes=notes(options), data={"scores": scores}, draw=partial(draw, scores))


def read_job(row: dict[str, str], options: argparse.Namespace, engine: ReaderChoice) -> Answer:
    """Extract one job; each starts with nothing read."""
    root = source_of(row["repo"], row["commit"], options.repos)
    started = time.process_time()
    extraction = run_extract(root, row["command"], row["workdir"] or ".", engine)
    cpu_s = time.process_time() - started
    ends = read_code(Repository(root), row["command"], row["workdir"] or ".").ends
    missed = tuple(end.ending.value for name, end in ends.items() if row.get(name) not in (None, "", "n/a"))
    return Answer(row["job_id"], row["repo"], extraction, cpu_s, size_of(root), missed)


SIZES: dict[Path, int] = {}


def size_of(root: Path) -> int:
    """Count the tokens of all that could be read of a repository."""
    if root not in SIZES:
        repository = Repository(root)
        SIZES[root] = sum((root / path).stat().st_size for path in repository.walk()) // CHARACTERS_A_TOKEN
    return SIZES[root]


def score(answers: list[Answer], labels: Path, scorer: Path, save: Path | None) -> dict[str, Any]:
    """Run the scorer as it is run by hand."""
    with tempfile.TemporaryDirectory() as folder:
        path = save or Path(folder) / "predictions.jsonl"
        lines = []
        for answer in answers:
            record = answer.extraction.as_record()
            lines.append(json.dumps({"job_id": answer.job_id, **record, "tokens": record["tokens_read"]}))
        path.write_text("\n".join(lines) + "\n", "utf-8")
        command = [
            sys.executable,
            str(scorer),
            "--labels",
            str(labels),
            "--predictions",
            str(path),
            "--json",
            "--by",
            "traps",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(
            f"the scorer failed: {done.stderr.strip()[-300:]}", f"try it by hand: {' '.join(command[:2])} --selftest"
        )
    scores: dict[str, Any] = json.loads(done.stdout)
    return scores


def overall(read: dict[str, dict[str, Any]]) -> Table:
    """Put the sums beside the floors, and where a model was asked the built-in's beside them."""
    rows: list[list[Cell]] = [[name, macro, core, None, None, None] for name, macro, core in MARKS]
    rows += [
        [f"schedmate extract, {engine}", scores["macro_accuracy"], scores["macro_accuracy_core"],
         scores["macro_accuracy_strict"], scores["hallucination_rate"], scores.get("is_training_accuracy")]
        for engine, scores in read.items()
    ]  # fmt: skip
    return Table("all fields", ("", "macro", "core", "strict", "hallucinated", "trains"), rows)


def fields(scores: dict[str, Any]) -> Table:
    """Give each field its row."""
    columns = ("field", "labelled", "precision", "recall", "strict recall", "n/a", "hallucinated", "accuracy")
    keys = ("labelled", "precision", "recall", "strict_recall", "na", "hallucinated", "accuracy")
    return Table("by field", columns, [[name, *(row[key] for key in keys)] for name, row in scores["fields"].items()])


def reading(scores: dict[str, Any], answers: list[Answer]) -> Table:
    """Say how much was read, and how long it took."""
    larger = [answer for answer in answers if answer.whole_tokens >= LARGER]
    shares = [answer.extraction.tokens_read / answer.whole_tokens for answer in larger]
    rows: list[list[Cell]] = [
        ["must-read recall", scores["files"]["must_read_recall"]],
        ["reading precision", scores["files"]["read_precision"]],
        ["files read, mean", scores["files"]["mean_read"]],
        ["tokens read, median", median(answer.extraction.tokens_read for answer in answers)],
        [f"share of the tokens of repositories over {LARGER:,}, median", median(shares) if shares else None],
        ["CPU seconds a job, median", median(answer.cpu_s for answer in answers)],
        ["CPU seconds a job, most", max(answer.cpu_s for answer in answers)],
    ]
    return Table("reading", ("", "value"), rows)


def endings(answers: list[Answer]) -> Table:
    """Count where the trails ended of fields that are labelled and stayed open."""
    counts = Counter(ending for answer in answers for ending in answer.endings)
    rows: list[list[Cell]] = [[ending, count] for ending, count in counts.most_common()]
    return Table("open though labelled: where the trail ended", ("ending", "fields"), rows)


def traps(scores: dict[str, Any]) -> Table:
    """Give the accuracy by what makes a job hard."""
    rows = [[name, row["jobs"], row["macro_accuracy"]] for name, row in scores.get("by", {}).items()]
    return Table("by what makes a job hard", ("trap", "jobs", "macro"), rows)


def notes(options: argparse.Namespace) -> list[str]:
    """Say what the figures are of."""
    return [
        f"engine {options.engine}; labels and scorer of {options.data.name}; strict counts only the preferred label"
    ]


def draw(scores: dict[str, Any], figure: "Figure") -> None:
    """Draw accuracy by field, lenient and strict."""
    names = list(scores["fields"])
    axes = figure.add_subplot()
    places = range(len(names))
    axes.barh(places, [scores["fields"][name]["accuracy"] for name in names], color="#4c78a8")
    axes.axvline(scores["macro_accuracy"], color="#333333", linestyle="dashed", label="macro")
    for name, macro, _ in MARKS:
        axes.axvline(macro, color="#bbbbbb", linestyle="dotted", label=name)
    axes.set_yticks(list(places), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("accuracy")
    axes.legend(fontsize="small")
    figure.tight_layout()
