"""The index of vectors as users get it, asked by a process of its own, among a hundred and two hundred thousand.

`JOBS=1000000 KINDS=workloads python -m benchmarks vectors` measures among a million, of one of both kinds alone.
`OTHERS=faiss,usearch` (pip install faiss-cpu usearch) puts the same vectors into those libraries, held in memory and
asked with one thread. The first round of questions is asked cold: the files were dropped from the system's memory, so
that they come from the disk. CPU time is that of all threads.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import Figure
from benchmarks._workloads import many_vectors, scattered
from schedmate.history.centres import Floats
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import WorkloadVectors
from schedmate.history.vector_index import open_vectors
from schedmate.models.embedders.built_in import open_built_in

JOBS = int(os.environ.get("JOBS", "200000"))
FEWER = min(JOBS, 100_000)
KINDS = os.environ.get("KINDS", "workloads,scattered").split(",")
QUESTIONS = 300
PIECE = 5_000
COLD, WARM = ("once", "cold"), ("again", "warm")


@dataclass(frozen=True)
class Told:
    """What the process that asked has measured; see `_asking.py`."""

    figures: dict[str, float]
    found: list[list[int]]


def thirds(vectors: Floats, questions: Floats) -> Floats:
    """Give each question's cosine with the third nearest of all; what is as near as that is found rightly."""
    best = np.full((3, len(questions)), -1, np.float32)
    for start in range(0, len(vectors), PIECE):
        best = np.partition(np.concatenate([best, vectors[start : start + PIECE] @ questions.T]), -3, axis=0)[-3:]
    third: Floats = best[0]
    return third


def put(folder: Path, vectors: Floats) -> tuple[float, float]:
    """Fill an index, numbers from 1 on; give CPU time and wall time."""
    began = time.process_time(), time.perf_counter()
    with open_vectors(folder, "benchmark", vectors.shape[1]) as index:
        for start in range(0, len(vectors), PIECE):
            piece = vectors[start : start + PIECE]
            index.add(np.arange(start + 1, start + 1 + len(piece)), piece)
        index.settle()
    return time.process_time() - began[0], time.perf_counter() - began[1]


def drop(folder: Path) -> None:
    """Let the system forget the files' content, so that it comes from the disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def ask(folder: Path, questions: Path) -> Told:
    """Let another process ask."""
    drop(folder)
    command = [sys.executable, "-m", "benchmarks._asking", str(folder), str(questions)]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return Told(told["figures"], told["found"])


def share_found(vectors: Floats, questions: Floats, third: Floats, found: list[list[int]]) -> float:
    """Give recall@3; what is as near as the third counts too."""
    hits = [
        int((vectors[np.array(numbers) - 1] @ question >= least - 1e-6).sum())
        for question, least, numbers in zip(questions, third, found, strict=True)
    ]
    return sum(hits) / (3 * len(questions))


def measured(folder: Path, kind: str, vectors: Floats, questions: Floats) -> Iterator[Figure]:
    """Fill an index and ask it."""
    folder.mkdir(exist_ok=True)
    cpu_s, wall_s = put(folder, vectors)
    yield Figure(f"{len(vectors):,} {kind}: indexed", cpu_s, "CPU s")
    yield Figure("  by the clock", wall_s, "s")
    yield Figure("  on disk", sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6, "MB")
    path = folder.with_suffix(".npy")
    np.save(path, questions)
    told = ask(folder, path)
    figures = told.figures
    yield Figure("  opened, first question answered", figures["start_cpu_s"], "CPU s")
    yield Figure("  by the clock", figures["start_s"], "s")
    for way, said in (COLD, WARM):
        for unit, name in (("cpu", "CPU ms"), ("wall", "ms")):
            for share in (50, 99):
                goal = 10.0 if unit == "cpu" else None
                value = figures[f"{way}_{unit}_p{share}"]
                yield Figure(f"  top-3, {said}, p{share}", value, name, goal, less_is_better=True)
    yield Figure("  most memory of who asks", figures["memory_mb"], "MB")
    third = thirds(vectors, questions)
    yield Figure("  recall@3", share_found(vectors, questions, third, told.found), "share", 0.99)
    for other in filter(None, os.environ.get("OTHERS", "").split(",")):
        began = time.process_time()
        nearest = OTHERS[other](vectors)
        yield Figure(f"  {other}: indexed", time.process_time() - began, "CPU s")
        found, taken = [], []
        for question in questions:
            began = time.process_time()
            found.append(nearest(question))
            taken.append((time.process_time() - began) * 1000)
        for share in (50, 99):
            yield Figure(f"  {other}: top-3, p{share}", float(np.percentile(taken, share)), "CPU ms")
        yield Figure(f"  {other}: recall@3", share_found(vectors, questions, third, found), "share")


def faiss_index(vectors: Floats) -> Callable[[Floats], list[int]]:
    """Cells as ours, a byte a number, and the best compared as they are."""
    import faiss

    faiss.omp_set_num_threads(1)
    cells = min(4_096, len(vectors) // 200)
    index = faiss.index_factory(vectors.shape[1], f"IVF{cells},SQ8,RFlat", faiss.METRIC_INNER_PRODUCT)
    index.train(vectors[np.random.default_rng(1).choice(len(vectors), min(len(vectors), cells * 40), replace=False)])
    index.add(vectors)
    faiss.extract_index_ivf(index).nprobe, index.k_factor = 150, 20
    return lambda question: [int(place) + 1 for place in index.search(question[None], 3)[1][0]]


def usearch_index(vectors: Floats) -> Callable[[Floats], list[int]]:
    """Build a graph, as Chroma does, by the library's own settings but for a wider search."""
    from usearch.index import Index

    index = Index(ndim=vectors.shape[1], metric="ip", dtype="f32", expansion_search=200)
    index.add(np.arange(1, len(vectors) + 1), vectors, threads=1)
    return lambda question: [int(key) for key in index.search(question, 3).keys]


OTHERS = {"faiss": faiss_index, "usearch": usearch_index}


def workloads() -> tuple[Floats, Floats]:
    """Make workloads and turn them into vectors."""
    vectoriser = WorkloadVectors(NameCloseness(open_built_in()))
    return many_vectors(vectoriser, JOBS, 1), many_vectors(vectoriser, QUESTIONS, 10**9)


MAKERS: dict[str, Callable[[], tuple[Floats, Floats]]] = {
    "workloads": workloads,
    "scattered": lambda: (scattered(JOBS, 128, 1), scattered(QUESTIONS, 128, 2)),
}


def measure() -> list[Figure]:
    """Measure made workloads, then vectors that barely gather: as much noise as kind, a thousand kinds."""
    figures = []
    for kind in KINDS:
        started = time.process_time()
        held, asked = MAKERS[kind]()
        figures.append(Figure(f"{kind} made", JOBS / (time.process_time() - started), "1/CPU s"))
        for vectors in dict.fromkeys((JOBS, FEWER)):
            with TemporaryDirectory() as folder:
                figures += measured(Path(folder) / "index", kind, held[:vectors], asked)
    return figures
