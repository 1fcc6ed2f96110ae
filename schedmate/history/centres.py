"""Centres that vectors gather around, found by k-means on a sample, and what is left of a vector without its centre."""

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]

SAMPLE_A_CELL = 40
ROUNDS = 8
BLOCK = 8_192

ALONE = 256
"""Rows that one thread multiplies at a time."""
MOST_BYTE = 127


def room_for(dimensions: int) -> Floats:
    """Give a place for rows to be multiplied; made once, as memory that is fetched anew costs more than the work."""
    return np.empty((ALONE, dimensions), np.float32)


def products(vectors: Floats | Bytes, vector: Floats, room: Floats) -> Floats:
    """Multiply in blocks so small that the linear algebra library does not share them out over threads.

    Threads wait for each other by spinning: on a busy machine a question then took 16 ms of CPU time instead of 5.
    """
    found = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), ALONE):
        rows = vectors[start : start + ALONE]
        plain = room[: len(rows)]
        np.copyto(plain, rows)
        np.matmul(plain, vector, out=found[start : start + ALONE])
    return found


def encoded(left: Floats) -> tuple[Floats, Bytes]:
    """Write numbers as bytes, the largest of each row as the largest byte; give what one unit of each row is worth."""
    steps = np.maximum(np.abs(left).max(axis=1), np.finfo(np.float32).tiny) / MOST_BYTE
    return steps.astype(np.float32), np.rint(left / steps[:, None]).astype(np.int8)


def find_centres(every: Callable[[], Iterable[tuple[Ints, Floats]]], total: int, count: int) -> Floats:
    """Move centres to the middle of their cells some times; an empty cell begins anew somewhere. Same at every run."""
    draw = np.random.default_rng(1)
    picked = np.zeros(total, bool)
    picked[draw.choice(total, min(total, count * SAMPLE_A_CELL), replace=False)] = True
    sampled, place = list[Floats](), 0
    for _, vectors in every():
        sampled.append(vectors[picked[place : place + len(vectors)]])
        place += len(vectors)
    sample = np.concatenate(sampled)
    centres = sample[draw.choice(len(sample), count, replace=False)].copy()
    for _ in range(ROUNDS if count > 1 else 0):
        cell = nearest_centre(sample, centres)
        sums = np.zeros_like(centres)
        np.add.at(sums, cell, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        filled = lengths[:, 0] > 0
        centres[filled] = sums[filled] / lengths[filled]
        centres[~filled] = sample[draw.choice(len(sample), int((~filled).sum()))]
    return centres


def nearest_centre(vectors: Floats, centres: Floats) -> Ints:
    """Give each vector's centre, in blocks, so that memory stays small."""
    blocks = [np.argmax(vectors[i : i + BLOCK] @ centres.T, axis=1) for i in range(0, len(vectors), BLOCK)]
    return np.concatenate(blocks).astype(np.int64) if blocks else np.zeros(0, np.int64)
