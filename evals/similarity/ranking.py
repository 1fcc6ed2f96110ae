"""Precision at 1, reciprocal rank and average precision over clusters of jobs that belong together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Ranking:
    """The means over all jobs whose cluster has another member."""

    queries: int
    precision_at_1: float
    mrr: float
    map: float
    misses: tuple[str, ...]


def rank(similarities: Matrix, clusters: Sequence[str], names: Sequence[str]) -> Ranking:
    """Score a matrix of similarities; a job without a cluster is never right, but may be found wrongly."""
    sizes = Counter(filter(None, clusters))
    first, reciprocal, average, misses = [], [], [], []
    for place, cluster in enumerate(clusters):
        if not cluster or sizes[cluster] < 2:
            continue
        order = [other for other in np.argsort(-similarities[place], kind="stable") if other != place]
        hits = [number for number, other in enumerate(order, 1) if clusters[other] == cluster]
        first.append(hits[0] == 1)
        reciprocal.append(1 / hits[0])
        average.append(sum(found / number for found, number in enumerate(hits, 1)) / len(hits))
        if hits[0] > 1:
            misses.append(f"{names[place]} found {names[order[0]]} first")
    at_1, mrr, mean_average = (float(np.mean(values)) for values in (first, reciprocal, average))
    return Ranking(len(first), at_1, mrr, mean_average, tuple(misses))


@dataclass(frozen=True)
class Separation:
    """How well a similarity tells pairs of one kind from pairs of two."""

    same: NDArray[np.float64]
    different: NDArray[np.float64]

    def auc(self) -> float:
        """Give the chance that a pair of one kind scores above a pair of two."""
        order = np.sort(self.different)
        below = np.searchsorted(order, self.same, "left") + np.searchsorted(order, self.same, "right")
        return float(below.mean() / 2 / len(order))

    def passing(self, threshold: float) -> tuple[float, float]:
        """Give the shares of same and of different pairs that reach a threshold."""
        return float((self.same >= threshold).mean()), float((self.different >= threshold).mean())


def separate(similarities: Matrix, clusters: Sequence[str]) -> Separation:
    """Split all pairs by whether they share a cluster; a job without one shares none."""
    rows, columns = np.triu_indices(len(clusters), 1)
    labels = np.array(clusters)
    same = (labels[rows] == labels[columns]) & (labels[rows] != "")
    values = similarities[rows, columns]
    return Separation(values[same], values[~same])
