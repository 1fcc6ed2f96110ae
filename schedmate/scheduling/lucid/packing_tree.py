"""Lucid's packing analysis: a decision tree from what a profiler measures to how much room a job leaves for another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from schedmate.errors import InputError
from schedmate.traces.profiles import Configuration, Profiles

Key = tuple[str, str, int, int]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SCORES = 3

JUMBO, MEDIUM = 0.85, 0.95
"""Mean speed beside others below which a configuration is jumbo (2), or medium (1); else it is tiny (0)."""
PRUNE = 1e-4
"""A split must lower the impurity by this much a leaf."""


class TreeNode(NamedTuple):
    """A question and where its answers lead, or a leaf with its score."""

    score: int
    feature: int = -1
    threshold: float = 0.0
    below: "TreeNode | None" = None
    above: "TreeNode | None" = None

    def decide(self, features: Floats) -> int:
        """Walk down to a leaf."""
        node = self
        while node.below is not None and node.above is not None:
            node = node.below if features[node.feature] <= node.threshold else node.above
        return node.score


def features_of(one: Configuration) -> Floats:
    """Give what the tree looks at: mixed precision, utilisation, use of memory bandwidth, memory."""
    return np.array([one.amp, *one.measured], float)


def train(configurations: Sequence[Configuration]) -> TreeNode:
    """Grow and prune a tree on labelled configurations."""
    labelled = [one for one in configurations if one.score >= 0]
    if not labelled:
        raise InputError("no configuration has a sharing score to learn from", "give --labels FILE with a label column")
    scores = np.array([one.score for one in labelled])
    return grow(np.stack([features_of(one) for one in labelled]), scores, len(labelled))


def grow(features: Floats, scores: Ints, total: int) -> TreeNode:
    """Split where it lowers the impurity most, as long as that is worth a leaf."""
    counts = np.bincount(scores, minlength=SCORES)
    score = int(counts.argmax())
    best = (PRUNE, -1, 0.0)
    for feature in range(features.shape[1]):
        values = np.unique(features[:, feature])
        for threshold in (values[1:] + values[:-1]) / 2:
            below = features[:, feature] <= threshold
            after = impurity(scores[below]) + impurity(scores[~below])
            gain = (impurity(scores) - after) / total
            if gain > best[0] + 1e-12:
                best = (gain, feature, float(threshold))
    _, feature, threshold = best
    if feature < 0:
        return TreeNode(score)
    below = features[:, feature] <= threshold
    parts = (grow(features[side], scores[side], total) for side in (below, ~below))
    return TreeNode(score, feature, threshold, *parts)


def impurity(scores: Ints) -> float:
    """Weigh Gini's impurity by the number of cases."""
    counts = np.bincount(scores, minlength=SCORES)
    return float(len(scores) - (counts**2).sum() / len(scores)) if len(scores) else 0.0


def scores_of_pairs(pairs: Mapping[tuple[Key, Key], float]) -> dict[Key, int]:
    """Label each configuration by its mean speed beside all partners that it was measured with."""
    speeds: dict[Key, list[float]] = {}
    for (one, _), speed in pairs.items():
        speeds.setdefault(one, []).append(speed)
    means = {one: sum(values) / len(values) for one, values in speeds.items()}
    return {one: 2 if mean < JUMBO else 1 if mean < MEDIUM else 0 for one, mean in means.items()}


def judge(profiles: Profiles, tree: TreeNode) -> Profiles:
    """Give every configuration the score that the tree decides."""
    judged = (replace(one, score=tree.decide(features_of(one))) for one in profiles.configurations)
    return Profiles(tuple(judged), profiles.codes)
