"""Notice how a counter goes on from pass to pass: whether it begins anew, and where the last pass ended."""

from dataclasses import dataclass

from schedmate.readers.progress.rows.rows import Rows


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
