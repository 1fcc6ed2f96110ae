"""All live logs: each is read at every look, and of those that have grown as many are worked out as there is time for.

To work metrics out costs several times what reading does. With thousands of logs that all grow, each has its turn every
few looks; with a few, at every look; and those that share their slots come first, because somebody may have to go.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.loop.ends import Ends
from schedmate.readers.progress.watch import WatchedLog, start
from schedmate.scheduling.live.messages import Message, News, TimesSlower
from schedmate.scheduling.live.metering import Meter
from schedmate.scheduling.live.saves import Saves

BUDGET_S = 0.25
"""CPU seconds of one look that go into working out metrics."""


class Following:
    """A log and what was last told of it."""

    def __init__(self, path: str, shapes: Shapes, devices: Sequence[int] = (), saves: Saves | None = None) -> None:
        self.log: WatchedLog = start(path, shapes)
        self.meter = Meter(devices) if devices else None
        """None where there is no GPU, or another job is on it too."""
        self.saves = saves
        """None where it is not known in which directory the job works."""
        self.taken: Message | None = None
        self.moment_s: float | None = None
        """When another job came beside this one."""
        self.told: tuple[object, ...] = ()
        self.told_load: tuple[float, float] | None = None

    def look(self, now_s: float) -> News | None:
        """Read what is new; give what there is to tell."""
        self.log.poll(now_s)
        return self.news(now_s)

    def news(self, now_s: float) -> News | None:
        """Work out what is read already; None where that is what was told last."""
        tracker = self.log.tracker
        changed_s = self.log.changed_s()
        metrics = tracker.metrics(now_s, changed_s)
        if metrics.phase == "stalled":
            seen_s = tracker.pace.clock.seen_s if tracker.pace.clock.gaps else changed_s
            metrics = metrics.model_copy(update={"still_since_s": seen_s})
        slow = None if self.moment_s is None else tracker.slowdown(self.moment_s)
        if self.meter is not None:
            self.taken = self.meter.told()
        saved = self.saves.saved if self.saves is not None else None
        load = self.meter.load.points if self.meter is not None else []
        last = load[-1] if load else None
        state = (
            metrics.step,
            metrics.epoch,
            metrics.loss,
            metrics.phase,
            metrics.total_steps,
            metrics.total_epochs,
            slow and slow.ratio,
            self.taken,
            saved,
            last,
        )
        if state == self.told:
            return None
        is_new, self.told_load = last != self.told_load, last
        self.told = state
        shown = metrics.model_dump(mode="json", exclude={"evidence", "log", "elapsed_s", "engine"})
        speed = None if slow is None else TimesSlower(ratio=slow.ratio, low=slow.low, high=slow.high)
        return {
            "metrics": shown, "slow": speed, "hardware": self.taken, "saved": saved,
            "load": list(load) if is_new else None,
        }  # fmt: skip


class Watched:
    """The logs that are followed, by name."""

    def __init__(
        self, shapes: Shapes, budget_s: float = BUDGET_S, cpu_s: Callable[[], float] = time.process_time
    ) -> None:
        self.shapes = shapes
        self.budget_s = budget_s
        self.cpu_s = cpu_s
        self.logs: dict[str, Following] = {}
        self.turns: deque[str] = deque()
        """Names in the order of their turns; those that were left are passed by."""

    def follow(self, name: str, path: str, devices: Sequence[int], saves: Saves | None = None) -> None:
        """Follow a log from now on."""
        if name not in self.logs:
            self.turns.append(name)
        self.logs[name] = Following(path, self.shapes, devices, saves)

    def learn(self, name: str, ends: Ends) -> None:
        """Hear where a run ends, by its command or its code."""
        if name in self.logs:
            self.logs[name].log.tracker.learn(ends)

    def leave(self, name: str, now_s: float) -> News | None:
        """Look at a log once more, and no more after that."""
        each = self.logs.pop(name, None)
        return None if each is None else each.look(now_s)

    def mark(self, name: str, moment_s: float) -> None:
        """Hear that a job got company; what it takes of its GPUs cannot be told from then on."""
        each = self.logs.get(name)
        if each is not None:
            each.moment_s, each.meter = moment_s, None

    def look(self, now_s: float) -> Iterator[tuple[str, News]]:
        """Read all that is new; give what there is to tell of those whose turn it is."""
        for each in self.logs.values():
            each.log.poll(now_s)
        for name in [name for name, each in self.logs.items() if each.moment_s is not None]:
            if (news := self.logs[name].news(now_s)) is not None:
                yield name, news
        until_s = self.cpu_s() + self.budget_s
        for _ in range(len(self.turns)):
            name = self.turns.popleft()
            if name not in self.logs:
                continue
            self.turns.append(name)
            if (saves := self.logs[name].saves) is not None:
                saves.look(now_s)
            if (news := self.logs[name].news(now_s)) is not None:
                yield name, news
            if self.cpu_s() >= until_s:
                return
