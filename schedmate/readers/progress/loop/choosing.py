"""When a loop is followed, and how long the lines are kept from which it may be chosen anew.

A loop is followed as soon as it has been seen a little. Until much more has come, the lines are kept beside it, and the
choice is made anew each time there are twice as many: a log that comes in pieces is to be read as one that is there.
"""

from schedmate.readers.progress.loop.loop import TrainingLoop

SETTLED_ROWS = 8

KEPT_ROWS, KEPT_LINES, KEPT_BARS, PASSES = 160, 1000, 4000, 2
"""So many steps of a loop, or lines in all, make the choice sure; of bars, which are drawn often, there may be others
that only a second pass tells apart."""
HURRIED_BYTES = 1 << 16
"""More than this at once is not kept, once there is a loop to follow."""
PASSED_OVER = 1 / 256
"""What a line of a kind that was known, and not chosen, counts for as a rival."""


def is_settled(loop: TrainingLoop) -> bool:
    """Tell whether enough of a loop was seen to follow it."""
    return loop.rows.seen >= SETTLED_ROWS and bool(loop.counter_role)


def is_sure(loop: TrainingLoop, lines: int) -> bool:
    """Tell whether so much was seen of a loop, and of the log, that it is chosen for good."""
    if loop.primary.kind == "bar" and loop.restarts < PASSES:
        return lines >= KEPT_BARS
    return loop.rows.seen >= KEPT_ROWS or lines >= KEPT_LINES
