"""Vectors to fill an index with: of made workloads, and of nothing in particular, which an index finds hardest."""

from random import Random

import numpy as np

from evals.embedding.jobs import read_kinds
from evals.similarity.made_jobs import make_workload
from schedmate.history.centres import Floats
from schedmate.history.similarity.stored import WorkloadVectors
from schedmate.schemas import Workload


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
