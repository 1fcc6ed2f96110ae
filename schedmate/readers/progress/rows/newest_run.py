"""Keep the rows of the newest run where several runs were written into one file."""

from schedmate.readers.progress.rows.rows import Rows

LEAST = 3
"""Rows from which on the newest run speaks for itself."""
FEWEST = 2
"""So many are enough where there were hardly more before."""
SELDOM = 8
"""A pass that goes back more often than once in so many rows is not that of a run."""


def of_newest_run(rows: Rows) -> Rows:
    """Give the rows since the passes began anew; all of them where none did, or too little was printed since."""
    epochs = rows.column("epoch")
    falls = [at for at in range(1, len(epochs)) if epochs[at] <= epochs[at - 1] - 1]
    if not falls or len(falls) > max(1, len(epochs) // SELDOM):
        return rows
    since = len(epochs) - falls[-1]
    if since < LEAST and (since < FEWEST or since * FEWEST < falls[-1]):
        return rows  # little was since, and far more before
    return rows.only(range(falls[-1], len(epochs)))
