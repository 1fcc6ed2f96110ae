"""What a profiler would measure of each job: read from a file, or drawn where there is none."""

import csv
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.traces.columns import Trace
from schedmate.traces.reading import open_text

PUBLISHED = "Lucid publishes it: github.com/S-Lab-System-Group/Lucid, simulation/data and simulation/analyzer"


@dataclass(frozen=True)
class Configuration:
    """A training program as far as packing cares."""

    model: str
    dataset: str
    batch_size: int
    amp: int
    gpu_util: float
    gpu_memory_util: float
    gpu_memory_mib: float
    score: int = -1
    """0 tiny, 1 medium, 2 jumbo; -1 where nobody has labelled it."""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """Name the program as the published tables do."""
        return self.model, self.dataset, self.batch_size, self.amp

    @property
    def measured(self) -> tuple[float, float, float]:
        """Give GPU utilisation, memory utilisation and memory."""
        return self.gpu_util, self.gpu_memory_util, self.gpu_memory_mib


@dataclass(frozen=True)
class Profiles:
    """Each job's configuration, by number."""

    configurations: tuple[Configuration, ...]
    codes: npt.NDArray[np.int32]


def configuration(row: dict[str, str]) -> Configuration:
    """Read the columns that Lucid's tables share."""
    return Configuration(
        row["model"],
        row["dataset"],
        int(row["batchsize"]),
        int(row["amp"]),
        float(row["gpu_util"]),
        float(row["gmem_util"]),
        float(row["gmem"]),
        int(row.get("label") or -1),
    )


def read_profiles(path: Path, trace: Trace, labels: dict[tuple[str, str, int, int], int]) -> Profiles:
    """Read a CSV of job_id and Lucid's columns; labels come from the table of single measurements."""
    numbers = {str(job_id): index for index, job_id in enumerate(trace.job_id)}
    codes = np.full(len(trace), -1, np.int32)
    found: dict[Configuration, int] = {}
    with open_text(path) as stream:
        for line, row in enumerate(csv.DictReader(stream), 2):
            index = numbers.get(row.get("job_id") or "")
            if index is None:
                continue
            try:
                config = configuration(row)
            except (KeyError, ValueError, TypeError) as error:
                raise InputError(f"{path}, line {line}: {error!r}", PUBLISHED) from error
            score = labels.get(config.key, -1)
            config = Configuration(**{**config.__dict__, "score": score if score >= 0 else config.score})
            codes[index] = found.setdefault(config, len(found))
    if (codes < 0).any():
        raise InputError(
            f"{path} has no profile for {int((codes < 0).sum())} of {how_many(len(trace), 'job')}", PUBLISHED
        )
    return Profiles(tuple(found), codes)


def read_labels(path: Path) -> list[Configuration]:
    """Read Lucid's single_data.csv: configurations as measured alone, each with its sharing score."""
    with open_text(path) as stream:
        try:
            return [configuration(row) for row in csv.DictReader(stream)]
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"{path} is not a table of single measurements: {error!r}", PUBLISHED) from error


QUARTERS = 4


@dataclass(frozen=True)
class WarmUp:
    """How long programs load and compile before their GPUs are busy; lognormal, drawn once a job."""

    median_s: float
    sigma: float = 1.0

    def draw(self, count: int, seed: int) -> npt.NDArray[np.float64]:
        """Give each job's seconds."""
        return self.median_s * np.random.default_rng((seed, 43)).lognormal(0.0, self.sigma, count)


def as_profiled(profiles: Profiles, warm_s: npt.NDArray[np.float64], window_s: float) -> Profiles:
    """Give what a profiler sees that looks at the first seconds only: GPUs that are idle while a program warms up.

    Memory is taken from the start. The part of the window that shows the program is rounded to quarters.
    """
    part = np.round(np.clip(1 - warm_s / window_s, 0.0, 1.0) * QUARTERS).astype(np.int64)
    pairs, codes = np.unique(profiles.codes * (QUARTERS + 1) + part, return_inverse=True)
    seen = [
        thinned(profiles.configurations[pair // (QUARTERS + 1)], pair % (QUARTERS + 1) / QUARTERS)
        for pair in pairs.tolist()
    ]
    return Profiles(tuple(seen), codes.astype(np.int32))


def thinned(one: Configuration, part: float) -> Configuration:
    """Scale utilisation; a label was given to the whole program and does not hold for a part of it."""
    if part == 1.0:
        return one
    return replace(one, gpu_util=one.gpu_util * part, gpu_memory_util=one.gpu_memory_util * part, score=-1)


CLASSES = ((0, 25, 12.8, 4.9, 2360.0), (1, 16, 43.8, 17.0, 2528.0), (2, 25, 94.0, 60.9, 4078.0))
"""Score, share, and medians of GPU utilisation, memory utilisation and memory in Lucid's single measurements."""
VARIANTS = 8

DRAWN = "drawn"
"""Stands for the data set of a program that nobody measured."""


def draw_profiles(trace: Trace, seed: int) -> Profiles:
    """Draw a configuration a job where nothing was measured; a user's jobs of one name share theirs, as in life."""
    random = np.random.default_rng(seed)
    shares = np.array([share for _, share, *_ in CLASSES], float)
    configurations = []
    for score, _, *typical in CLASSES:
        for variant in range(VARIANTS):
            util, memory_util, mib = (float(value) for value in typical * random.lognormal(0, 0.25, 3))
            measured = (min(util, 100.0), min(memory_util, 100.0), min(mib, 22_000.0))
            configurations.append(Configuration(f"class-{score}-{variant}", DRAWN, 0, 0, *measured, score))
    groups = trace.user.codes.astype(np.int64) * len(trace.job_name.words) + trace.job_name.codes
    if len(np.unique(groups)) < 2:
        groups = np.arange(len(trace))
    _, member = np.unique(groups, return_inverse=True)
    kinds = random.choice(len(CLASSES), member.max() + 1, p=shares / shares.sum()) * VARIANTS
    kinds += random.integers(0, VARIANTS, len(kinds))
    return Profiles(tuple(configurations), kinds[member].astype(np.int32))
