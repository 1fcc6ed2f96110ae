"""Arrays in files that are mapped, not read: opened at once however large, and shared by all processes that ask."""

import mmap
from collections.abc import Iterable
from contextlib import suppress

import numpy as np
import numpy.typing as npt

PAGE = mmap.ALLOCATIONGRANULARITY


def fetch(array: npt.NDArray[np.generic], spans: Iterable[tuple[int, int]]) -> None:
    """Have the system bring rows from the disk, all at once, before one after the other is waited for.

    An array that lies in memory needs nothing.
    """
    pages = getattr(array, "base", None)
    if not isinstance(array, np.memmap) or not isinstance(pages, mmap.mmap):
        return
    row = array.strides[0]
    for first, last in spans:
        begin = (array.offset + int(first) * row) // PAGE * PAGE
        with suppress(OSError, ValueError):
            pages.madvise(mmap.MADV_WILLNEED, begin, min(array.offset + int(last) * row, len(pages)) - begin)
