"""What is believed of how much a training still has to do: by its log where that tells, else by what its like did."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Outlook:
    """What one training's log and its like tell of its work; its true end is seen only through the log's errors."""

    told: float | None = None
    """Told over true work to go, once the log tells it; None: this log never does."""
    told_after_s: float = 0.0
    """Before a training has run so long its log has too few lines to tell by."""
    expected: float | None = None
    """Work that an ended training took which was taken for its like; None: none was found."""

    def left(self, done: float, whole: float, ran_s: float) -> float | None:
        """Give what is believed to be left; None where nothing tells, or more was done than the like took in all."""
        if self.told is not None and ran_s >= self.told_after_s:
            return max(whole - done, 0.0) * self.told
        if self.expected is None or done >= self.expected:
            return None
        return self.expected - done

    def without_like(self) -> "Outlook":
        """Give what is left to believe once the like has turned out to be none."""
        return Outlook(self.told, self.told_after_s)


SILENT = Outlook()
"""What Sia knows by itself: nothing."""
