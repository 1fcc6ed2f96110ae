"""What a training that resembles none is thought to gain from more GPUs, before it has made a step of its own."""

from collections.abc import Sequence

import numpy as np

from schedmate.clusters.elastic import Configurations, Elastic, Floats

WEIGHED = -0.5
"""Gains are averaged as Sia weighs them, which minds too little more than too much."""


def average_gain(others: Sequence[Elastic], shapes: Configurations, most_gpus: int) -> Floats | None:
    """Give the average of what others gain in each shape over their least; 0 where one of them has no use for it.

    None when nothing is known of any.
    """
    rows = [row for row in (other.goodputs(shapes) for other in others) if row is not None and (row > 0).any()]
    if not rows:
        return None
    gains = np.array([row / row[row > 0].min() for row in rows])
    usable = (gains > 0).all(axis=0) & (shapes.gpus <= most_gpus)
    values = np.zeros(len(shapes.gpus))
    values[usable] = (gains[:, usable] ** WEIGHED).mean(axis=0) ** (1 / WEIGHED)
    return values
