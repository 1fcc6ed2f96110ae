"""Does similarity find jobs of the same kind: labelled clusters, from labels and from what extract reads."""

import argparse
import csv
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals.report import Cell, Report, Table
from evals.repositories import source_of
from evals.similarity.calibration import fit_calibration
from evals.similarity.families import family_jobs
from evals.similarity.made_jobs import make_workloads
from evals.similarity.ranking import Matrix, Separation, rank, separate
from schedmate.errors import InputError
from schedmate.graphs.extract import run_extract
from schedmate.history.similarity import comparing
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.workload_vectors import canonical_text, workload_vector
from schedmate.models.embeddings import open_embedder
from schedmate.schemas import Workload
from schedmate.settings import Settings, get_settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DATA = Path(__file__).parent.parent.parent / "shared" / "repos"
GOAL = 0.85
THRESHOLD = 0.90
CANDIDATES = 64
WAYS = ("text embedding", "index vector", "field by field")
INTEGERS = ("num_gpus", "num_nodes", "batch_size", "global_batch_size", "total_steps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the labels' folder, and repositories for machines without a network."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, metavar="DIR", help="holds jobs.csv")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="the repositories, as folders or git directories")
    parser.add_argument("--engine", choices=("auto", "built-in", "model"), default="built-in")
    parser.add_argument("--embedder", default="", help="another embedder than the settings name")


def run(options: argparse.Namespace) -> Report:
    """Rank by three similarities on labels, on what extract read, and on made jobs; then look at the threshold."""
    path = options.data / "jobs.csv"
    if not path.is_file():
        raise InputError(f"{path} is absent", "name the folder with the labelled jobs: python -m evals retrieval DIR")
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    settings = Settings(embedder=options.embedder) if options.embedder else get_settings()
    names = NameCloseness(open_embedder(settings))
    clusters = [row["cluster"] for row in rows]
    ids = [row["job_id"] for row in rows]
    sets: dict[str, tuple[list[Workload], list[str], list[str]]] = {
        "labels": ([labelled(row) for row in rows], clusters, ids),
        "extract": ([read(row, options) for row in rows], clusters, ids),
    }
    sets["families, by hand"] = family_jobs()
    made, kinds = make_workloads(60, 5, seed=3, held_out=True)
    sets["made, unseen kinds"] = (made, kinds, [str(place) for place in range(len(made))])
    ranked: list[list[Cell]] = []
    parted: dict[tuple[str, str], Separation] = {}
    misses: list[str] = []
    for title, (workloads, groups, labels) in sets.items():
        for way, matrix in matrices(workloads, names).items():
            found = rank(matrix, groups, labels)
            parted[title, way] = separate(matrix, groups)
            ranked.append(
                [title, way, found.queries, found.precision_at_1, found.mrr, found.map, parted[title, way].auc()]
            )
            if way == WAYS[2] and title != "made, unseen kinds":
                misses += [f"{title}: {miss}" for miss in found.misses]
    tables = [
        Table("ranking", ("jobs", "similarity", "queries", "P@1", "MRR", "MAP", "AUC of pairs"), ranked),
        threshold_table(parted),
        index_table(names),
    ]
    return Report(tables, notes(names, misses), draw=partial(draw, parted))


def labelled(row: dict[str, str]) -> Workload:
    """Turn a row of labels into a workload: the preferred value of each field, nothing where it is not applicable."""
    values: dict[str, object] = {"is_training": row["is_training"] == "yes"}
    for name in Workload.model_fields:
        cell = row.get(name, "").split("|")[0].strip()
        if name != "is_training" and cell and cell.lower() != "n/a":
            values[name] = int(float(cell)) if name in INTEGERS else cell
    return Workload.model_validate(values)


def read(row: dict[str, str], options: argparse.Namespace) -> Workload:
    """Read one job from its source."""
    root = source_of(row["repo"], row["commit"], options.repos)
    return run_extract(root, row["command"], row["workdir"] or ".", options.engine).workload


