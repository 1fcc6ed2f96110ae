"""Compare two workloads field by field, and say what the result rests on.

Unknown fields are no evidence either way. The raw score is calibrated so that 0.90 means: of pairs that score so, and
as many of one kind as of different kinds, nine in ten are of one kind (`python -m evals retrieval`).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from schedmate.history.similarity.fields import DOUBT, FIELDS, ComparedField, name_of, number_of
from schedmate.history.similarity.names import NameCloseness
from schedmate.schemas import Workload

SLOPE, EVEN = 33.0, 0.47
"""The calibration: at a raw score of EVEN both kinds of pairs are as likely."""
AGREE, DIFFER = 0.8, 0.6
"""From which closeness on a field counts as agreeing, and below which as differing."""
FOURFOLD = math.log(4.0)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two workloads are; the fields are named most telling first."""

    similarity: float
    raw: float
    agrees: tuple[str, ...]
    differs: tuple[str, ...]


def compare(one: Workload, two: Workload, names: NameCloseness) -> Likeness:
    """Weigh the fields that both know."""
    total, known = 0.0, DOUBT
    agrees: list[str] = []
    differs: list[str] = []
    for field in FIELDS:
        closeness = field_closeness(field, one, two, names)
        if closeness is None:
            continue
        total += field.weight * closeness
        known += field.weight
        if closeness >= AGREE:
            agrees.append(field.name)
        elif closeness < DIFFER:
            differs.append(field.name)
    raw = total / known
    return Likeness(calibrated(raw), raw, tuple(agrees), tuple(differs))


def field_closeness(field: ComparedField, one: Workload, two: Workload, names: NameCloseness) -> float | None:
    """Say from 0 to 1 how close one field's values are; None where either is unknown."""
    if field.kind == "name":
        first, second = name_of(one, field.name), name_of(two, field.name)
        return names.closeness(first, second) if first and second else None
    if field.kind == "flag":
        mine, theirs = getattr(one, field.name), getattr(two, field.name)
        return None if mine is None or theirs is None else float(mine == theirs)
    left, right = number_of(one, field.name), number_of(two, field.name)
    return None if left is None or right is None else ratio_closeness(left, right)


def ratio_closeness(left: float, right: float) -> float:
    """Halve with every factor of four; that one is zero and the other is not says as much as a factor of sixteen."""
    if left == right:
        return 1.0
    if min(left, right) == 0:
        return 0.25
    return float(0.5 ** (abs(math.log(left) - math.log(right)) / FOURFOLD))


def calibrated(raw: float) -> float:
    """Turn the raw score into the chance that two jobs are of one kind, at even odds."""
    return 1.0 / (1.0 + math.exp(-SLOPE * (raw - EVEN)))


def texts_of(workloads: Iterable[Workload]) -> list[str]:
    """List the names that a comparison will need, to embed them in one go."""
    names = [field.name for field in FIELDS if field.kind == "name"]
    return [text for workload in workloads for name in names if (text := name_of(workload, name))]
