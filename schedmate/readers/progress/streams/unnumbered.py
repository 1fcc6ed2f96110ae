"""Lines that tell of one step each and do not number it, as `Epoch 3 - Batch loss: 0.41` with a stamp before it."""

from itertools import pairwise

from schedmate.readers.progress.kinds.kinds import LinesOfKind, Read, is_prose
from schedmate.readers.progress.streams.related_streams import FEW
from schedmate.tools.late_patterns import late

LEAST = 8
"""Lines below which their stamps show no pace."""
EVEN = 1.6
"""So far apart at most lie the quarters of the times between them: steps that are told one by one come evenly."""
ONE = late(r"(?i)(?<![A-Za-z])(?:iter|iteration|batch|minibatch|step)(?![A-Za-z]|[ _-]?size)")
"""What a line is said to be of; that there is no number behind it shows by the stream's counter."""


def tells_each(stream: LinesOfKind) -> bool:
    """Tell lines that say what each step brought, evenly, and that count at most the passes around them."""
    last = stream.lines[-1]
    if stream.count < LEAST or last.shape.is_bar or last.shape.framework or not last.shape.stamp or is_prose(last):
        return False
    if stream.key.counter not in {"", "epoch"} or stream.count <= FEW * len(set(stream.counter())):
        return False
    learns = last.shape.work in {"train", "unsaid"} and last.shape.find("loss") is not None
    return learns and ONE.search(last.text) is not None and comes_evenly(list(stream.lines))


def comes_evenly(lines: list[Read]) -> bool:
    """Tell whether most lines came as long after the one before as the others did."""
    stamps = [line.shape.stamp_s(line.numbers) for line in lines]
    gaps = sorted(later - one for one, later in pairwise(stamps) if one is not None and later is not None)
    if len(gaps) < LEAST - 1:
        return False
    quarter = len(gaps) // 4
    return gaps[quarter] > 0 and gaps[-1 - quarter] < EVEN * gaps[quarter]
