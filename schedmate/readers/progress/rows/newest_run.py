"""Keep the rows of the newest run where several runs were written into one file."""

import itertools
import math

from schedmate.readers.progress.rows.rows import Rows

LEAST = 3
"""Rows from which on the newest run speaks for itself."""
FEWEST = 2
"""So many are enough where there were hardly more before."""
LEAST_COUNTED = 4
"""So many it takes where nothing but a counter that fell tells that a run began."""
SELDOM = 8
"""A pass, or a counter, that goes back more often than once in so many rows is not that of a run."""
CLOCKS = ("time", "elapsed")


def of_newest_run(rows: Rows) -> Rows:
    """Give the rows since the passes, or the only counter, began anew; all where none did, or too little was since."""
    epochs = rows.column("epoch")
    if all(map(math.isnan, epochs)):
        return since_counter_fell(rows)
    falls = [at for at in range(1, len(epochs)) if epochs[at] <= epochs[at - 1] - 1]
    if not falls or len(falls) > max(1, len(epochs) // SELDOM):
        return rows
    since = len(epochs) - falls[-1]
    if since < LEAST and (since < FEWEST or since * FEWEST < falls[-1]):
        return rows  # little was since, and far more before
    return rows.only(range(falls[-1], len(epochs)))


def since_counter_fell(rows: Rows) -> Rows:
    """Leave out what was counted before the counter began anew: at once it is behind where it was, and stays so.

    Not so where a clock runs on meanwhile: that is one run, whose passes have no numbers.
    """
    steps = rows.column("step")
    falls = [at for at in range(1, len(steps)) if steps[at] < steps[at - 1]]
    if not falls or len(falls) > max(1, len(steps) // SELDOM) or len(steps) - falls[-1] < LEAST_COUNTED:
        return rows
    at = falls[-1]
    told = any(one == one for one in rows.column("epoch_time"))
    if told or steps[at + 1] >= steps[at - 1] or any(runs_on(rows.column(clock)) for clock in CLOCKS):
        return rows
    return rows.only(range(at, len(steps)))


def runs_on(clock: list[float]) -> bool:
    """Tell whether times only rise."""
    told = [one for one in clock if one == one]
    return len(told) > 1 and all(later >= one for one, later in itertools.pairwise(told))
