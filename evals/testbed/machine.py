"""How busy the machine was meanwhile, so that a reader can judge what times are worth."""

import os
import threading
import time
from pathlib import Path
from statistics import fmean
from types import TracebackType

EVERY_S = 2.0


class Machine(threading.Thread):
    """Looks every two seconds at the load, the processors and the memory."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.is_over = threading.Event()
        self.loads: list[float] = []
        self.free_gib: list[float] = []
        self.begun = self.ticks()
        self.begun_s = time.monotonic()

    def __enter__(self) -> "Machine":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_over.set()

    def run(self) -> None:
        """Look until it is over."""
        while not self.is_over.wait(EVERY_S):
            self.loads.append(os.getloadavg()[0])
            words = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
            self.free_gib.append(int(words["MemAvailable"].split()[0]) / 2**20)

    @staticmethod
    def ticks() -> tuple[int, int]:
        """Give the processors' busy and whole time so far."""
        spent = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return sum(spent) - spent[3] - spent[4], sum(spent)

    def told(self) -> dict[str, float]:
        """Sum up."""
        busy, whole = (now - then for now, then in zip(self.ticks(), self.begun, strict=True))
        return {
            "took_s": time.monotonic() - self.begun_s,
            "load": fmean(self.loads or [0.0]),
            "most_load": max(self.loads, default=0.0),
            "busy": busy / max(whole, 1),
            "least_free_gib": min(self.free_gib, default=0.0),
        }
