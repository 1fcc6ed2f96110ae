"""Keep the rows of one process where several write into one log, each at a step of its own."""

from schedmate.readers.progress.rows.rows import Rows

LEAST, MOST_WRITERS = 3, 8
"""Times that a counter must fall and then go on above where it was, and so many processes are told apart."""


def of_one_writer(rows: Rows) -> Rows:
    """Give the rows of the process that wrote most; all rows where nothing says that there are several."""
    steps = rows.column("step")
    if not lags(steps):
        return rows
    writers: list[list[int]] = []
    for at, step in enumerate(steps):
        behind = [one for one in writers if steps[one[-1]] < step]
        if behind:
            max(behind, key=lambda one: steps[one[-1]]).append(at)
        elif len(writers) < MOST_WRITERS:
            writers.append([at])
        else:
            return rows
    return rows.only(max(writers, key=len))


def lags(steps: list[float]) -> bool:
    """Tell whether a counter falls again and again, and each time goes on at once above where it was."""
    falls = [at for at in range(1, len(steps) - 1) if steps[at] < steps[at - 1]]
    lagging = sum(steps[at + 1] > steps[at - 1] for at in falls)
    return lagging >= LEAST and 4 * lagging >= len(steps) and 4 * lagging >= 3 * len(falls)
