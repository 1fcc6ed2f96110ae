"""How good the built-in embedder is, beside plain hashing, TF-IDF and any model that is named; --rebuild trains it.

Everything it is scored on comes from frameworks, systems, models and wordings that are kept out of its training; the
hand-written lines are in no generator's words. The paper gives no figure for its embedding model alone.
"""

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import astuple, fields
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from evals.report import Cell, Report, Table
from schedmate.models.embedders.built_in import WEIGHTS, open_built_in
from schedmate.models.embedders.embedder import Embedder
from schedmate.models.embeddings import open_embedder
from schedmate.settings import Settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evals.embedding.scoring import Marks


def add_arguments(parser: ArgumentParser) -> None:
    """Take the models to compare with, and whether to train."""
    also = "score this too: a directory, a hub id or a URL, as for SCHEDMATE_EMBEDDER"
    parser.add_argument("--also", action="append", default=[], metavar="EMBEDDER", help=also)
    anew = "train the table anew into FILE, and compare it with the shipped one"
    parser.add_argument("--rebuild", type=Path, metavar="FILE", help=anew)
    parser.add_argument("--steps", type=int, help="train for so many steps, not for as many as the shipped table was")


def rebuild(output: Path, steps: int | None) -> str:
    """Train from the seed, write the table, and tell whether it is the shipped one, bit for bit."""
    from dataclasses import replace

    from rich.console import Console
    from rich.progress import track
    from threadpoolctl import threadpool_limits

    from evals.embedding.corpus import target_texts, telling_numbers, training_texts
    from evals.embedding.training import Plan, Training
    from evals.embedding.weights import write_weights

    shipped = files("schedmate.models.embedders").joinpath(WEIGHTS).read_bytes()
    plan = Plan() if steps is None else replace(Plan(), steps=steps)
    training = Training(training_texts(plan.seed), target_texts(), plan, telling_numbers())
    with threadpool_limits(1):  # The order of additions, and so the last bits, would hang on the number of threads.
        for _ in track(training, "training", total=plan.steps, console=Console(stderr=True)):
            pass
    write_weights(output, training.words, training.pairs, training.table)
    same = output.read_bytes() == shipped
    return f"rebuilt {output}: {'the same as' if same else 'NOT the same as'} the shipped table, bit for bit"


def row_of(embedder: Embedder, marks: "Marks") -> list[Cell]:
    """Write an embedder's marks as a row."""
    return [embedder.name, embedder.dimensions, *astuple(marks)]


def run(options: Namespace) -> Report:
    """Score the built-in embedder and those it is compared with."""
    from evals.embedding.baselines import baselines
    from evals.embedding.scoring import Marks, confusion, hand_written_lines, held_out_lines, score
    from evals.embedding.training import Plan
    from schedmate.readers.line_classes import CLASSES, LineClassifier

    notes = [rebuild(options.rebuild, options.steps)] if options.rebuild else []
    embedders: list[Embedder] = [open_built_in(), *baselines(Plan().seed)]
    embedders += [open_embedder(Settings(embedder=name)) for name in options.also]
    columns = ["embedder", "dimensions", *(field.name for field in fields(Marks))]
    marks = [score(embedder) for embedder in embedders]
    tables = [Table("embedders", columns, [row_of(*pair) for pair in zip(embedders, marks, strict=True)])]
    classifier = LineClassifier(open_built_in())
    for title, (lines, labels) in (("held-out", held_out_lines()), ("hand-written", hand_written_lines())):
        found = [verdict.label for verdict in classifier.classify(lines)]
        rows = [[label, *counts] for label, counts in zip(CLASSES, confusion(labels, found), strict=True)]
        tables.append(Table(f"built-in, {title} lines: true class by given class", ["class", *CLASSES], rows))
    print("scored", *(embedder.name for embedder in embedders), file=sys.stderr)

    def draw(figure: "Figure") -> None:
        """Draw a group of bars a task."""
        axes = figure.add_subplot()
        shares = [field.name for field in fields(Marks)][:-1]
        width = 0.8 / len(embedders)
        for place, (embedder, mark) in enumerate(zip(embedders, marks, strict=True)):
            axes.bar([x + place * width for x in range(len(shares))], astuple(mark)[:-1], width, label=embedder.name)
        axes.set_xticks([x + 0.4 - width / 2 for x in range(len(shares))], [name.replace("_", "\n") for name in shares])
        axes.set_ylim(0, 1)
        axes.legend()

    return Report(tables, notes, draw=draw)
