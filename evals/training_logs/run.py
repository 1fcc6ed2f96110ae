"""One training run: how long its steps take, what its loss does, what time it is."""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta


@dataclass
class Run:
    """The numbers behind a log; every library prints some of them."""

    dice: random.Random
    step_s: float = 0.0
    steps: int = 0
    total: int = 0
    every: int = 10
    batch: int = 32
    start: datetime = field(default_factory=lambda: datetime(2025, 1, 1, tzinfo=UTC))

    def took(self, step: int) -> float:
        """Seconds of one step: slow at first, then with little noise."""
        slow = 6.0 if step <= 1 else 1.0
        return self.step_s * slow * (1 + random.Random(f"{self.start}{step}").uniform(-0.04, 0.04))

    def loss(self, step: int) -> float:
        noise = random.Random(f"{self.start}loss{step}").uniform(-0.05, 0.05)
        return round(0.6 + 7 / (1 + step / 30) + noise, 4)

    def at(self, step: float) -> float:
        """Seconds since the start, after so many steps."""
        return 9 + self.step_s * (step + 5)

    def clock(self, step: float, form: str) -> str:
        moment = self.start + timedelta(seconds=self.at(step))
        return moment.strftime(form.replace("%3", f"{moment.microsecond // 1000:03d}"))

    def reports(self) -> list[int]:
        return list(range(self.every, self.steps + 1, self.every))


@dataclass
class Told:
    """A log's lines and what a reader should find in them; an empty cell is not asked for."""

    framework: str
    lines: list[str]
    step_time_s: str = ""
    loss: float | str = ""
    step: int | str = ""
    total_steps: int | str = ""
    epoch: float | str = ""
    note: str = ""


def draw_run(dice: random.Random) -> Run:
    """Draw a run of some dozens of reports."""
    run = Run(dice)
    run.step_s = round(10 ** dice.uniform(-1.6, 0.9), 4)
    run.every = dice.choice((1, 10, 10, 20, 50, 100))
    run.steps = run.every * dice.randrange(8, 60)
    run.total = run.steps * dice.choice((2, 3, 10))
    run.batch = dice.choice((8, 16, 32, 64, 256))
    run.start += timedelta(seconds=dice.randrange(300 * 86_400))
    return run


def seconds(value: float) -> str:
    """Write a label's number."""
    return f"{value:.6g}"


def hms(value: float) -> str:
    """Write seconds as bars do: 01:05, or 2:01:05."""
    whole = int(value)
    head = f"{whole // 3600}:{whole % 3600 // 60:02d}" if whole >= 3600 else f"{whole // 60:02d}"
    return f"{head}:{whole % 60:02d}"
