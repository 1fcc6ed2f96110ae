"""The helper that follows all live logs for the loop: it tells metrics that have changed, and who slows down."""

import json
import os
import select
import sys
import time

from schedmate.readers.progress.loop.ends import Ends
from schedmate.readers.progress.reading import shared_shapes
from schedmate.scheduling.live.followed_logs import Watched
from schedmate.scheduling.live.messages import Message, News
from schedmate.scheduling.live.metering import EVERY_S
from schedmate.scheduling.live.saves import Saves
from schedmate.tools.gpus import Gpus

LOOK_S = 1.0


def tell(name: str, news: News | None) -> None:
    """Write down what there is to tell."""
    if news is not None:
        sys.stdout.write(json.dumps({"name": name, **news}) + "\n")


def obey(order: Message, watched: Watched) -> None:
    """Follow a log, leave it after a last look, or mark the moment at which it got company."""
    name = order["name"]
    if "path" in order:
        saves = Saves(order["path"], *order["saves"]) if order.get("saves") else None
        watched.follow(name, order["path"], order["gpus"], saves)
        watched.learn(name, Ends(*order["ends"]))
    elif "ends" in order:
        watched.learn(name, Ends(*order["ends"]))
    elif order.get("leave"):
        tell(name, watched.leave(name, time.time()))
    else:
        watched.mark(name, order["moment_s"])


def measure(watched: Watched, gpus: Gpus | None) -> Gpus | None:
    """Sample the GPUs, if there are any and somebody is on them; the driver is asked for when it is first needed."""
    meters = [each.meter for each in watched.logs.values() if each.meter is not None]
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
    watched = Watched(shared_shapes(None))
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
                obey(json.loads(line), watched)
        if time.monotonic() < next_s:
            continue
        if time.monotonic() >= sample_s:
            gpus, sample_s = measure(watched, gpus), time.monotonic() + EVERY_S
        for name, news in watched.look(time.time()):
            tell(name, news)
        sys.stdout.flush()
        next_s = time.monotonic() + look_s


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the loop has been killed; the next one has a helper of its own
        os._exit(0)
