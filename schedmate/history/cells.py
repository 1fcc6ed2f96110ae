"""Nearest vectors among a million, in memory that is mapped from files: vectors lie together with their like.

Each vector belongs to the nearest of some centres and lies in a row with the others of its cell. A question looks
through the nearest cells only, as many as make up a number of vectors that takes a few milliseconds; up to that number
of vectors the search is exact. Measured against Chroma in docs/history.md.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from schedmate.errors import StoreError

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

LOOKED_AT = 40_000
"""Vectors that one question may look at."""
CELL = 400
MOST_CELLS = 2_048
SAMPLE_A_CELL = 40
ROUNDS = 8
BLOCK = 8_192
FORMAT = 1


@dataclass(frozen=True)
class Cells:
    """Vectors of length 1 in the order of their cells."""

    ids: Ints
    vectors: Floats
    centres: Floats
    bounds: Ints
    """Where each cell begins; one more than there are cells."""

    def __len__(self) -> int:
        return len(self.ids)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k ids with their cosine, most similar first."""
        if not len(self.ids):
            return []
        if len(self.ids) <= LOOKED_AT:
            return top(self.ids, self.vectors @ vector, k)
        order = np.argsort(-(self.centres @ vector))
        sizes = np.diff(self.bounds)[order]
        enough = int(np.searchsorted(np.cumsum(sizes), LOOKED_AT)) + 1
        spans = [slice(self.bounds[cell], self.bounds[cell + 1]) for cell in order[:enough]]
        cosines = np.concatenate([self.vectors[span] @ vector for span in spans])
        return top(np.concatenate([self.ids[span] for span in spans]), cosines, k)

    def save(self, folder: Path) -> None:
        """Write the arrays, and last the file that says they are whole."""
        folder.mkdir(parents=True)
        for name in ("ids", "vectors", "centres", "bounds"):
            np.save(folder / f"{name}.npy", getattr(self, name))
        (folder / "whole.json").write_text(json.dumps({"format": FORMAT, "checksum": self.checksum()}))

    def checksum(self) -> int:
        """Sum up what is small; the vectors, which are not, are checked by their shape and by some of their lengths."""
        return crc32(self.bounds.tobytes(), crc32(self.centres.tobytes(), crc32(self.ids.tobytes())))


def top(ids: Ints, cosines: Floats, k: int) -> list[tuple[int, float]]:
    """Choose the k largest, the smaller id first among equals."""
    k = min(k, len(ids))
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
    return Cells(ids[order], vectors[order], centres, bounds.astype(np.int64))


def no_cells(dimensions: int) -> Cells:
    """Give cells without vectors."""
    none = np.zeros((0, dimensions), np.float32)
    return Cells(np.zeros(0, np.int64), none, none, np.zeros(1, np.int64))


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


def load_cells(folder: Path, dimensions: int) -> Cells:
    """Map the arrays that were saved; damage is told, never searched."""
    try:
        told = json.loads((folder / "whole.json").read_text("utf-8"))
        small = {name: np.load(folder / f"{name}.npy") for name in ("ids", "centres", "bounds")}
        vectors = np.load(folder / "vectors.npy", mmap_mode="r")
        cells = Cells(small["ids"], vectors, small["centres"], small["bounds"])
        some = vectors[:: max(1, len(vectors) // 64)]
        whole = (
            told == {"format": FORMAT, "checksum": cells.checksum()}
            and vectors.shape == (len(cells.ids), dimensions)
            and bool((np.abs(np.linalg.norm(some, axis=1) - 1) < 1e-3).all())
        )
    except (OSError, ValueError, EOFError, TypeError, IndexError) as error:
        raise StoreError(
            f"the vectors in {folder} cannot be read: {error}", "run: schedmate history reindex"
        ) from error
    if not whole:
        raise StoreError(f"the vectors in {folder} are damaged", "run: schedmate history reindex")
    return cells
