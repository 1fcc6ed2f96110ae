"""Many opinions on one duration, weighed by how well each has lately done: an online mixture with honest quantiles.

Each opinion (an expert's log duration) stands there with several widths. A pair of expert and width is a component;
its weight is the Bayesian posterior of the group's latest ends, older ones forgotten, with what holds everywhere as
prior. So a user who repeats himself is believed to the minute and another one is not.
"""

from collections.abc import Sequence

import numpy as np

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

WIDTHS = np.array([0.08, 0.3, 1.2])
"""Scales of Laplace distributions on log durations: 8 %, a third, a factor of three."""
FORGET = 0.85
"""How much of a group's weights outlives one more end."""
FORGET_ALL = 0.999

PRIOR = 10.0
"""How many ends what holds everywhere is worth."""
WORST = -8.0
"""Log density that one surprise may cost at most, so that no component is ever out for good."""
GRID = np.linspace(0.0, 16.0, 161)
"""Log seconds: from one second to a hundred days."""


class Mixture:
    """Weighs experts by group; a group is whatever its caller makes of it."""

    def __init__(self, faith: Sequence[float]) -> None:
        """Begin with a log weight for each expert."""
        self.everywhere = np.repeat(np.array(faith)[:, None] / PRIOR, len(WIDTHS), axis=1)
        self.groups: dict[object, Array] = {}

    def weights(self, group: object, opinions: Array) -> Array:
        """Give each component's weight; who has no opinion has none."""
        scores = PRIOR * self.everywhere
        if group in self.groups:
            scores = scores + self.groups[group]
        scores = np.where(np.isnan(opinions)[:, None], -np.inf, scores)
        weights: Array = np.exp(scores - scores.max())
        weights /= weights.sum()
        return weights

    def quantiles(self, group: object, opinions: Array, shares: Sequence[float]) -> list[float]:
        """Give quantiles of the log duration; at least one expert has an opinion."""
        weights = self.weights(group, opinions)
        used = weights > 1e-4
        expert, width = np.nonzero(used)
        gaps = (GRID[:, None] - opinions[expert]) / WIDTHS[width]
        tails = 0.5 * np.exp(-np.abs(gaps))
        below = np.where(gaps < 0, tails, 1 - tails) @ (weights[used] / weights[used].sum())
        return [float(np.interp(share, below, GRID)) for share in shares]

    def learn(self, group: object, opinions: Array, truth: float) -> None:
        """Reward those components that made the truth likely; who had no opinion is treated as the average."""
        known = ~np.isnan(opinions)
        if not known.any():
            return
        density = np.maximum(-np.abs(truth - opinions[known])[:, None] / WIDTHS - np.log(2 * WIDTHS), WORST)
        scores = np.full((len(opinions), len(WIDTHS)), density.mean())
        scores[known] = density
        self.everywhere = FORGET_ALL * self.everywhere + (1 - FORGET_ALL) * scores
        before = self.groups.get(group)
        self.groups[group] = scores if before is None else FORGET * before + scores
