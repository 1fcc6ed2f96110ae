"""The scheduler's own book of free GPUs: consolidated placement in near-constant time.

Nodes of one kind are kept in buckets by their number of free GPUs; a bucket is one integer whose bits are nodes, so
"the fullest node that still fits" is the lowest set bit of the first bucket that is not zero.
"""

import math
from collections.abc import Container, Iterable, Iterator

from schedmate.scheduling.placement.cut_gpus import BY_TIME, Cut, CutGpus

ANYWHERE = -1
"""All nodes, as bits."""


class Pool:
    """Nodes of one kind and size."""

    __slots__ = (
        "buckets",
        "cuts",
        "free",
        "free_gpus",
        "islands",
        "kind",
        "names",
        "open",
        "out",
        "per_node",
        "racks",
        "slots",
        "total_gpus",
    )

    def __init__(self, kind: str, per_node: int, cut: Cut = BY_TIME) -> None:
        self.kind = kind
        self.per_node = per_node
        self.cuts = CutGpus(cut)
        """GPUs that are neither free nor wholly held."""
        self.names: list[str] = []
        self.slots: dict[str, int] = {}
        self.free: list[int] = []
        self.buckets = [0] * (per_node + 1)
        self.open = ANYWHERE
        """The nodes of which anything may be had, as bits: some are closed while a job looks for its place."""
        self.islands: dict[str, int] = {}
        self.racks: dict[str, int] = {}
        """The nodes of each, as bits."""
        self.out: dict[int, int] = {}
        """The GPUs of nodes that are up but take no jobs themselves, by the node's place."""
        self.free_gpus = 0
        self.total_gpus = 0

    def add(self, name: str, island: str = "", rack: str = "") -> None:
        """Bring in a node; one that was here before takes its old slot, so placement stays deterministic."""
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = len(self.names)
            self.names.append(name)
            self.free.append(0)
            for group, of in ((island, self.islands), (rack, self.racks)):
                if group:
                    of[group] = of.get(group, 0) | 1 << slot
        self.free[slot] = (1 << self.per_node) - 1
        self.buckets[self.per_node] |= 1 << slot
        self.free_gpus += self.per_node
        self.total_gpus += self.per_node

    def remove(self, name: str) -> None:
        """Take a node out; GPUs that were given on it are gone with it."""
        slot = self.slots[name]
        count = self.free[slot].bit_count()
        self.buckets[count] &= ~(1 << slot)
        self.free[slot] = -1
        self.cuts.forget(slot)
        self.free_gpus -= count
        self.total_gpus -= self.per_node - self.out.pop(slot, 0).bit_count()

    def serve(self, name: str, mask: int, is_up: bool) -> None:
        """Take GPUs of a node that nobody holds out of service, or back into it."""
        slot = self.slots[name]
        if self.free[slot] < 0:
            return
        out = self.out.get(slot, 0)
        mask &= out if is_up else self.free[slot]
        if is_up:
            self.out[slot] = out & ~mask
            self.give([(name, mask)])
        else:
            self.claim(name, mask)
            self.out[slot] = out | mask
        self.out = {place: gone for place, gone in self.out.items() if gone}
        self.total_gpus += mask.bit_count() if is_up else -mask.bit_count()

    def idle_node(self) -> str | None:
        """Name the last wholly free node."""
        whole = self.buckets[self.per_node]
        return self.names[whole.bit_length() - 1] if whole else None

    def needs(self, gpus: float) -> tuple[tuple[float, int], ...]:
        """Give how many GPUs on how many nodes `take` gives a job: whole nodes, and then one for what is left."""
        whole, rest = divmod(gpus, self.per_node)
        wanted = ((self.per_node, int(whole)), (rest, 1 if rest else 0))
        return tuple((each, count) for each, count in wanted if count)

    def take(self, gpus: int) -> tuple[tuple[str, int], ...] | None:
        """Give GPUs on as few nodes as can be: best fit within a node, whole nodes plus one remainder beyond."""
        if gpus > self.free_gpus:
            return None
        if gpus <= self.per_node:
            for count in range(gpus, self.per_node + 1):
                if nodes := self.buckets[count] & self.open:
                    return (self._take_from((nodes & -nodes).bit_length() - 1, count, gpus),)
            return None
        return self._take_whole(gpus)

    def take_part(self, part: float) -> tuple[tuple[str, int], int] | None:
        """Give a piece of a GPU: of the fullest that is cut and has room, else of one more."""
        found = self.cuts.take(part, self.open)
        if found is not None:
            (slot, bit), piece = found
            return (self.names[slot], bit), piece
        whole = self.take(1)
        if whole is None:
            return None
        ((name, bit),) = whole
        piece = self.cuts.cut.fit(0, part)
        self.cuts.add((self.slots[name], bit), piece)
        return (name, bit), piece

    def give_part(self, name: str, bit: int, piece: int) -> None:
        """Take a piece back, and with the last one the GPU."""
        if self.cuts.give((self.slots[name], bit), piece):
            self.give([(name, bit)])

    def claim_part(self, name: str, bit: int, piece: int) -> None:
        """Take a certain piece of a GPU; a node that is not here is passed by."""
        slot = self.slots.get(name)
        if slot is not None and self.free[slot] >= 0:
            self.claim(name, bit)
            self.cuts.add((slot, bit), piece)

    def _take_whole(self, gpus: int) -> tuple[tuple[str, int], ...] | None:
        if (self.buckets[self.per_node] & self.open).bit_count() < gpus // self.per_node:
            return None
        for near in self._neighbourhoods() if self.islands or self.racks else ():
            if (parts := self._take_among(near, gpus)) is not None:
                return parts
        return self._take_among(ANYWHERE, gpus)

    def _neighbourhoods(self) -> Iterator[int]:
        """Give sets of nodes as bits: each island, each rack, then racks together; the fullest that may do first."""
        whole = self.buckets[self.per_node]
        for groups in (self.islands, self.racks):
            yield from sorted(groups.values(), key=lambda nodes: (nodes & whole).bit_count())
        together = 0
        for nodes in sorted(self.racks.values(), key=lambda nodes: -(nodes & whole).bit_count()):
            together |= nodes
            yield together

    def _take_among(self, near: int, gpus: int) -> tuple[tuple[str, int], ...] | None:
        whole, rest = divmod(gpus, self.per_node)
        near &= self.open
        nodes = self.buckets[self.per_node] & near
        if nodes.bit_count() < whole:
            return None
        last = 0
        if rest:
            # The remainder goes to the freest node left, as the published placement does.
            last = self.per_node if nodes.bit_count() > whole else self._freest_below(rest, near)
            if not last:
                return None
        parts = []
        for _ in range(whole):
            slot = (nodes & -nodes).bit_length() - 1
            parts.append(self._take_from(slot, self.per_node, self.per_node))
            nodes &= nodes - 1
        if rest:
            nodes = self.buckets[last] & near
            parts.append(self._take_from((nodes & -nodes).bit_length() - 1, last, rest))
        return tuple(parts)

    def _freest_below(self, gpus: int, near: int) -> int:
        return next((c for c in range(self.per_node - 1, gpus - 1, -1) if self.buckets[c] & near), 0)

    def _take_from(self, slot: int, count: int, gpus: int) -> tuple[str, int]:
        free = self.free[slot]
        if gpus == count:
            mask = free
        else:
            mask, rest = 0, free
            for _ in range(gpus):
                low = rest & -rest
                mask |= low
                rest ^= low
        bit = 1 << slot
        self.free[slot] = free ^ mask
        self.buckets[count] ^= bit
        self.buckets[count - gpus] |= bit
        self.free_gpus -= gpus
        return self.names[slot], mask

    def give(self, parts: Iterable[tuple[str, int]]) -> None:
        """Take GPUs back; those of a node that has gone meanwhile are forgotten."""
        for name, mask in parts:
            slot = self.slots[name]
            free = self.free[slot]
            if free < 0:
                continue
            bit = 1 << slot
            self.buckets[free.bit_count()] ^= bit
            free |= mask
            self.free[slot] = free
            self.buckets[free.bit_count()] |= bit
            self.free_gpus += mask.bit_count()

    def claim(self, name: str, mask: int) -> None:
        """Take certain GPUs of a node, whoever holds them already keeps them; a node that is not here is passed by."""
        slot = self.slots.get(name)
        if slot is None or self.free[slot] < 0:
            return
        free, bit = self.free[slot], 1 << slot
        self.buckets[free.bit_count()] ^= bit
        self.free_gpus -= (free & mask).bit_count()
        self.free[slot] = free & ~mask
        self.buckets[self.free[slot].bit_count()] |= bit

    def bits(self, names: Iterable[str]) -> int:
        """Give nodes as bits; those that are not here are passed by."""
        return sum(1 << slot for slot in {self.slots[name] for name in names if name in self.slots})

    @property
    def up(self) -> int:
        """Give the nodes that are up, as bits."""
        nodes = 0
        for bucket in self.buckets:
            nodes |= bucket
        return nodes

    def free_among(self, nodes: int) -> int:
        """Count the free GPUs of nodes that are given as bits."""
        return sum(count * (bucket & nodes).bit_count() for count, bucket in enumerate(self.buckets))

    def with_room(self, gpus: float, most: int, without: Iterable[str]) -> list[str]:
        """Name nodes with so many free GPUs, some at most, and others not at all."""
        nodes, found = 0, list[str]()
        for bucket in self.buckets[math.ceil(gpus) :]:
            nodes |= bucket
        nodes &= ~self.bits(without)
        while nodes and len(found) < most:
            found.append(self.names[(nodes & -nodes).bit_length() - 1])
            nodes &= nodes - 1
        return found

    def could_hold(self, gpus: float, without: Container[str]) -> bool:
        """Tell whether there are enough nodes, were they all free."""
        up = sum(self.free[slot] >= 0 and name not in without for name, slot in self.slots.items())
        return up * self.per_node >= gpus

    def scatter(self, gpus: int) -> tuple[tuple[str, int], ...] | None:
        """Give any free GPUs, from the freest nodes first, where no consolidated place is to be had."""
        if gpus > self.free_gpus:
            return None
        parts = []
        for count in range(self.per_node, 0, -1):
            while gpus and (nodes := self.buckets[count] & self.open):
                taken = min(gpus, count)
                parts.append(self._take_from((nodes & -nodes).bit_length() - 1, count, taken))
                gpus -= taken
        return tuple(parts)
