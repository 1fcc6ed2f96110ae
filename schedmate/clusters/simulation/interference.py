"""How much two jobs on the same GPUs slow each other down."""

import csv
from collections.abc import Iterable
from pathlib import Path

from schedmate.clusters import Profile
from schedmate.errors import InputError
from schedmate.traces.reading import open_text

Key = tuple[str, str, int, int]

OUTSIDE = frozenset({"NeuMF", "ResNet50", "BERT", "Transformer"})
"""Models that Lucid's table leaves out; its simulator runs them at full speed beside anyone."""
MEAN_SPEED = (1.0, 0.989, 0.948, 0.860, 0.757)
"""Lucid's measured mean speed by the sum of the two sharing scores; its 1.009 for two tiny jobs is noise, cut to 1."""


def key(profile: Profile) -> Key:
    """Name a program as the table does."""
    return profile.model, profile.dataset, profile.batch_size, profile.amp


class MeasuredInterference:
    """Speeds of measured pairs; a pair that was not measured goes by its sharing scores."""

    def __init__(self, pairs: dict[tuple[Key, Key], float], highest: float = float("inf")) -> None:
        self.pairs = pairs
        self.highest = highest
        """Measured speeds above 1 are noise; the published simulator keeps them."""
        self.known = {first for first, _ in pairs}

    def __call__(self, one: Profile, beside: Profile) -> float:
        """Give the first program's speed beside the second."""
        if one.model in OUTSIDE or beside.model in OUTSIDE:
            return 1.0
        speed = self.pairs.get((key(one), key(beside)))
        return by_score(one, beside) if speed is None else min(speed, self.highest)


def by_score(one: Profile, beside: Profile) -> float:
    """Give the published mean for programs that weigh as much as these."""
    return MEAN_SPEED[max(0, one.score) + max(0, beside.score)]


def by_load(one: Profile, beside: Profile) -> float:
    """Share a GPU evenly by what each would take of it: two programs that keep it busy alone run at half speed."""
    return min(1.0, 100.0 / max(one.gpu_util + beside.gpu_util, 1.0))


def read_interference(path: Path, highest: float = float("inf")) -> MeasuredInterference:
    """Read Lucid's colocate_info.csv; a pair stands in it once and is meant both ways."""
    try:
        with open_text(path) as stream:
            return MeasuredInterference(both_ways(csv.DictReader(stream)), highest)
    except (OSError, KeyError, ValueError, TypeError, csv.Error) as error:
        where = "Lucid publishes it: github.com/S-Lab-System-Group/Lucid, simulation/data/colocate_info.csv"
        raise InputError(f"{path} is not a table of measured pairs: {error!r}", where) from error


def both_ways(rows: Iterable[dict[str, str]]) -> dict[tuple[Key, Key], float]:
    """Give each job's speed beside the other; the order in which a pair was written down goes first."""
    pairs: dict[tuple[Key, Key], float] = {}
    turned: dict[tuple[Key, Key], float] = {}
    for row in rows:
        one, two = (
            (row[f"model{i}"], row[f"dataset{i}"], int(row[f"batchsize{i}"]), int(row[f"amp{i}"])) for i in "12"
        )
        pairs.setdefault((one, two), float(row["speed1"]))
        turned.setdefault((two, one), float(row["speed2"]))
    return turned | pairs
