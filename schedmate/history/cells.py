"""Nearest vectors among a million, in memory that is mapped from files: vectors lie together with their like.

Each vector belongs to the nearest of some centres and lies in a row with the others of its cell, once as it is and once
as a byte a number: what is left when its centre is taken off, which is small, so that a byte says it well. A question
goes through the bytes of the nearest cells, a quarter of what the vectors take, and then compares the best of them as
they are. Up to `LOOKED_AT` vectors the search is exact. Measured beside Chroma in docs/history.md.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from schedmate.history.mapped import fetch

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]

LOOKED_AT = 30_000
"""Vectors that one question may look at."""
COMPARED = 64
"""Of these, so many are compared as they are; a multiple of what anybody asks for."""
CELL = 200
MOST_CELLS = 4_096
SAMPLE_A_CELL = 40
ROUNDS = 8
BLOCK = 8_192
ALONE = 256
"""Rows that one thread multiplies at a time."""
MOST_BYTE = 127


@dataclass(frozen=True)
class Cells:
    """Vectors of length 1 in the order of their cells."""

    ids: Ints
    vectors: Floats
    codes: Bytes
    steps: Floats
    """What one unit of a vector's codes is worth."""
    centres: Floats
    bounds: Ints
    """Where each cell begins; one more than there are cells."""
    fetched: set[int] = field(default_factory=set, compare=False)
    """Cells that this process has asked for before."""

    def __len__(self) -> int:
        return len(self.ids)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k ids with their cosine, most similar first."""
        if len(self.ids) <= LOOKED_AT:
            return top(self.ids, products(self.vectors, vector), k)
        rows = self.promising(vector, max(COMPARED, 2 * k))
        fetch(self.vectors, ((row, row + 1) for row in rows.tolist()))
        return top(self.ids[rows], self.vectors[rows] @ vector, k)

    def promising(self, vector: Floats, count: int) -> Ints:
        """Give the rows of the nearest cells that are best by their codes, in their order in the file."""
        to_centre = products(self.centres, vector)
        order = np.argsort(-to_centre)
        sizes = np.diff(self.bounds)[order]
        picked = order[: int(np.searchsorted(np.cumsum(sizes), LOOKED_AT)) + 1].tolist()
        fetch(self.codes, ((self.bounds[c], self.bounds[c + 1]) for c in picked if c not in self.fetched))
        self.fetched.update(picked)
        spans = [slice(self.bounds[cell], self.bounds[cell + 1]) for cell in picked]
        room = np.empty((max(span.stop - span.start for span in spans), self.codes.shape[1]), np.float32)
        near = []
        for cell, span in zip(picked, spans, strict=True):
            plain = room[: span.stop - span.start]
            np.copyto(plain, self.codes[span])
            near.append((plain @ vector) * self.steps[span] + to_centre[cell])
        cosines, rows = np.concatenate(near), np.concatenate([np.arange(span.start, span.stop) for span in spans])
        if len(rows) > count:
            rows = rows[np.argpartition(-cosines, count - 1)[:count]]
        return np.sort(rows)


def products(vectors: Floats, vector: Floats) -> Floats:
    """Multiply in blocks so small that the linear algebra library does not share them out over threads.

    Threads wait for each other by spinning: on a busy machine a question then took 16 ms of CPU time instead of 5.
    """
    blocks = [vectors[start : start + ALONE] @ vector for start in range(0, len(vectors), ALONE)]
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def top(ids: Ints, cosines: Floats, k: int) -> list[tuple[int, float]]:
    """Choose the k largest, the smaller id first among equals."""
    k = min(k, len(ids))
    if not k:
        return []
    picked = np.argpartition(-cosines, k - 1)[:k] if k < len(ids) else np.arange(len(ids))
    ranked = picked[np.lexsort((ids[picked], -cosines[picked]))]
    return [(int(ids[place]), float(cosines[place])) for place in ranked]


def make_cells(ids: Ints, vectors: Floats) -> Cells:
    """Find centres by k-means on a sample, and order the vectors by the nearest centre; the same at every run."""
    if not len(ids):
        return no_cells(vectors.shape[1])
    count = max(1, min(MOST_CELLS, len(ids) // CELL))
    centres = find_centres(vectors, count)
    cell = nearest_centre(vectors, centres)
    order = np.lexsort((ids, cell))
    bounds = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=count))])
    ordered = vectors[order]
    codes, steps = coded(ordered, centres, cell[order])
    return Cells(ids[order], ordered, codes, steps, centres, bounds.astype(np.int64))


def coded(vectors: Floats, centres: Floats, cell: Ints) -> tuple[Bytes, Floats]:
    """Write what is left of each vector without its centre in bytes, its largest number as the largest byte."""
    codes, steps = np.empty(vectors.shape, np.int8), np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), BLOCK):
        piece = slice(start, start + BLOCK)
        left = vectors[piece] - centres[cell[piece]]
        step = np.maximum(np.abs(left).max(axis=1), np.finfo(np.float32).tiny) / MOST_BYTE
        codes[piece], steps[piece] = np.rint(left / step[:, None]), step
    return codes, steps


def no_cells(dimensions: int) -> Cells:
    """Give cells without vectors."""
    none = np.zeros((0, dimensions), np.float32)
    codes = np.zeros((0, dimensions), np.int8)
    return Cells(np.zeros(0, np.int64), none, codes, np.zeros(0, np.float32), none, np.zeros(1, np.int64))


def find_centres(vectors: Floats, count: int) -> Floats:
    """Move centres to the middle of their cells some times; an empty cell begins anew somewhere."""
    draw = np.random.default_rng(1)
    picked = np.sort(draw.choice(len(vectors), min(len(vectors), count * SAMPLE_A_CELL), replace=False))
    sample = np.asarray(vectors[picked], np.float32)
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
