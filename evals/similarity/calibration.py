"""Fit what a raw similarity means, on made jobs of the kinds that the embedder was trained on: never on labels."""

import numpy as np

from evals.similarity.made_jobs import make_workloads
from schedmate.history.similarity.comparing import compare, texts_of
from schedmate.history.similarity.names import NameCloseness

STEPS = 60


def fit_calibration(names: NameCloseness) -> tuple[float, float]:
    """Fit a logistic curve to pairs of one kind and pairs of two, as many of each; give slope and even point."""
    workloads, kinds = make_workloads(120, 5, seed=1, held_out=False)
    names.prepare(texts_of(workloads))
    draw = np.random.default_rng(1)
    raw, same = [], []
    for place, kind in enumerate(kinds):
        # Neighbours are of one kind; of the others those of the same task come up as often as the lexicon has them.
        for other in range(place + 1, len(kinds)):
            if kinds[other] != kind and draw.random() > 0.02:
                continue
            raw.append(compare(workloads[place], workloads[other], names).raw)
            same.append(kinds[other] == kind)
    return logistic(np.array(raw), np.array(same, float))


def logistic(
    raw: "np.ndarray[tuple[int], np.dtype[np.float64]]", same: "np.ndarray[tuple[int], np.dtype[np.float64]]"
) -> tuple[float, float]:
    """Fit by Newton's method, each class weighing one half."""
    weights = np.where(same == 1, 0.5 / same.sum(), 0.5 / (1 - same).sum())
    slope, shift = 10.0, -5.0
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(slope * raw + shift, -40, 40)))
        gap, curve = weights * (same - chance), weights * chance * (1 - chance) + 1e-9
        gradient = np.array([(gap * raw).sum() - 1e-5 * slope, gap.sum()])
        hessian = np.array(
            [[(curve * raw * raw).sum() + 1e-5, (curve * raw).sum()], [(curve * raw).sum(), curve.sum()]]
        )
        step = np.linalg.solve(hessian, gradient)
        slope, shift = slope + float(step[0]), shift + float(step[1])
    return slope, -shift / slope
