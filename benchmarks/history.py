"""The store of past jobs with a million jobs in it: import, a resubmission found, the three most similar, the index.

Times are CPU time of the one thread that works, so that a loaded machine tells the same. `JOBS=100000` measures with
fewer; `CHROMA=1` puts the same vectors into Chroma too, which takes a minute for each hundred thousand.
"""

import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from sqlite3 import Connection
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import Figure
from evals.embedding.jobs import read_kinds
from evals.similarity.made_jobs import make_workload
from schedmate.history.admission import find_resubmissions
from schedmate.history.cells import Floats, make_cells
from schedmate.history.chroma_vectors import open_chroma
from schedmate.history.commands import normalise_command
from schedmate.history.database import open_database
from schedmate.history.importers.importing import import_file
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import WorkloadVectors
from schedmate.history.vector_files import VectorFiles
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Job, Workload

JOBS = int(os.environ.get("JOBS", "1000000"))
RECALL_JOBS = min(JOBS, 100_000)
QUESTIONS = 300
HEADER = "JobID|User|Partition|JobName|Submit|Start|End|Elapsed|State|AllocTRES|WorkDir|SubmitLine\n"


@dataclass
class Timed:
    """Thread CPU times of many calls, in milliseconds."""

    p50: float
    p99: float


def timed(work: Callable[[int], object], count: int) -> Timed:
    """Call many times, after a round that brings what is asked for from the disk."""
    for number in range(count):
        work(number)
    took = []
    for number in range(count):
        started = time.thread_time()
        work(number)
        took.append((time.thread_time() - started) * 1000)
    return Timed(float(np.percentile(took, 50)), float(np.percentile(took, 99)))


def command(draw: Random) -> str:
    """Write a command of one of some ten thousand kinds, with the marks of one run."""
    return (
        f"python train.py --lr {draw.randrange(1, 50)}e-5 --batch-size {2 ** draw.randrange(3, 9)} --epochs"
        f" {draw.randrange(1, 30)} --seed {draw.randrange(10**6)} --output_dir runs/2026-05-01/{draw.randrange(10**6)}"
    )


