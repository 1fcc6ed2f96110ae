"""Cut traces down, and press or stretch them."""

from dataclasses import replace

import numpy as np

from schedmate.errors import InputError
from schedmate.traces.columns import Trace

DAY_S = 86_400.0


def sample(trace: Trace, jobs: int = 0, days: tuple[float, float] | None = None, seed: int = 0) -> Trace:
    """Keep the days that are wanted, then that many jobs, drawn evenly; times and ids stay."""
    keep = np.arange(len(trace))
    if days is not None:
        first, last = days
        inside = (trace.submit_s >= first * DAY_S) & (trace.submit_s < last * DAY_S)
        keep = keep[inside]
        if not len(keep):
            raise InputError(f"no job of {trace.name} comes from day {first:g} to day {last:g}", "days count from 0")
    if jobs and jobs < len(keep):
        keep = np.sort(np.random.default_rng(seed).choice(keep, jobs, replace=False))
    return trace.rows(keep)


def scale(trace: Trace, rate: float = 1.0, duration: float = 1.0, most_gpus: int = 0) -> Trace:
    """Let jobs come `rate` times as fast and run `duration` times as long; larger jobs are cut to `most_gpus`."""
    if not 0 < rate < 1e6 or not 0 < duration < 1e6 or most_gpus < 0:
        raise InputError("rate and duration are factors above 0", "as in: --rate 1.5 --duration 0.1")
    start_s = trace.submit_s[0]
    as_it_came = rate == 1.0 and duration == 1.0
    return replace(
        trace,
        # Who comes faster or stays longer would not have waited as the others did.
        waited_s=trace.waited_s if as_it_came else np.empty(0),
        submit_s=np.round(start_s + (trace.submit_s - start_s) / rate, 3),
        duration_s=np.round(trace.duration_s * duration, 3),
        gpus=np.minimum(trace.gpus, most_gpus) if most_gpus else trace.gpus,
    )


def whole_gpus(trace: Trace) -> Trace:
    """Give a whole GPU to who asks for a part of one, and say so."""
    parts = int((trace.gpus < 1).sum())
    if not parts:
        return trace
    told = f"jobs that ask for a part of a GPU, and get a whole one: {parts:,}"
    return replace(trace, gpus=np.ceil(trace.gpus).astype(np.int64), notes=(*trace.notes, told))


def shuffle_ties(trace: Trace, seed: int) -> Trace:
    """Order jobs of the same second by lot, as the unstable sort of the published simulators leaves them."""
    return trace.rows_in_order(np.lexsort((np.random.default_rng(seed).random(len(trace)), trace.submit_s)))
