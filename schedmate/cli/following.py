"""`schedmate track --follow`: one table refreshed in place, or one JSON line whenever a log has moved."""

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime

from schedmate.cli.exposition import exposition, serve
from schedmate.cli.progress_table import table_of
from schedmate.cli.render import console
from schedmate.cli.saying import say
from schedmate.readers.progress.learning.learned import all_formats
from schedmate.readers.progress.watch import Watch, WatchedLog
from schedmate.schemas import GpuSample
from schedmate.tools.gpus import Gpus


class Follower:
    """Polls all logs once a second and shows them."""

    def __init__(self, paths: Sequence[str], gpus: Gpus | None) -> None:
        self.watch = Watch(paths, all_formats())
        self.gpus = gpus
        self.samples: tuple[GpuSample, ...] | None = None
        self.shown: dict[str, object] = {}
        self.exposed = ""
        """The page for Prometheus as of the last look: its server's threads must not touch the trackers."""

    def poll(self, expose: bool = False) -> None:
        """Look at every log and GPU once."""
        now_s = time.time()
        self.watch.poll(now_s)
        self.samples = self.gpus.sample() if self.gpus else None
        if expose:
            ratios = [change.ratio if (change := log.slowdown()) else None for log in self.watch.logs]
            self.exposed = exposition(self.watch.metrics(now_s), ratios, self.samples or ())

    def json_lines(self) -> list[str]:
        """Give a line for each log whose answer is not what it was."""
        lines = []
        for metrics, log in zip(self.watch.metrics(time.time()), self.watch.logs, strict=True):
            row = metrics.model_dump(mode="json") | {"slower": told(log)}
            if self.gpus:
                row["gpus"] = gpu_rows(self.samples)
            seen = {name: value for name, value in row.items() if name != "gpus"}
            if self.shown.get(log.path) != seen:
                self.shown[log.path] = seen
                lines.append(json.dumps(row))
        return lines


def gpu_rows(samples: Sequence[GpuSample] | None) -> list[dict[str, object]] | None:
    """Give GPU samples as JSON; null where there is no driver."""
    return None if samples is None else [one.model_dump(mode="json") for one in samples]


def told(log: WatchedLog) -> str:
    """Say that a job's pace has changed, and since when."""
    change = log.slowdown()
    if change is None:
        return ""
    since = datetime.fromtimestamp(change.moment_s).strftime("%H:%M")
    if change.is_slower:
        return f"x{change.ratio:.2g} slower since {since}"
    return f"x{1 / change.ratio:.2g} faster since {since}"


def follow(paths: Sequence[str], as_json: bool, prometheus: str, gpus: Gpus | None, interval_s: float) -> None:
    """Show the logs until interrupted."""
    follower = Follower(paths, gpus)
    with ExitStack() as stack:
        if prometheus:
            server = serve(prometheus, lambda: follower.exposed)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
        screen = console()
        if as_json or not screen.is_terminal:
            while True:
                follower.poll(bool(prometheus))
                for line in follower.json_lines():
                    say(line)
                time.sleep(interval_s)
        from rich.live import Live

        live = stack.enter_context(Live(console=screen, auto_refresh=False))
        while True:
            follower.poll(bool(prometheus))
            beside = [told(log) for log in follower.watch.logs]
            live.update(table_of(follower.watch.metrics(time.time()), beside, screen.width), refresh=True)
            time.sleep(interval_s)
