"""Keep the rows of the newest run where several runs were written into one file."""

from collections.abc import Sequence

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
    falls = falls_of(epochs)
    if not falls:
        return rows
    since = len(epochs) - falls[-1]
    if since < LEAST and (since < FEWEST or since * FEWEST < falls[-1]):
        return rows  # little was since, and far more before
    return rows.only(range(falls[-1], len(epochs)))


def falls_of(epochs: Sequence[float]) -> list[int]:
    """Give the places where passes begin anew; none where that happens too often to be a run's beginning."""
    falls = [at for at in range(1, len(epochs)) if epochs[at] <= epochs[at - 1] - 1]
    return falls if len(falls) <= max(1, len(epochs) // SELDOM) else []


def is_of_a_run_before(rows: Rows, name: str) -> bool:
    """Tell whether what stands in a column was all said before a newer run began, however little that has said."""
    told, passes = rows.last(name), rows.pairs("line", "epoch")
    falls = falls_of([epoch for _, epoch in passes])
    return bool(falls) and told is not None and told[1] < passes[falls[-1]][0]
