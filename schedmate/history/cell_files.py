"""Cells of vectors in a folder of arrays; damage is told, never searched."""

import json
from pathlib import Path
from zlib import crc32

import numpy as np

from schedmate.errors import StoreError
from schedmate.history.cells import Cells
from schedmate.history.mapped import fetch

FORMAT = 2
SMALL = ("ids", "steps", "centres", "bounds")
LARGE = ("vectors", "codes")
LOOKS = 64
"""Vectors that are looked at when the files are opened; to look at all would take seconds."""
HINT = "run: schedmate history reindex"


def save_cells(cells: Cells, folder: Path) -> None:
    """Write the arrays, and last the file that says they are whole."""
    folder.mkdir(parents=True)
    for name in (*SMALL, *LARGE):
        np.save(folder / f"{name}.npy", getattr(cells, name))
    (folder / "whole.json").write_text(json.dumps({"format": FORMAT, "checksum": checksum(cells)}))


def checksum(cells: Cells) -> int:
    """Sum up what is small; what is not is checked by its shape and by some of its rows."""
    total = 0
    for name in SMALL:
        total = crc32(getattr(cells, name).tobytes(), total)
    return total


def load_cells(folder: Path, dimensions: int) -> Cells:
    """Map the large arrays, read the small ones."""
    try:
        told = json.loads((folder / "whole.json").read_text("utf-8"))
        small = {name: np.load(folder / f"{name}.npy") for name in SMALL}
        large = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in LARGE}
        cells = Cells(**small, **large)
        whole = told == {"format": FORMAT, "checksum": checksum(cells)} and sound(cells, dimensions)
    except (OSError, ValueError, EOFError, TypeError, IndexError) as error:
        raise StoreError(f"the vectors in {folder} cannot be read: {error}", HINT) from error
    if not whole:
        raise StoreError(f"the vectors in {folder} are damaged, or of another version", HINT)
    return cells


def sound(cells: Cells, dimensions: int) -> bool:
    """Look whether vectors have length 1, and codes say the same as they do."""
    shape = len(cells.ids), dimensions
    if cells.vectors.shape != shape or cells.codes.shape != shape or cells.codes.dtype != np.int8:
        return False
    rows = np.arange(0, len(cells.ids), max(1, len(cells.ids) // LOOKS))
    for array in (cells.vectors, cells.codes):
        fetch(array, ((row, row + 1) for row in rows.tolist()))
    cell = np.searchsorted(cells.bounds, rows, "right") - 1
    some = cells.vectors[rows]
    again = cells.codes[rows] * cells.steps[rows, None] + cells.centres[cell]
    return bool(
        (np.abs(np.linalg.norm(some, axis=1) - 1) < 1e-3).all()
        and (np.abs(again - some) <= cells.steps[rows, None] + 1e-6).all()
    )
