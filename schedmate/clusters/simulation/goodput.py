"""Pollux's model of training: seconds a step, efficiency of a batch, and the batch that is best.

What a job believes of itself is fitted to the steps that it has seen; an elastic policy asks that belief.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from schedmate.errors import MissingExtra

Floats = npt.NDArray[np.float64]
TINY = 1e-8
SAMPLES = 50
Numbers = Any  # Any: a number or a row of them; numpy has no type for "as many as went in"


class StepModel(NamedTuple):
    """Seven parameters; each may be a number or a row of them, one for each configuration asked."""

    alpha_c: Numbers
    beta_c: Numbers
    alpha_n: Numbers
    beta_n: Numbers
    alpha_r: Numbers
    beta_r: Numbers
    gamma: Numbers

    def compute_s(self, batch: Numbers) -> Numbers:
        """Give seconds of one forward and backward pass."""
        return self.alpha_c + self.beta_c * batch

    def network_s(self, nodes: Numbers, replicas: Numbers) -> Numbers:
        """Give seconds of one synchronisation: over nodes, within one, or none."""
        far, near = np.greater(nodes, 1), np.greater(replicas, 1)
        base = np.where(far, self.alpha_n, np.where(near, self.alpha_r, TINY))
        slope = np.where(far, self.beta_n, np.where(near, self.beta_r, TINY))
        return base + slope * np.maximum(np.subtract(replicas, 2), TINY)

    def step_s(self, nodes: Numbers, replicas: Numbers, batch: Numbers) -> Numbers:
        """Give seconds of a step, in which computing and synchronising overlap by gamma."""
        power = self.compute_s(batch) ** self.gamma + self.network_s(nodes, replicas) ** self.gamma
        return power ** (1 / self.gamma)


class Noise(NamedTuple):
    """Gradient noise: how much a larger batch still tells."""

    sqr: float
    var: float

    def gain(self, scale: Numbers) -> Numbers:
        """Give the progress of one step relative to a step of the smallest batch."""
        below = self.var / scale + self.sqr
        return np.where(below > 0, (self.var + self.sqr) / np.where(below > 0, below, 1.0), 1.0)


class BatchLimits(NamedTuple):
    """Batches that a job may use: total ones, and per GPU (a number or a row)."""

    first: float
    most: float
    least_local: Numbers
    most_local: Numbers


class BatchChoice(NamedTuple):
    """The best batch for each configuration: goodput, batch a GPU and pass, passes beyond the first."""

    goodput: Floats
    local: npt.NDArray[np.int64]
    accumulation: npt.NDArray[np.int64]


def best_batch(
    model: StepModel, noise: Noise, limits: BatchLimits, nodes: Floats, replicas: Floats, tune: bool = True
) -> BatchChoice:
    """Try 50 batch sizes, evenly spaced in ratio, for each configuration at once."""
    least = np.maximum(limits.first, limits.least_local * replicas) if tune else np.full(len(replicas), limits.most)
    steps = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    batch = np.exp(np.log(least) * (1 - steps) + math.log(limits.most) * steps)
    local = batch / replicas
    passes = np.ceil(local / limits.most_local - TINY) - 1
    # The noise cannot be told from a single pass on a single GPU, so a grown batch takes two there.
    passes = np.where((replicas == 1) & (local > limits.first + TINY), np.maximum(passes, 1), passes)
    atomic = np.ceil(local / (passes + 1) - TINY)
    total = replicas * atomic * (passes + 1)
    seconds = passes * model.compute_s(atomic) + model.step_s(nodes, replicas, atomic)
    goodput = noise.gain(total / limits.first) * limits.first / seconds
    goodput = np.where((limits.least_local <= atomic) & (atomic <= limits.most_local), goodput, 0.0)
    best = goodput.argmax(axis=0), np.arange(goodput.shape[1])
    return BatchChoice(goodput[best], atomic[best].astype(np.int64), passes[best].astype(np.int64))


def fit(seen: dict[tuple[int, int, int], tuple[float, float]]) -> StepModel:
    """Fit the model to steps seen, by (nodes, replicas, batch): seconds a step and of synchronising.

    What was not seen is not guessed at length: a parameter that no step tells of stays at its floor.
    """
    try:
        from scipy.optimize import Bounds, minimize
    except ImportError as error:
        raise MissingExtra("fitting the step times of elastic jobs", "sia") from error
    nodes, replicas, batch = (np.array([key[i] for key in seen], float) for i in range(3))
    step_s = np.array([value[0] for value in seen.values()])
    compute_s = np.maximum(step_s - np.array([value[1] for value in seen.values()]), TINY)
    start = np.array([0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 1.001])
    low, high = np.array([TINY] * 6 + [1.0]), np.array([np.inf] * 6 + [10.0])
    if len(np.unique(batch)) == 1:
        start[0] = low[0] = high[0] = compute_s.mean() / 2
    floors = {
        2: not (nodes > 1).any(),
        3: not (nodes > 1).any() or not (replicas > 2).any(),
        4: not ((nodes == 1) & (replicas > 1)).any(),
        5: not ((nodes == 1) & (replicas > 1)).any() or not (replicas > 2).any(),
    }
    for place, pinned in floors.items():
        if pinned:
            start[place] = high[place] = low[place]
    log_compute, log_step = np.log(compute_s), np.log(step_s)

    def loss(values: Floats) -> tuple[float, Floats]:
        return loss_and_slope(values, nodes, replicas, batch, log_compute, log_step)

    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=Bounds(low, high), tol=1e-5).x
    if not (nodes > 1).any():
        found[2], found[3] = max(found[2], 1.1 * found[4]), max(found[3], 1.1 * found[5])
    return StepModel(*(float(value) for value in found))


@lru_cache(maxsize=50_000)
def fitted(
    application: str, kind: str, seen: tuple[tuple[tuple[int, int, int], tuple[float, float]], ...]
) -> StepModel:
    """Fit once for all jobs of an application that have seen the same."""
    return fit(dict(seen))


def loss_and_slope(
    values: Floats, nodes: Floats, replicas: Floats, batch: Floats, log_compute: Floats, log_step: Floats
) -> tuple[float, Floats]:
    """Give the published loss (log errors of computing and of the step, and two leanings) and its gradient."""
    a_c, b_c, a_n, b_n, a_r, b_r, gamma = values
    far, near = nodes > 1, (nodes <= 1) & (replicas > 1)
    more = np.maximum(replicas - 2, TINY)
    compute = a_c + b_c * batch
    network = np.where(far, a_n + b_n * more, np.where(near, a_r + b_r * more, TINY + TINY * more))
    log_c, log_n = np.log(compute), np.log(network)
    top = np.maximum(log_c, log_n)
    parts_c, parts_n = np.exp(gamma * (log_c - top)), np.exp(gamma * (log_n - top))
    total = parts_c + parts_n
    log_total = gamma * top + np.log(total)
    error_c, error_s = log_c - log_compute, log_total / gamma - log_step
    size_c, size_s = math.sqrt(float((error_c**2).mean())), math.sqrt(float((error_s**2).mean()))
    weight_c = error_c / (len(batch) * size_c) if size_c > 0 else np.zeros_like(error_c)
    weight_s = error_s / (len(batch) * size_s) if size_s > 0 else np.zeros_like(error_s)
    to_compute = (weight_c + weight_s * parts_c / total) / compute
    to_network = weight_s * parts_n / total / network
    to_gamma = weight_s * ((parts_c * log_c + parts_n * log_n) / total / gamma - log_total / gamma**2)
    loss = size_c + size_s + 1e-3 * (gamma - 1) ** 2 + 1e-2 * ((b_n / a_n) ** 2 + (b_r / a_r) ** 2)
    slope = np.array(
        [
            to_compute.sum(),
            (to_compute * batch).sum(),
            to_network[far].sum() - 2e-2 * b_n**2 / a_n**3,
            (to_network * more)[far].sum() + 2e-2 * b_n / a_n**2,
            to_network[near].sum() - 2e-2 * b_r**2 / a_r**3,
            (to_network * more)[near].sum() + 2e-2 * b_r / a_r**2,
            to_gamma.sum() + 2e-3 * (gamma - 1),
        ]
    )
    return float(loss), slope
