"""Tell what a pass cost in time from what it cost in loss, by the losses beside it."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.kinds.kinds import Read
from schedmate.readers.progress.kinds.losses import is_called_loss
from schedmate.readers.progress.lines.fields import Field, Shape
from schedmate.readers.progress.lines.names import pieces_of

LEAST = 4

BEYOND, FAR_BEYOND = 3.0, 20.0
"""So many times the losses beside it each cost is, and half of them, that can be no sum of theirs."""


def time_of_pass(shape: Shape, lines: Sequence[Read]) -> Shape | None:
    """Read `[Epoch 7] Training cost: 512.3, obj_loss=3.1` as seconds: what is learnt has its own names there."""
    costs = [one for one in shape.fields if one.role == "loss" and is_cost(one)]
    losses = [one for one in shape.fields if one.role in {"loss", "loss_part"} and is_called_loss(one.name)]
    passes = shape.find("epoch") is not None and shape.find("step") is None
    if not passes or len(costs) != 1 or not losses or len(lines) < LEAST:
        return None
    ratios = sorted(ratio(line, costs[0], losses) for line in lines)
    if ratios[0] < BEYOND or ratios[len(ratios) // 2] < FAR_BEYOND:
        return None
    return replace(
        shape, fields=tuple(replace(one, role="epoch_time") if one in costs else one for one in shape.fields)
    )


def is_cost(one: Field) -> bool:
    """Tell what is called a cost, and no loss."""
    return "cost" in pieces_of((one.name,)) and not is_called_loss(one.name)


def ratio(line: Read, cost: Field, losses: Sequence[Field]) -> float:
    """Give how many times the sum of the losses a cost is; of none that is above nought it tells nothing."""
    beside = sum(abs(one.value(line.numbers)) for one in losses)
    return cost.value(line.numbers) / beside if beside > 0 else 0.0
