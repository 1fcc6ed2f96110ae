"""The index of workloads as users get it, asked by a process of its own: Chroma up to a size, our own files beyond it.

`JOBS=200000` measures with fewer than a million; `BOTH=1` puts all of them into both, and Chroma takes a minute or two
for each hundred thousand. The first round of questions is asked cold: the files were dropped from the system's memory,
so that they come from the disk. CPU time is that of all threads.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import Figure
from benchmarks._asking import Width
from benchmarks._workloads import many_vectors, scattered
from schedmate.history.cells import Floats
from schedmate.history.choosing import ways
from schedmate.history.chroma_embedded import HELD, release
from schedmate.history.indexing import open_index
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import WorkloadVectors
from schedmate.models.embedders.built_in import open_built_in

JOBS = int(os.environ.get("JOBS", "1000000"))
FEWER = min(JOBS, 100_000)
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
    return np.array([np.partition(vectors @ question, -3)[-3] for question in questions], np.float32)


def put(folder: Path, where: str, vectors: Floats) -> tuple[float, float]:
    """Fill an index, numbers from 1 on; give CPU time and wall time."""
    began = time.process_time(), time.perf_counter()
    with open_index(folder, where, Width("benchmark", vectors.shape[1])) as index, index.alone():
        for start in range(0, len(vectors), len(vectors) if where == "built-in" else PIECE):
            piece = vectors[start : start + (len(vectors) if where == "built-in" else PIECE)]
            index.add(np.arange(start + 1, start + 1 + len(piece)), piece)
        index.settle()
    for parent in [*HELD]:
        release(parent)
    return time.process_time() - began[0], time.perf_counter() - began[1]


def drop(folder: Path) -> None:
    """Let the system forget the files' content, so that it comes from the disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def ask(folder: Path, where: str, questions: Path) -> Told:
    """Let another process ask."""
    drop(folder)
    command = [sys.executable, "-m", "benchmarks._asking", where, str(folder), str(questions), "benchmark"]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return Told(told["figures"], told["found"])


def share_found(vectors: Floats, questions: Floats, third: Floats, found: list[list[int]]) -> float:
    """Give recall@3; what is as near as the third counts too."""
    hits = [
        int((vectors[np.array(numbers) - 1] @ question >= least - 1e-6).sum())
        for question, least, numbers in zip(questions, third, found, strict=True)
    ]
    return sum(hits) / (3 * len(questions))


def measured(folder: Path, where: str, kind: str, vectors: Floats, questions: Floats) -> Iterator[Figure]:
    """Fill one kind of index and ask it; the goals are for the one that users get."""
    default = where == ways("auto", len(vectors))[0]
    title = f"{'ours' if where == 'built-in' else 'Chroma'}, {len(vectors):,} {kind}"
    folder.mkdir(exist_ok=True)
    cpu_s, wall_s = put(folder, where, vectors)
    yield Figure(f"{title}: indexed", cpu_s, "CPU s")
    yield Figure("  by the clock", wall_s, "s")
    yield Figure("  on disk", sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6, "MB")
    path = folder.with_suffix(".npy")
    np.save(path, questions)
    told = ask(folder, where, path)
    figures = told.figures
    yield Figure("  opened, first question answered", figures["start_cpu_s"], "CPU s")
    yield Figure("  by the clock", figures["start_s"], "s")
    for way, said in (COLD, WARM):
        for unit, name in (("cpu", "CPU ms"), ("wall", "ms")):
            for share in (50, 99):
                goal = 10.0 if default and unit == "cpu" else None
                value = figures[f"{way}_{unit}_p{share}"]
                yield Figure(f"  top-3, {said}, p{share}", value, name, goal, less_is_better=True)
    yield Figure("  most memory of who asks", figures["memory_mb"], "MB")
    found = share_found(vectors, questions, thirds(vectors, questions), told.found)
    yield Figure("  recall@3", found, "share", 0.99 if default else None)


def measure() -> list[Figure]:
    """Measure made workloads, then vectors that barely gather: as much noise as kind, a thousand kinds."""
    vectoriser = WorkloadVectors(NameCloseness(open_built_in()))
    started = time.process_time()
    vectors = many_vectors(vectoriser, JOBS, 1)
    figures = [Figure("workloads made and turned into vectors", JOBS / (time.process_time() - started), "1/CPU s")]
    questions = many_vectors(vectoriser, QUESTIONS, 10**9)
    hard, asked = scattered(JOBS, 128, 1), scattered(QUESTIONS, 128, 2)
    sets = [("workloads", vectors, questions), ("workloads", vectors[:FEWER], questions)]
    sets += [("that barely gather", hard, asked), ("that barely gather", hard[:FEWER], asked)]
    for kind, held, put_to in sets:
        for where in ("built-in", "chroma") if os.environ.get("BOTH") else ways("auto", len(held))[:1]:
            with TemporaryDirectory() as folder:
                figures += measured(Path(folder) / "index", where, kind, held, put_to)
    return figures
