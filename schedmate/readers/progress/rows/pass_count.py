"""Notice how a counter goes on from pass to pass: whether it begins anew, and where the last pass ended."""

from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from schedmate.readers.progress.rows.rows import Rows

KEPT, SHORTEST = 4, 8.0
"""Ends of passes that are kept, and steps that a pass has at least whose time says that of a step."""

LONGER = 1.5
"""How many times as long one of them may take as another."""


@dataclass(slots=True)
class PassCount:
    """What was seen where one pass followed another."""

    first_epoch: float | None = None
    """The number of the first pass that was seen: some count from nought."""
    through: bool | None = None
    """Whether the counter went on when a pass began, or began anew; None: none was seen to begin."""
    crossing: tuple[float, float] | None = None
    """A pass that was seen to begin, and where the counter stood then."""
    end: float | None = None
    """The last count of a pass that is over."""
    stride: float = 0.0
    """Counts between two reports."""
    ended: tuple[float, float] | None = None
    """The number of the last pass whose own line told how long it took, and that time."""
    times: int = 0
    """How often a pass's time was told."""
    is_between: bool = False
    """Whether nothing was counted since that line."""

    ends: list[tuple[float, float]] = field(default_factory=list)
    """Where a counter that goes on stood as the newest passes ended, and how long they took."""

    def note_end(self, last: tuple[float, int] | None, took_s: float | None) -> None:
        """Take how long a pass took, told behind its last step; what is told again there is of the same pass."""
        if last is None or took_s is None or (self.ends and last[0] == self.ends[-1][0]):
            return
        gone_back = bool(self.ends) and last[0] < self.ends[-1][0]
        self.ends = [*([] if gone_back else self.ends[1 - KEPT :]), (last[0], took_s)]

    def each_s(self) -> float | None:
        """Give how long a step of the newest passes took; nought where they were not alike, None of fewer than two.

        A time that grows from line to line is that of a pass so far, told every so many steps.
        """
        pairs = list(pairwise(self.ends))
        if not pairs:
            return None
        lengths = {later[0] - one[0] for one, later in pairs}
        ratios = [later[1] / one[1] for one, later in pairs]
        grows = len(pairs) > 1 and min(ratios) > 1
        if (
            len(lengths) != 1
            or min(lengths) < SHORTEST
            or grows
            or not 1 / LONGER < min(ratios) <= max(ratios) < LONGER
        ):
            return 0.0
        return median(took_s for _, (_, took_s) in pairs) / min(lengths)

    def finish(self, epoch: float | None, took_s: float | None) -> None:
        """Take what a pass's own line says at its end."""
        if epoch is not None and took_s is not None:
            self.ended, self.is_between = (epoch, took_s), True

    def note(self, step: float, before: float | None, epoch: float | None, epoch_before: float | None) -> None:
        """Take a count, and the one before."""
        self.is_between = False
        if epoch is not None and self.first_epoch is None:
            self.first_epoch = epoch
        if before is None:
            return
        if step > before:
            self.stride = step - before
        if epoch is not None and epoch_before is not None and epoch - epoch_before == 1 and epoch % 1 == 0:
            self.through = step > before
            self.crossing = (epoch, step) if self.through else None
        if step < before or (self.through is False and epoch != epoch_before):
            self.end = before


def is_over(rows: Rows, total: float | None) -> bool:
    """Tell whether the counter stands at its end, and no step has told a time: one that is told now is the pass's."""
    last = rows.last("step")
    return bool(total and last and last[0] == total) and not rows.pairs("step", "time")
