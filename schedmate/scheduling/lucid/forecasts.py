"""How many jobs are about to come, in bins of ten minutes."""

import csv
from bisect import bisect_right
from pathlib import Path
from typing import Protocol

from schedmate.errors import InputError
from schedmate.traces.reading import open_text

AHEAD = 5
BIN_S = 600.0


class DemandForecast(Protocol):
    """Looks about an hour ahead."""

    def jobs_ahead(self, now_s: float) -> float:
        """Give the mean number of GPU jobs a bin; NaN beyond the forecast."""
        ...

    def gpus_ahead(self, now_s: float) -> float:
        """Give the mean number of GPUs a bin that they ask for; NaN beyond the forecast."""
        ...


class TableForecast:
    """A forecast that was published: one row a bin, the first at time 0."""

    def __init__(self, jobs: list[float], gpus: list[float]) -> None:
        self.jobs, self.gpus = jobs, gpus
        self.times_s = [i * BIN_S for i in range(len(jobs))]

    def jobs_ahead(self, now_s: float) -> float:
        """Average the next five bins."""
        return self.mean(self.jobs, now_s)

    def gpus_ahead(self, now_s: float) -> float:
        """Average the next five bins."""
        return self.mean(self.gpus, now_s)

    def mean(self, values: list[float], now_s: float) -> float:
        """Average the next five bins, or all that are left when there are no more than five."""
        first = bisect_right(self.times_s, now_s)
        left = values[first : first + AHEAD] if len(values) - first > AHEAD else values[first:]
        return sum(left) / len(left) if left else float("nan")


def read_forecast(path: Path) -> TableForecast:
    """Read Lucid's published form: columns pred_gpu_job and pred_gpu_num."""
    rows = read_pairs(path, "pred_gpu_job", "pred_gpu_num")
    return TableForecast([jobs for jobs, _ in rows], [gpus for _, gpus in rows])


def read_arrivals(path: Path) -> list[tuple[float, float]]:
    """Read what came before a trace: columns submit_gpu_job and submit_gpu_num, up to the trace's first midnight."""
    return read_pairs(path, "submit_gpu_job", "submit_gpu_num")


def read_pairs(path: Path, *names: str) -> list[tuple[float, float]]:
    """Read two columns of numbers."""
    with open_text(path) as stream:
        try:
            return [(float(row[names[0]]), float(row[names[1]])) for row in csv.DictReader(stream)]
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"{path} is not a table of bins: {error}", f"columns: {', '.join(names)}") from error
