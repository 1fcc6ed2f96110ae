"""The scheduler's own book of free GPUs: consolidated placement in near-constant time.

Nodes of one kind are kept in buckets by their number of free GPUs; a bucket is one integer whose bits are nodes, so
"the fullest node that still fits" is the lowest set bit of the first bucket that is not zero.
"""

from collections.abc import Container, Iterable, Iterator

from schedmate.clusters import NodeSpec, Placement

ANYWHERE = -1
"""All nodes, as bits."""


class Pool:
    """Nodes of one kind and size."""

    __slots__ = (
        "buckets",
        "free",
        "free_gpus",
        "islands",
        "kind",
        "names",
        "out",
        "per_node",
        "racks",
        "slots",
        "total_gpus",
    )

    def __init__(self, kind: str, per_node: int) -> None:
        self.kind = kind
        self.per_node = per_node
        self.names: list[str] = []
        self.slots: dict[str, int] = {}
        self.free: list[int] = []
        self.buckets = [0] * (per_node + 1)
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

    def take(self, gpus: int) -> tuple[tuple[str, int], ...] | None:
        """Give GPUs on as few nodes as can be: best fit within a node, whole nodes plus one remainder beyond."""
        if gpus > self.free_gpus:
            return None
        if gpus <= self.per_node:
            for count in range(gpus, self.per_node + 1):
                if nodes := self.buckets[count]:
                    return (self._take_from((nodes & -nodes).bit_length() - 1, count, gpus),)
            return None
        return self._take_whole(gpus)

    def _take_whole(self, gpus: int) -> tuple[tuple[str, int], ...] | None:
        if self.buckets[self.per_node].bit_count() < gpus // self.per_node:
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

    def whole_nodes(self, without: Iterable[str]) -> int:
        """Count the nodes that are wholly free, without some of them."""
        whole = self.buckets[self.per_node]
        for name in without:
            if (slot := self.slots.get(name)) is not None:
                whole &= ~(1 << slot)
        return whole.bit_count()

    def could_hold(self, gpus: int, without: Container[str]) -> bool:
        """Tell whether there are enough nodes, were they all free."""
        up = sum(self.free[slot] >= 0 and name not in without for name, slot in self.slots.items())
        return up * self.per_node >= gpus

    def scatter(self, gpus: int) -> tuple[tuple[str, int], ...] | None:
        """Give any free GPUs, from the freest nodes first, where no consolidated place is to be had."""
        if gpus > self.free_gpus:
            return None
        parts = []
        for count in range(self.per_node, 0, -1):
            while gpus and (nodes := self.buckets[count]):
                taken = min(gpus, count)
                parts.append(self._take_from((nodes & -nodes).bit_length() - 1, count, taken))
                gpus -= taken
        return tuple(parts)


class Inventory:
    """All pools of one virtual cluster, in the order in which its nodes were named."""

    __slots__ = ("pools",)

    def __init__(self, nodes: Iterable[NodeSpec] = ()) -> None:
        self.pools: list[Pool] = []
        for node in nodes:
            self.add(node)

    def add(self, node: NodeSpec) -> None:
        """Bring in a node."""
        for pool in self.pools:
            if pool.kind == node.kind and pool.per_node == node.gpus:
                break
        else:
            pool = Pool(node.kind, node.gpus)
            self.pools.append(pool)
        pool.add(node.name, node.island, node.rack)

    def remove(self, name: str) -> NodeSpec:
        """Take a node out."""
        pool = next(pool for pool in self.pools if name in pool.slots and pool.free[pool.slots[name]] >= 0)
        pool.remove(name)
        return NodeSpec(name, pool.per_node, pool.kind)

    @property
    def total_gpus(self) -> int:
        """Count the GPUs of nodes that are up."""
        pools = self.pools
        return pools[0].total_gpus if len(pools) == 1 else sum(pool.total_gpus for pool in pools)

    @property
    def free_gpus(self) -> int:
        """Count the GPUs that nobody holds."""
        pools = self.pools
        return pools[0].free_gpus if len(pools) == 1 else sum(pool.free_gpus for pool in pools)

    def place(self, gpus: int, kind: str = "") -> Placement | None:
        """Give GPUs of one kind, consolidated; None when they cannot be had now."""
        for pool in self.pools:
            if (not kind or pool.kind == kind) and (parts := pool.take(gpus)) is not None:
                return Placement(pool.kind, parts)
        return None

    def place_off(self, avoid: Iterable[str], gpus: int, kind: str = "") -> Placement | None:
        """Give GPUs elsewhere than on some nodes."""
        kept = [free for node in avoid if (free := self.withhold(node)) is not None]
        placement = self.place(gpus, kind)
        for free in kept:
            self.give(free)
        return placement

    def could_hold(self, gpus: int, kind: str, without: Container[str]) -> bool:
        """Tell whether the nodes that are up, without some of them, have room for a job once they are free."""
        return any(pool.could_hold(gpus, without) for pool in self.pools if kind in ("", pool.kind))

    def give(self, placement: Placement) -> None:
        """Take GPUs back."""
        for pool in self.pools:
            if pool.kind == placement.kind and placement.parts[0][0] in pool.slots:
                pool.give(placement.parts)
                return

    def claim(self, placement: Placement, node: str = "") -> None:
        """Take the very GPUs of a placement, of one of its nodes if one is named."""
        for pool in self.pools:
            for name, mask in placement.parts if pool.kind == placement.kind else ():
                if not node or node == name:
                    pool.claim(name, mask)

    def withhold(self, node: str) -> Placement | None:
        """Take whatever is free on a node; None when nothing is, or it is not here."""
        for pool in self.pools:
            slot = pool.slots.get(node)
            if slot is not None and (mask := pool.free[slot]) > 0:
                pool.claim(node, mask)
                return Placement(pool.kind, ((node, mask),))
        return None

    def scatter(self, gpus: int, kind: str) -> Placement | None:
        """Give any free GPUs of a kind, in one pool."""
        for pool in self.pools:
            if pool.kind == kind and (parts := pool.scatter(gpus)) is not None:
                return Placement(kind, parts)
        return None

    def serve(self, name: str, mask: int, is_up: bool) -> None:
        """Take GPUs of a node out of service, or back into it."""
        for pool in self.pools:
            if name in pool.slots:
                pool.serve(name, mask, is_up)

    def is_idle(self, name: str) -> bool:
        """Tell whether nobody holds a GPU of a node."""
        for pool in self.pools:
            if name in pool.slots:
                return pool.free[pool.slots[name]] == (1 << pool.per_node) - 1
        return False

    def idle_node(self) -> str | None:
        """Name the last wholly free node."""
        return next((name for pool in self.pools if (name := pool.idle_node()) is not None), None)

    def spec(self, name: str) -> NodeSpec:
        """Describe a node."""
        pool = next(pool for pool in self.pools if name in pool.slots)
        return NodeSpec(name, pool.per_node, pool.kind)
