"""Lucid's throughput model, trained here: how many jobs are about to come, from those that came.

An additive model of calendar and past arrivals, boosted one feature at a time in turn, as interpret's additive models
are. All it looks at lies an hour or more before the bin that it predicts, so the next five bins never need each other.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from schedmate.scheduling.lucid.forecasts import BIN_S, TableForecast
from schedmate.traces.columns import Trace

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

HOUR, DAY, WEEK = 6, 144, 1008
"""In bins."""
RATE, ROUNDS, LEVELS = 0.1, 40, 24

SOFT = (0.5, 0.25, 0.25)
"""Weights of an hour, three hours and a day ago in the soft average."""


def learn_forecast(trace: Trace, before: Sequence[tuple[float, float]] = ()) -> TableForecast:
    """Forecast each week by what came before it; `before` holds jobs and GPUs by bin up to the trace's first midnight.

    The first week of a trace without a history has no forecast, and Lucid then shares as if many jobs came.
    """
    bins = int(trace.submit_s[-1] // BIN_S) + 1
    place = (trace.submit_s // BIN_S).astype(np.int64)
    came = [np.bincount(place, minlength=bins), np.bincount(place, weights=trace.gpus, minlength=bins)]
    first = len(before)
    series = [np.concatenate([[row[i] for row in before], values]) for i, values in enumerate(came)]
    codes = features(series)
    jobs, gpus = (predict(codes, values, first)[first:].tolist() for values in series)
    return TableForecast(jobs, gpus)


def predict(codes: list[Codes], values: Floats, first: int) -> Floats:
    """Predict week by week, each model trained on the weeks before."""
    told = np.full(len(values), np.nan)
    start = first if first >= WEEK else first + WEEK
    for week in range(start, len(values), WEEK):
        effects, mean = fit([code[:week] for code in codes], values[:week])
        sums = sum(effect[code[week : week + WEEK]] for effect, code in zip(effects, codes, strict=True))
        told[week : week + WEEK] = np.maximum(mean + sums, 0.0)
    return told


def fit(codes: list[Codes], values: Floats) -> tuple[list[Floats], float]:
    """Boost: each feature in turn takes a tenth of what its levels still miss."""
    mean = float(values.mean())
    left = values - mean
    effects = [np.zeros(int(code.max()) + WEEK) for code in codes]
    counts = [np.maximum(np.bincount(code, minlength=len(e)), 1) for code, e in zip(codes, effects, strict=True)]
    for _ in range(ROUNDS):
        for code, effect, count in zip(codes, effects, counts, strict=True):
            step = RATE * np.bincount(code, weights=left, minlength=len(effect)) / count
            effect += step
            left -= step[code]
    return effects, mean


def features(series: list[Floats]) -> list[Codes]:
    """Give each bin's levels of hour, weekday, their pair, and of what was an hour or more before."""
    bins = np.arange(len(series[0]))
    hour, weekday = bins % DAY // HOUR, bins // DAY % 7
    codes = [hour, weekday, weekday * 24 + hour]
    for values in series:
        ago = [lagged(values, lag) for lag in (HOUR, 3 * HOUR, DAY)]
        last = np.stack([lagged(values, HOUR + i) for i in range(HOUR)])
        soft = np.sum([weight * column for weight, column in zip(SOFT, ago, strict=True)], axis=0)
        codes += [levels(column) for column in (*ago, soft, last.mean(0), np.median(last, axis=0), last.std(0))]
    return codes


def lagged(values: Floats, lag: int) -> Floats:
    """Shift a series; before its beginning its first value stands in."""
    return np.concatenate([np.full(min(lag, len(values)), values[0]), values[:-lag]])[: len(values)]


def levels(column: Floats) -> Codes:
    """Cut a feature at fixed steps of its logarithm, so that later values move no earlier cut."""
    return np.minimum(np.round(np.log2(1 + column) * 3), LEVELS * 2).astype(np.int64)