def matrices(workloads: Sequence[Workload], names: NameCloseness) -> dict[str, Matrix]:
    """Compare all with all in three ways."""
    texts = names.embedder.embed([canonical_text(workload) for workload in workloads])
    vectors = np.stack([workload_vector(workload, names) for workload in workloads])
    names.prepare(comparing.texts_of(workloads))
    fields = np.eye(len(workloads))
    for one in range(len(workloads)):
        for two in range(one + 1, len(workloads)):
            likeness = comparing.compare(workloads[one], workloads[two], names)
            fields[one, two] = fields[two, one] = likeness.similarity
    return dict(zip(WAYS, ((texts @ texts.T).astype(float), (vectors @ vectors.T).astype(float), fields), strict=True))


def threshold_table(parted: dict[tuple[str, str], Separation]) -> Table:
    """Say what passes the threshold, and what would have to be the threshold to lose as many as pass wrongly."""
    rows: list[list[Cell]] = []
    for (title, way), pairs in parted.items():
        same, different = pairs.passing(THRESHOLD)
        cells = [float(np.median(pairs.same)), float(np.quantile(pairs.different, 0.95)), same, different]
        rows.append([title, way, len(pairs.same), len(pairs.different), *cells])
    columns = (
        "jobs",
        "similarity",
        "pairs alike",
        "unlike",
        "median alike",
        "p95 unlike",
        "alike >= 0.90",
        "unlike >= 0.90",
    )
    return Table("what the threshold 0.90 means", columns, rows)


def index_table(names: NameCloseness) -> Table:
    """Say how often the index's candidates hold the three that a comparison of all would find."""
    workloads, _ = make_workloads(400, 10, seed=5, held_out=False)
    names.prepare(comparing.texts_of(workloads))
    vectors = np.stack([workload_vector(workload, names) for workload in workloads])
    rows: list[list[Cell]] = []
    for candidates in (3, 8, 32, CANDIDATES):
        found = 0
        for place in range(0, len(workloads), 80):
            raw = np.array([comparing.compare(workloads[place], other, names).raw for other in workloads])
            raw[place] = -1
            cosines = vectors @ vectors[place]
            cosines[place] = -1
            third = np.sort(raw)[-3]
            nearest = np.argsort(-cosines)[:candidates]
            found += min(3, int((raw[nearest] >= third).sum()))
        rows.append([candidates, found / 3 / len(range(0, len(workloads), 80))])
    return Table(
        f"candidates of the index among {len(workloads):,} jobs", ("candidates", "of the best 3 by fields"), rows
    )


def notes(names: NameCloseness, misses: Sequence[str]) -> list[str]:
    """Say what the figures are of, and what a fresh fit of the calibration gives."""
    slope, even = fit_calibration(names)
    told = [
        f"embedder {names.embedder.name}; goal P@1 >= {GOAL} from labels and from extract",
        f"calibration in use: slope {comparing.SLOPE:g}, even at {comparing.EVEN:g}; "
        f"fitted anew on made jobs of seen kinds: slope {slope:.1f}, even at {even:.3f}",
    ]
    return told + [f"missed, {miss}" for miss in misses]


def draw(parted: dict[tuple[str, str], Separation], figure: "Figure") -> None:
    """Draw the pairs' similarities, text embedding above and field by field below."""
    grid = figure.subplots(2, 2, sharex=True)
    bins = np.linspace(-0.2, 1, 49)
    for row, way in enumerate((WAYS[0], WAYS[2])):
        for column, title in enumerate(("extract", "made, unseen kinds")):
            axes, pairs = grid[row][column], parted[title, way]
            for values, label, colour in (
                (pairs.different, "two kinds", "#bbbbbb"),
                (pairs.same, "one kind", "#4c78a8"),
            ):
                axes.hist(
                    values, bins, weights=np.full(len(values), 1 / len(values)), label=label, color=colour, alpha=0.8
                )
            axes.axvline(THRESHOLD, color="#e45756", linestyle="dashed", label="threshold 0.90")
            axes.set_title(f"{title}: {way}", fontsize="small")
            axes.set_ylabel("share of pairs")
    grid[0][0].legend(fontsize="small")
    for axes in grid[1]:
        axes.set_xlabel("similarity")
