"""All pools of one virtual cluster: where a job goes, whole GPUs or a part of one, and what is held back."""

from collections.abc import Collection, Container, Iterable

from schedmate.clusters import NodeSpec, Placement
from schedmate.scheduling.placement.cut_gpus import BY_TIME, Cut
from schedmate.scheduling.placement.free_gpus import Pool


class Inventory:
    """All pools of one virtual cluster, in the order in which its nodes were named."""

    __slots__ = ("cut", "pools")

    def __init__(self, nodes: Iterable[NodeSpec] = (), cut: Cut = BY_TIME) -> None:
        self.pools: list[Pool] = []
        self.cut = cut
        for node in nodes:
            self.add(node)

    def add(self, node: NodeSpec) -> None:
        """Bring in a node."""
        for pool in self.pools:
            if pool.kind == node.kind and pool.per_node == node.gpus:
                break
        else:
            pool = Pool(node.kind, node.gpus, self.cut)
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
        """Count the GPUs of which nobody holds anything."""
        pools = self.pools
        return pools[0].free_gpus if len(pools) == 1 else sum(pool.free_gpus for pool in pools)

    @property
    def busy_gpus(self) -> float:
        """Count the GPUs that are held, and of those that are cut what is held."""
        busy: float = self.total_gpus - self.free_gpus
        for pool in self.pools:
            if pool.cuts.idle_units:
                busy -= pool.cuts.idle_units / pool.cuts.cut.units
        return busy

    @property
    def is_full(self) -> bool:
        """Tell whether nothing is left, not even of a cut GPU."""
        return not any(pool.free_gpus or pool.cuts.has_room() for pool in self.pools)

    def place(self, gpus: float, kind: str = "") -> Placement | None:
        """Give GPUs of one kind, consolidated, or a part of one; None when they cannot be had now."""
        if gpus < 1:
            return self._place_part(gpus, kind)
        for pool in self.pools:
            if (not kind or pool.kind == kind) and (parts := pool.take(int(gpus))) is not None:
                return Placement(pool.kind, parts)
        return None

    def _place_part(self, part: float, kind: str) -> Placement | None:
        for pool in self.pools:
            if (not kind or pool.kind == kind) and (found := pool.take_part(part)) is not None:
                return Placement(pool.kind, (found[0],), found[1])
        return None

    def place_off(self, avoid: Collection[str], gpus: float, kind: str = "") -> Placement | None:
        """Give GPUs elsewhere than on some nodes."""
        before = self.close(avoid)
        placement = self.place(gpus, kind)
        self.reopen(before)
        return placement

    def could_hold(self, gpus: float, kind: str, without: Container[str]) -> bool:
        """Tell whether the nodes that are up, without some of them, have room for a job once they are free."""
        return any(pool.could_hold(gpus, without) for pool in self.pools if kind in ("", pool.kind))

    def give(self, placement: Placement) -> None:
        """Take GPUs back."""
        for pool in self.pools:
            if pool.kind == placement.kind and placement.parts[0][0] in pool.slots:
                if placement.piece:
                    pool.give_part(*placement.parts[0], placement.piece)
                else:
                    pool.give(placement.parts)
                return

    def claim(self, placement: Placement, node: str = "") -> None:
        """Take the very GPUs of a placement, of one of its nodes if one is named."""
        for pool in self.pools:
            for name, mask in placement.parts if pool.kind == placement.kind else ():
                if node and node != name:
                    continue
                if placement.piece:
                    pool.claim_part(name, mask, placement.piece)
                else:
                    pool.claim(name, mask)

    def close(self, nodes: Collection[str]) -> list[int]:
        """Let nothing be had on some nodes until `reopen`; give what was open before, which that takes."""
        before = [pool.open for pool in self.pools]
        for pool in self.pools:
            pool.open &= ~pool.bits(nodes)
        return before

    def reopen(self, before: list[int]) -> None:
        """Let what was open before be had again."""
        for pool, nodes in zip(self.pools, before, strict=True):
            pool.open = nodes

    def has(self, nodes: Collection[str]) -> bool:
        """Tell whether all of some nodes are up."""
        return sum((pool.bits(nodes) & pool.up).bit_count() for pool in self.pools) == len(nodes)

    def free_on(self, nodes: Collection[str]) -> int:
        """Count the free GPUs of some nodes."""
        return sum(pool.free_among(pool.bits(nodes)) for pool in self.pools)

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
