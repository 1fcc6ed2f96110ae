"""The time limits that users set: as recorded, else as users are known to ask, in round numbers and for too much."""

import numpy as np

from schedmate.traces.columns import Floats, Trace

USUAL_S = np.array([1, 4, 12, 24, 48, 168, 720], float) * 3600.0
"""What people ask for: an hour, half a shift, a night, a day, two, a week, a month."""
ASKED = 2.0
"""They ask for the first of these that is at least so many times what the job takes, where no limit is recorded."""


def limits_of(trace: Trace) -> Floats:
    """Give each job's limit; none is below what the job really ran, since it would have been ended there."""
    run_s = np.nan_to_num(trace.duration_s)
    places = np.minimum(np.searchsorted(USUAL_S, ASKED * run_s), len(USUAL_S) - 1)
    asked = np.asarray(USUAL_S[places], np.float64)
    if len(trace.limit_s):
        asked = np.where(np.isnan(trace.limit_s), asked, trace.limit_s)
    return np.maximum(asked, run_s)
