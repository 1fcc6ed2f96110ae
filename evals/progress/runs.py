"""A training run that is simulated: when each report came and what it said, and what there is to be read of it."""

import random
from dataclasses import dataclass, field


@dataclass
class Truth:
    """What there is to be read; None where the log does not say it."""

    step_time_s: float | None = None
    also_s: float | None = None
    loss: float | None = None
    step: int | None = None
    total_steps: int | None = None
    epoch: float | None = None
    throughput: float | None = None


@dataclass
class Run:
    """A simulated training run: the moment and the values of each report."""

    rng: random.Random
    clock: str
    step_time_s: float
    stride: int
    reports: int
    total: int
    first: int
    per_epoch: int | None
    batch: int
    rows: list[dict[str, float]] = field(default_factory=list)

    def simulate(self) -> None:
        """Let the steps pass, with jitter, a slow start and now and then a pause."""
        now = self.rng.uniform(0, 30) + self.first * self.step_time_s
        step = self.first
        for report in range(self.reports):
            passed = sum(self.step_time_s * self.rng.uniform(0.93, 1.07) for _ in range(min(self.stride, 40)))
            passed *= self.stride / min(self.stride, 40)
            if report == 0 and self.first <= self.stride:
                passed *= self.rng.choice((1, 1.5, 4))
            now += passed
            step += self.stride
            if step > self.total:
                break
            self.rows.append(
                {"step": step, "now": now, "spent": passed, "per_step": passed / self.stride,
                 "loss": 4.0 / (1 + 0.01 * step) + self.rng.uniform(0, 0.05), "rate": self.stride / passed}
            )  # fmt: skip
            if self.rng.random() < 0.03:
                now += self.step_time_s * self.stride * 5
