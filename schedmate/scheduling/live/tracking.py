"""The helper that follows all live logs for the loop: it tells metrics that have changed, and who slows down."""

import json
import os
import select
import sys
import time
from collections.abc import Sequence
from typing import Any

from schedmate.readers.progress.reading import shared_shapes
from schedmate.readers.progress.shapes import Shapes
from schedmate.readers.progress.watch import WatchedLog, start
from schedmate.scheduling.live.metering import EVERY_S, Meter
from schedmate.tools.gpus import Gpus

LOOK_S = 1.0


class Following:
    """A log and what was last told of it."""

    def __init__(self, path: str, shapes: Shapes, devices: Sequence[int] = ()) -> None:
        self.log: WatchedLog = start(path, shapes)
        self.meter = Meter(devices) if devices else None
        """None where there is no GPU, or another job is on it too."""
        self.taken: dict[str, Any] | None = None
        self.moment_s: float | None = None
        """When another job came beside this one."""
        self.told: tuple[Any, ...] = ()

    def look(self, now_s: float) -> dict[str, Any] | None:
        """Read what is new; give what there is to tell."""
        self.log.poll(now_s)
        tracker = self.log.tracker
        metrics = tracker.metrics(now_s)
        slow = None if self.moment_s is None else tracker.slowdown(self.moment_s)
        if self.meter is not None:
            self.taken = self.meter.told()
        state = (metrics.step, metrics.epoch, metrics.loss, metrics.phase, slow and slow.ratio, self.taken)
        if state == self.told:
            return None
        self.told = state
        shown = metrics.model_dump(mode="json", exclude={"evidence", "log", "elapsed_s", "engine"})
        speed = None if slow is None else {"ratio": slow.ratio, "low": slow.low, "high": slow.high}
        return {"metrics": shown, "slow": speed, "hardware": self.taken}


def tell(name: str, news: dict[str, Any] | None) -> None:
    """Write down what there is to tell."""
    if news is not None:
        sys.stdout.write(json.dumps({"name": name, **news}) + "\n")


def obey(order: dict[str, Any], followed: dict[str, Following], shapes: Shapes) -> None:
    """Follow a log, leave it after a last look, or mark the moment at which it got company."""
    name = order["name"]
    if "path" in order:
        followed[name] = Following(order["path"], shapes, order["gpus"])
    elif order.get("leave"):
        if name in followed:
            tell(name, followed.pop(name).look(time.time()))
    elif name in followed:
        followed[name].moment_s = order["moment_s"]
        followed[name].meter = None


def measure(followed: dict[str, Following], gpus: Gpus | None) -> Gpus | None:
    """Sample the GPUs, if there are any and somebody is on them; the driver is asked for when it is first needed."""
    meters = [each.meter for each in followed.values() if each.meter is not None]
    if not meters:
        return gpus
    gpus = gpus or Gpus()
    sampled = gpus.sample() or ()
    for meter in meters:
        meter.add(sampled)
    return gpus


def main() -> None:
    """Look at all logs, once in a while, until nobody listens any more."""
    look_s = float(os.environ.get("SCHEDMATE_LOOK_S") or LOOK_S)
    followed: dict[str, Following] = {}
    shapes = shared_shapes(None)
    gpus: Gpus | None = None
    rest, next_s, sample_s = b"", 0.0, 0.0
    while True:
        pause_s = max(0.0, next_s - time.monotonic())
        if select.select([0], [], [], pause_s)[0]:
            data = os.read(0, 1 << 16)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                obey(json.loads(line), followed, shapes)
        if time.monotonic() < next_s:
            continue
        if time.monotonic() >= sample_s:
            gpus, sample_s = measure(followed, gpus), time.monotonic() + EVERY_S
        now_s = time.time()
        for name, each in followed.items():
            tell(name, each.look(now_s))
        sys.stdout.flush()
        next_s = time.monotonic() + look_s


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the loop has been killed; the next one has a helper of its own
        os._exit(0)
