"""The book of GPUs that several jobs have a part of each, in one of two ways to cut a GPU.

What is held of a GPU is a number: units of its time that add up, or the bits of slices. Either way a piece is a number
too, and taking and giving are adding and subtracting.
"""

import math
from bisect import bisect_left, insort
from typing import Literal, Protocol

from schedmate.knowledge.mig_slices import memory_slices, profiles

Fractions = Literal["time", "mig", "whole"]
"""How a part of a GPU is given: as a share of its time, as an instance by its maker's rules, or a whole GPU for it."""
Gpu = tuple[int, int]
"""A GPU: the place of its node in the pool, and its bit."""
UNITS = 21_000
"""Into so many parts a GPU's time is cut: thirds, sevenths and thousandths are whole numbers of them."""
TOLD_TO = 1e-6
"""Parts are told to six places."""
ROUNDING = TOLD_TO * UNITS
"""So much more than a whole number of units is that number."""


class Cut(Protocol):
    """A way to cut a GPU."""

    units: int

    def fit(self, held: int, part: float) -> int:
        """Give a piece for a part of a GPU, beside what is held of it; 0 where none is left that is large enough."""
        ...

    def used(self, held: int) -> int:
        """Count the units that are held."""
        ...


class ByTime:
    """Any part beside any other, as long as they are no more than a GPU together."""

    units = UNITS

    def fit(self, held: int, part: float) -> int:
        """Give the part itself."""
        piece = max(math.ceil(part * UNITS - ROUNDING), 1)
        return piece if held + piece <= UNITS else 0

    def used(self, held: int) -> int:
        """Pieces are counted in units."""
        return held


class AsSlices:
    """The smallest profile with at least as much compute, where its maker lets it begin."""

    def __init__(self) -> None:
        self.units = memory_slices()
        self.profiles = profiles()

    def fit(self, held: int, part: float) -> int:
        """Give slices of memory as bits, the last that are free: what begins at the first may be larger."""
        for share, masks in self.profiles:
            if share + TOLD_TO >= part:
                return next((mask for mask in masks if not mask & held), 0)
        return 0

    def used(self, held: int) -> int:
        """Count slices of memory: what is left between them may be of no use to anybody."""
        return held.bit_count()


BY_TIME = ByTime()


def cut_by(fractions: Fractions) -> Cut:
    """Give the way that is asked for."""
    return AsSlices() if fractions == "mig" else BY_TIME


class CutGpus:
    """The cut GPUs of a pool, the fullest first, so that as few as can be are cut."""

    __slots__ = ("alike", "cut", "held", "idle_units", "order")

    def __init__(self, cut: Cut) -> None:
        self.cut = cut
        self.held: dict[Gpu, int] = {}
        self.alike: dict[int, dict[Gpu, None]] = {}
        """The GPUs by what is held of them, those first that are so for longest."""
        self.order: list[tuple[int, int]] = []
        """What is held of any: by the units that are idle, the fewest first."""
        self.idle_units = 0

    def take(self, part: float, nodes: int) -> tuple[Gpu, int] | None:
        """Give a piece of a GPU that is cut already, on one of some nodes, which are given as bits."""
        for _, held in self.order:
            if piece := self.cut.fit(held, part):
                gpu = next((gpu for gpu in self.alike[held] if nodes >> gpu[0] & 1), None)
                if gpu is not None:
                    self.add(gpu, piece)
                    return gpu, piece
        return None

    def add(self, gpu: Gpu, piece: int) -> None:
        """Book a piece, of a GPU that is cut by it or was before."""
        self._put(gpu, self.held.get(gpu, 0) + piece)

    def give(self, gpu: Gpu, piece: int) -> bool:
        """Take a piece back; tell whether the GPU is whole again. Nothing where it is not cut (its node was away)."""
        if gpu not in self.held:
            return False
        self._put(gpu, self.held[gpu] - piece)
        return gpu not in self.held

    def forget(self, node: int) -> None:
        """Drop the GPUs of a node that has gone."""
        for gpu in [gpu for gpu in self.held if gpu[0] == node]:
            self._put(gpu, 0)

    def has_room(self) -> bool:
        """Tell whether anything is left of any."""
        return bool(self.order) and self.order[-1][0] > 0

    def _put(self, gpu: Gpu, held: int) -> None:
        before = self.held.pop(gpu, 0)
        if before:
            alike = self.alike[before]
            del alike[gpu]
            idle = self.cut.units - self.cut.used(before)
            self.idle_units -= idle
            if not alike:
                del self.alike[before]
                del self.order[bisect_left(self.order, (idle, before))]
        if held:
            self.held[gpu] = held
            idle = self.cut.units - self.cut.used(held)
            self.idle_units += idle
            if held not in self.alike:
                self.alike[held] = {}
                insort(self.order, (idle, held))
            self.alike[held][gpu] = None