def write_accounting(path: Path, jobs: int) -> None:
    """Write a million jobs as Slurm's accounting tells them."""
    draw = Random(11)
    states = ["COMPLETED"] * 6 + ["FAILED", "CANCELLED by 1000", "TIMEOUT", "OUT_OF_MEMORY"]
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for number in range(jobs):
            day, hour = divmod(number * 7 // 60 // 24, 24)
            stamp = f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:"
            user = f"user{draw.randrange(800)}"
            file.write(
                f"{number}|{user}|gpu|train|{stamp}00:00|{stamp}10:00|{stamp}59:00|00:49:00|{draw.choice(states)}|"
                f"billing=8,cpu=64,gres/gpu:a100={2 ** draw.randrange(4)}|/home/{user}/code|{command(draw)}\n"
            )


def import_and_lookup(folder: Path) -> Iterator[Figure]:
    """Import the accounting, then look resubmissions up in it."""
    path = folder / "accounting"
    write_accounting(path, JOBS)
    started, wall = time.process_time(), time.monotonic()
    done = import_file(folder, str(path))
    took_s = time.process_time() - started
    assert done.new == JOBS, done
    yield Figure(f"import of {JOBS:,} rows of sacct", took_s, "CPU s")
    yield Figure("  by the clock of this machine", time.monotonic() - wall, "s")
    yield Figure("  rows", JOBS / took_s, "rows/CPU s")
    yield Figure("  most memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB")
    draw = Random(12)
    with closing(open_database(folder)) as connection:
        rows = connection.execute(
            "SELECT user, workdir, command, gpus FROM jobs WHERE id % 997 = 5 LIMIT 1000"
        ).fetchall()
        jobs = [
            Job(
                job_id="new",
                user=row["user"],
                workdir=Path(row["workdir"]),
                command=row["command"].partition(" --seed")[0]
                + f" --seed {draw.random()} --output_dir runs/{draw.random()}",
                gpus=row["gpus"],
            )
            for row in rows
        ]
        found = sum(bool(find_resubmissions(connection, job)) for job in jobs)
        lookup = timed(lambda number: look_up(connection, jobs[number]), len(jobs))
    yield Figure("resubmissions found", found / len(jobs), "share", 0.999)
    yield Figure("resubmission looked up, p50", lookup.p50, "CPU ms", 5, less_is_better=True)
    yield Figure("resubmission looked up, p99", lookup.p99, "CPU ms", 5, less_is_better=True)


def look_up(connection: Connection, job: Job) -> None:
    """Look up a command never seen in these words."""
    normalise_command.cache_clear()
    find_resubmissions(connection, job)


def made_workloads(count: int, seed: int) -> list[Workload]:
    """Make workloads of many kinds and sizes, nearly all of them different."""
    draw = Random(seed)
    kinds = [*read_kinds(False), *read_kinds(True)]
    made = []
    for _ in range(count):
        more = {
            "total_steps": int(2 ** (draw.random() * 14 + 6)),
            "num_gpus": 2 ** draw.randrange(8),
            "param_size": f"{2 ** (draw.random() * 10):.1f}M",
        }
        made.append(make_workload(draw.choice(kinds), draw).model_copy(update=more))
    return made


def many_vectors(vectoriser: WorkloadVectors, count: int, seed: int) -> Floats:
    """Make the vectors of many workloads, piece by piece."""
    vectors = np.empty((count, vectoriser.dimensions), np.float32)
    for start in range(0, count, 20_000):
        piece = made_workloads(min(20_000, count - start), seed + start)
        vectors[start : start + len(piece)] = vectoriser.vectors(piece)
    return vectors


def scattered(count: int, dimensions: int, seed: int) -> Floats:
    """Make vectors that barely gather, which an index finds hardest: a thousand kinds, as much noise as kind."""
    kinds = np.random.default_rng(99).standard_normal((1_000, dimensions)).astype(np.float32)
    draw = np.random.default_rng(seed)
    vectors = kinds[draw.integers(0, 1_000, count)] + draw.standard_normal((count, dimensions)).astype(np.float32)
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def recall(vectors: Floats, questions: Floats, nearest: Callable[[Floats], list[tuple[int, float]]]) -> float:
    """Give the share of the three nearest that are found; what is as near as the third counts too."""
    hits = 0
    for question in questions:
        third = np.partition(vectors @ question, -3)[-3]
        hits += sum(cosine >= third - 1e-6 for _, cosine in nearest(question))
    return hits / (3 * len(questions))


def similarity(folder: Path) -> Iterator[Figure]:
    """Index a million workloads, ask for the three most similar, and compare with exact search."""
    vectoriser = WorkloadVectors(NameCloseness(open_built_in()))
    started = time.process_time()
    vectors = many_vectors(vectoriser, JOBS, 1)
    yield Figure("workloads made and turned into vectors", JOBS / (time.process_time() - started), "workloads/CPU s")
    questions = many_vectors(vectoriser, QUESTIONS, 10**9)
    index = VectorFiles(folder / "index", vectoriser.dimensions)
    started = time.process_time()
    with index.alone():
        index.add(np.arange(JOBS), vectors)
        index.settle()
    yield Figure(f"{JOBS:,} vectors indexed", time.process_time() - started, "CPU s")
    size = sum(path.stat().st_size for path in (folder / "index").rglob("*") if path.is_file())
    yield Figure("  on disk", size / 1e6, "MB")
    opened = VectorFiles(folder / "index", vectoriser.dimensions)
    started = time.thread_time()
    opened.nearest(questions[0], 3)
    yield Figure("top-3, the first question after opening", (time.thread_time() - started) * 1000, "CPU ms")
    top = timed(lambda number: opened.nearest(questions[number], 3), QUESTIONS)
    yield Figure(f"top-3 among {JOBS:,}, p50", top.p50, "CPU ms", 10, less_is_better=True)
    yield Figure(f"top-3 among {JOBS:,}, p99", top.p99, "CPU ms", 10, less_is_better=True)
    yield Figure(
        f"recall@3 among {JOBS:,}", recall(vectors, questions[:100], lambda v: opened.nearest(v, 3)), "share", 0.99
    )
    fewer = vectors[:RECALL_JOBS]
    cells = make_cells(np.arange(RECALL_JOBS), fewer)
    yield Figure(
        f"recall@3 among {RECALL_JOBS:,}", recall(fewer, questions, lambda v: cells.nearest(v, 3)), "share", 0.99
    )
    if os.environ.get("CHROMA"):
        yield from chroma_beside(folder, fewer, questions)
    hard, asked = scattered(RECALL_JOBS, 128, 1), scattered(QUESTIONS, 128, 2)
    cells = make_cells(np.arange(RECALL_JOBS), hard)
    yield Figure(
        f"recall@3 among {RECALL_JOBS:,} that barely gather",
        recall(hard, asked, lambda v: cells.nearest(v, 3)),
        "share",
    )


def chroma_beside(folder: Path, vectors: Floats, questions: Floats) -> Iterator[Figure]:
    """Put the same vectors into Chroma, with the settings that the project uses."""
    count = len(vectors)
    with open_chroma(folder, "chroma", "benchmark", print) as chroma:
        started = time.process_time()
        chroma.add(np.arange(count), vectors)
        yield Figure(f"Chroma: {count:,} vectors indexed", time.process_time() - started, "CPU s")
        took = []
        for question in questions:
            started = time.process_time()
            chroma.nearest(question, 3)
            took.append((time.process_time() - started) * 1000)
        yield Figure(f"Chroma: top-3 among {count:,}, p50", float(np.percentile(took, 50)), "CPU ms")
        yield Figure(f"Chroma: top-3 among {count:,}, p99", float(np.percentile(took, 99)), "CPU ms")
        found = recall(vectors, questions, lambda v: chroma.nearest(v, 3))
        yield Figure(f"Chroma: recall@3 among {count:,}", found, "share")


def measure() -> list[Figure]:
    """Measure the store, then the index."""
    with TemporaryDirectory() as folder:
        figures = list(import_and_lookup(Path(folder)))
    with TemporaryDirectory() as folder:
        return figures + list(similarity(Path(folder)))
