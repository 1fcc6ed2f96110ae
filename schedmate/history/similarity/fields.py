"""Which fields of a workload say what kind of job it is, and how much each counts.

The weights are reasoned, not fitted: what runs (model, data, task) decides what a job costs; how large it is decides
how much; framework, optimizer and precision differ within a kind as often as between kinds.
"""

import math
from dataclasses import dataclass
from typing import Literal

from schedmate.schemas import Workload

Kind = Literal["name", "number", "flag"]
SIZES = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True)
class ComparedField:
    """One field: how its values compare, and its weight."""

    name: str
    kind: Kind
    weight: float


FIELDS = (
    ComparedField("model_name", "name", 3.0),
    ComparedField("dataset_name", "name", 2.5),
    ComparedField("task_fine", "name", 2.0),
    ComparedField("model_type", "name", 1.0),
    ComparedField("task", "name", 1.0),
    ComparedField("framework", "name", 0.5),
    ComparedField("optimizer", "name", 0.5),
    ComparedField("distributed", "name", 0.25),
    ComparedField("precision", "name", 0.25),
    ComparedField("is_training", "flag", 2.0),
    ComparedField("param_size", "number", 1.5),
    ComparedField("num_gpus", "number", 0.5),
    ComparedField("global_batch_size", "number", 0.5),
    ComparedField("batch_size", "number", 0.25),
    ComparedField("epochs", "number", 0.5),
    ComparedField("total_steps", "number", 0.5),
    ComparedField("learning_rate", "number", 0.25),
    ComparedField("sequence_length", "number", 0.5),
)

DOUBT = 3.0
"""What knowing nothing weighs, as much as a model's name: agreeing in the little that is known is not enough."""


def name_of(workload: Workload, field: str) -> str:
    """Give a field's text; empty where it is unknown."""
    value = getattr(workload, field, None) or workload.extra.get(field)
    return str(value).strip() if value else ""


def number_of(workload: Workload, field: str) -> float | None:
    """Give a field's number, whatever it is written as; None where it is unknown or no number."""
    value = getattr(workload, field, None)
    if value is None:
        value = workload.extra.get(field)
    return value if value is None else parsed(str(value))


def parsed(text: str) -> float | None:
    """Read `7B`, `1,024` or `6e-4`; None for what is no finite number."""
    text = text.strip().replace(",", "").replace("_", "")
    scale = SIZES.get(text[-1:].upper(), 1.0)
    try:
        number = float(text[:-1] if scale > 1 else text) * scale
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
