"""What a run takes of its GPUs, sampled while it has them to itself: what is packed later is packed by this."""

import time
from collections.abc import Callable, Iterable, Sequence

from schedmate.scheduling.live.messages import Message
from schedmate.schemas import GpuSample, Hardware

EVERY_S = 5.0

WARM_UP = 6
"""Samples at the beginning that do not count: a job reads its data first, and would look lighter than it is."""

MOST_POINTS = 240


class Load:
    """How busy GPUs were over time, in bounded memory: the longer it gets, the longer a point stands for."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []
        self.of_each = 1
        """How many samples one point is the mean of."""
        self.gathered: list[float] = []

    def add(self, at_s: float, share: float) -> None:
        """Take in one sample."""
        self.gathered.append(share)
        if len(self.gathered) < self.of_each:
            return
        self.points.append((round(at_s, 1), round(sum(self.gathered) / self.of_each, 3)))
        self.gathered.clear()
        if len(self.points) >= MOST_POINTS:
            pairs = zip(self.points[::2], self.points[1::2], strict=True)
            self.points = [(later[0], round((first[1] + later[1]) / 2, 3)) for first, later in pairs]
            self.of_each *= 2


class Meter:
    """Sums over the GPUs of one run."""

    def __init__(self, devices: Sequence[int], clock: Callable[[], float] = time.time) -> None:
        self.devices = frozenset(devices)
        self.clock = clock
        self.load = Load()
        self.samples = 0
        self.util: list[float] = []
        self.power_w: list[float] = []
        self.memory_gib: float | None = None

    def add(self, sampled: Iterable[GpuSample]) -> None:
        """Take in one look at all GPUs of the machine."""
        mine = [one for one in sampled if one.index in self.devices]
        if not mine:
            return
        held = [one.memory_used_gib for one in mine if one.memory_used_gib is not None]
        if held:
            self.memory_gib = max([*held, self.memory_gib or 0.0])
        self.samples += 1
        shares = [one.utilization for one in mine if one.utilization is not None]
        if shares:
            self.load.add(self.clock(), sum(shares) / len(shares))
        if self.samples > WARM_UP:
            add_mean(self.util, [one.utilization for one in mine])
            add_mean(self.power_w, [one.power_w for one in mine])

    def told(self) -> Message | None:
        """Give what a run took so far; None while it has only just begun."""
        if not self.util or self.memory_gib is None:
            return None
        hardware = Hardware(
            gpu_util=round(self.util[0], 2),
            gpu_memory_gib=round(self.memory_gib, 1),
            power_w=round(self.power_w[0]) if self.power_w else None,
        )
        return hardware.model_dump(mode="json")


def add_mean(state: list[float], values: Sequence[float | None]) -> None:
    """Add one look to a running mean: `state` is empty, or the mean and how many looks it is of."""
    known = [value for value in values if value is not None]
    if known:
        mean, count = state or (0.0, 0.0)
        state[:] = [mean + (sum(known) / len(known) - mean) / (count + 1), count + 1]
