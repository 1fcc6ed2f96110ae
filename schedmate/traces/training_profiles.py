"""Measured training runs as Pollux and Sia publish them: step times by placement, and progress by epoch."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from schedmate.errors import InputError
from schedmate.traces.reading import open_text

Floats = npt.NDArray[np.float64]
WHERE = (
    "Pollux publishes them: github.com/petuum/adaptdl, branch osdi21-artifact, simulator/traces; "
    "Sia, for more kinds of GPU: github.com/siasosp23/artifacts, sia-simulator/traces"
)
PARAMETERS = ("alpha_c", "beta_c", "alpha_n", "beta_n", "alpha_r", "beta_r", "gamma")


@dataclass(frozen=True)
class StepTable:
    """Seconds a step on one kind of GPU: rows of nodes, replicas, batch a GPU, step and synchronisation time."""

    placement: tuple[str, ...]
    """GPUs on each node, a digit a node, for rows that are placements; empty for rows by count."""
    rows: Floats

    def by_placement(self) -> dict[str, Floats]:
        """Group the rows of each placement, by batch."""
        groups: dict[str, list[Floats]] = {}
        for word, row in zip(self.placement, self.rows, strict=True):
            if word:
                groups.setdefault(word, []).append(row)
        return {word: np.array(sorted(rows, key=lambda row: row[2])) for word, rows in groups.items()}


@dataclass(frozen=True)
class Fitted:
    """The seven parameters of the step-time model where no table is at hand, and the batches that were tried."""

    parameters: tuple[float, ...]
    least_batch: int
    most_batch: int


@dataclass(frozen=True)
class Epochs:
    """One training run at one batch size, a row an epoch."""

    progress: Floats
    grad_sqr: Floats
    grad_var: Floats


@dataclass(frozen=True)
class TrainingProfile:
    """All that was measured of one application."""

    name: str
    steps: dict[str, StepTable]
    fitted: dict[str, Fitted]
    runs: dict[int, Epochs]
    """By total batch size, the smallest first."""


def read_training_profiles(folder: Path) -> dict[str, TrainingProfile]:
    """Read every application's folder, and `sia_perf_params.csv` in it or beside it."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder} of training profiles", WHERE)
    fitted = read_fitted(folder)
    profiles = {}
    for path in sorted(path for path in folder.iterdir() if path.is_dir()):
        runs = {int(stem(file).partition("-")[2]): read_epochs(file) for file in path.glob("validation-*.csv*")}
        if runs:
            steps = {kind: read_steps(path, kind) for kind in kinds(path)}
            profiles[path.name] = TrainingProfile(
                path.name, steps, fitted.get(path.name, {}), dict(sorted(runs.items()))
            )
    if not profiles:
        raise InputError(f"{folder} holds no training profiles (application/validation-*.csv)", WHERE)
    return profiles


def stem(path: Path) -> str:
    """Give a file's name without .csv or .csv.gz."""
    return path.name.removesuffix(".gz").removesuffix(".csv")


def kinds(folder: Path) -> list[str]:
    """List the kinds of GPU that have a table; the one without a suffix is Pollux's T4 cluster, named aws by Sia."""
    found = {stem(path).partition("-")[2] for path in folder.glob("placements*.csv*")}
    return sorted(found - {""}) or ["aws"]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Read a table; a file that cannot be read is told by name."""
    with open_text(path) as stream:
        return list(csv.DictReader(stream))


def read_steps(folder: Path, kind: str) -> StepTable:
    """Read placements, then the rows by count."""
    words: list[str] = []
    rows: list[tuple[float, ...]] = []
    try:
        for row in rows_of(find(folder, "placements", kind)):
            word = row["placement"]
            words.append(word)
            rows.append((len(word), sum(map(int, word)), *measured(row)))
        for row in rows_of(find(folder, "scalability", kind)):
            words.append("")
            rows.append((float(row["num_nodes"]), float(row["num_replicas"]), *measured(row)))
    except (KeyError, ValueError) as error:
        raise InputError(f"{folder} holds a table of another form: {error!r}", WHERE) from error
    return StepTable(tuple(words), np.array(rows))


def measured(row: dict[str, str]) -> tuple[float, float, float]:
    """Read batch, step and synchronisation time."""
    return float(row["local_bsz"]), float(row["step_time"]), float(row["sync_time"])


def find(folder: Path, name: str, kind: str) -> Path:
    """Find a table, packed or not, with the kind in its name or without."""
    for word in (f"{name}-{kind}", name):
        for suffix in (".csv", ".csv.gz"):
            if (path := folder / f"{word}{suffix}").is_file():
                return path
    raise InputError(f"{folder} has no {name} for {kind}", WHERE)


def read_epochs(path: Path) -> Epochs:
    """Read one run."""
    rows = rows_of(path)
    try:
        columns = [np.array([float(row[name]) for row in rows]) for name in ("progress", "grad_sqr", "grad_var")]
    except (KeyError, ValueError) as error:
        raise InputError(f"{path} is a table of another form: {error!r}", WHERE) from error
    return Epochs(*columns)


def read_fitted(folder: Path) -> dict[str, dict[str, Fitted]]:
    """Read fits by application and kind: seven parameters and the ranges they hold in."""
    fitted: dict[str, dict[str, Fitted]] = {}
    for path in (folder / "sia_perf_params.csv", folder.parent / "sia_perf_params.csv"):
        if not path.is_file():
            continue
        for row in rows_of(path):
            one = Fitted(
                tuple(float(row[name]) for name in PARAMETERS),
                int(row["min_local_bsz"]),
                int(row["max_local_bsz"]),
            )
            fitted.setdefault(row["app"], {})[row["gpu_type"]] = one
        break
    return fitted
