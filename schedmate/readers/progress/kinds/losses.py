"""Tell losses of one line, or of one run, from each other: the plainest, a sum, what has no other name."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from statistics import median

from schedmate.readers.progress.lines.fields import Field
from schedmate.readers.progress.lines.names import has, pieces_of, words
from schedmate.tools.late_patterns import late

SUMMED = 20.0
NO_LOSS = 4
LEAST_RISING = 2
NUMBERED = late(r"(.{0,40}\D)(\d{1,2})")
SUMS = {"total", "sum", "summed", "running", "cumulative", "accumulated"}


def loss_rank(name: str) -> float:
    """Order the names of losses: the plain one first, then totals, then what is averaged; and of fewer words before.

    What is called a cost or an error may be that of anything.
    """
    plain = name.replace("train/", "").replace("training", "").replace("train", "").strip(" _-/.")
    order = ("loss", "total_loss", "total loss", "loss_total", "loss total", "lm loss", "lm_loss")
    if plain in order:
        return order.index(plain)
    other = 0 if is_called_loss(plain) else NO_LOSS
    return (8 if "avg" in plain or "mean" in plain else 6) + other + len(pieces_of((plain,))) / 100


def plainest(names: Collection[str]) -> str:
    """Give the name of fewest words, and of these the first: `actor/loss` beside `actor/kl_loss`; alone it is any."""
    called = [name for name in names if is_called_loss(name)] if len(names) > 1 else names
    called = [name for name in called if not has(pieces_of(tuple(name.split())), "learning")] or called
    return min(called, key=lambda name: len(pieces_of(tuple(name.split()))), default="")


def is_called_loss(name: str) -> bool:
    """Tell what is called a loss, and no error or cost: those are of anything."""
    return has(pieces_of(tuple(name.split())), "loss_exact") or name.startswith("l_")


def is_sum(name: str, loss: float | None, last: tuple[float, int] | None) -> bool:
    """Tell a loss of a pass that is called a sum and is many times that of its steps; else it is as bad as it looks."""
    summed = not SUMS.isdisjoint(pieces_of(tuple(name.split())))
    return summed and loss is not None and last is not None and abs(loss) > SUMMED * abs(last[0]) > 0


def is_of_run(fields: Collection[Field]) -> bool:
    """Tell what sums a run up beside its whole time, `'train_runtime': 512.5, ... 'train_loss': 0.91`: a mean of it."""
    return any(one.role in {"elapsed", "time"} and "runtime" in one.name.lower() for one in fields)


def is_numbered_after(name: str, held: str) -> bool:
    """Tell the loss of a second optimizer from that of the first: `loss_1` beside `loss_0`."""
    one, other = NUMBERED.fullmatch(name.lower()), NUMBERED.fullmatch(held.lower())
    return one is not None and other is not None and one[1] == other[1] and int(one[2]) > int(other[2])


def whole_loss(fields: list[Field], numbers: Sequence[str]) -> list[Field]:
    """Read the one value that is called a total, and nothing else, as the loss of lines that count and tell none."""
    counts = any(one.role in {"step", "epoch"} for one in fields)
    total = next((one for one in fields if is_bare_total(one, numbers)), None)
    if not counts or total is None or any(one.role == "loss" and is_called_loss(one.name) for one in fields):
        return fields
    fields = [replace(one, role="metric") if one.role == "loss" else one for one in fields]
    return [replace(one, role="loss") if one.at == total.at else one for one in fields]


def is_bare_total(one: Field, numbers: Sequence[str]) -> bool:
    """Tell a broken number called `total` or `train_total`: no sum of things."""
    told = set(pieces_of((one.name,))) - words()["training"] == {"total"}
    return told and one.role in {"metric", "nothing"} and "." in numbers[one.at[0]]


def split_loss(fields: list[Field], free: Collection[str], numbers: Sequence[str]) -> list[Field]:
    """Read `epoch 7 | train 0.41 | val 0.52`, where values are called after the data alone, as losses.

    Scores are told so of three parts of the data: `Train: 0.83, Val: 0.79, Test: 0.78`.
    """
    pieces = pieces_of((*free, *(one.name for one in fields)))
    if any(one.role in {"loss", "loss_part"} for one in fields) or any(
        has(pieces, kind) for kind in ("scored", "loss")
    ):
        return fields
    counts = [one for one in fields if one.role in {"step", "epoch"}]
    trained = [one for one in fields if is_called(one, "training", numbers)]
    beside = [one for one in fields if is_called(one, "evaluation", numbers)]
    alone = len(fields) == len(counts) + 1
    if not counts or len(trained) != 1 or not (len(beside) == 1 or alone):
        return fields
    return [replace(one, role="loss") if one is trained[0] else one for one in fields]


def is_called(one: Field, split: str, numbers: Sequence[str]) -> bool:
    """Tell a broken number without a unit that is called after a part of the data, and nothing else."""
    called = bool(one.name) and words()[split].issuperset(pieces_of((one.name,)))
    return called and one.role in {"metric", "eval"} and not one.unit_known and "." in numbers[one.at[0]]


def is_score(name: str, values: Sequence[float]) -> bool:
    """Tell values that are called after the data alone and rise: `train 0.81` is a score then, and no loss."""
    told = [value for value in values if math.isfinite(value)]
    half = len(told) // 2
    if half < LEAST_RISING or not words()["training"].issuperset(pieces_of((name,))):
        return False
    return median(told[:half]) < median(told[-half:])


def costs_alone(fields: list[Field]) -> list[Field]:
    """Read `batch cost: 2.02` as what is learnt, where neither a unit nor a loss, rate or part beside it says time."""
    if any(one.role in {"loss", "loss_part", "part_time", "throughput", "steps_rate"} for one in fields):
        return fields
    return [replace(one, role="loss") if is_bare_cost(one) else one for one in fields]


def is_bare_cost(one: Field) -> bool:
    """Tell a cost of which nothing says that it is a time."""
    pieces = set(pieces_of((one.name,)))
    return one.role == "step_time" and not one.unit_known and pieces & words()["time"] == {"cost"}
