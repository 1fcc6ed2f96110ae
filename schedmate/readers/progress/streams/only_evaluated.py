"""Find the steps of a training that tells of them only when it evaluates: `Iter: 2700 | Dev Loss: 0.71`."""

from collections.abc import Iterable
from itertools import pairwise

from schedmate.readers.progress.kinds.kinds import LinesOfKind
from schedmate.readers.progress.lines.names import has, pieces_of

LEAST, PASSES = 4, 2
"""So many lines rise, and go on rising through so many headings of passes: an evaluation's own batches begin anew."""


def steps_evaluated(streams: Iterable[LinesOfKind]) -> LinesOfKind | None:
    """Give lines of evaluations whose counter goes on through the passes of the training."""
    known = list(streams)
    passes = [
        line.order for one in known if one.key.counter == "epoch" and one.key.work != "eval" for line in one.lines
    ]
    found = [one for one in known if is_of_steps(one) and sum(map(one.lines[0].order.__lt__, passes)) >= PASSES]
    return max(found, key=lambda one: one.count, default=None)


def is_of_steps(stream: LinesOfKind) -> bool:
    """Tell lines of evaluations that count steps without an end, further each time."""
    key = stream.key
    if key.work != "eval" or key.counter != "step" or key.kind == "bar" or stream.count < LEAST or stream.totals():
        return False
    steps = stream.counter()
    return has(pieces_of((key.name,)), "step") and all(later > one for one, later in pairwise(steps))
