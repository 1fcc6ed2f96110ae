"""Tell how far a run has to go: whether its counter counts a pass or the whole run, and how many passes are to come."""

from typing import NamedTuple

from schedmate.readers.progress.lines.formats import eta_of
from schedmate.readers.progress.loop.ends import Ends
from schedmate.readers.progress.loop.loop import TrainingLoop

SURE = 3.0
"""From this pass on it is no chance that counter and passes agree."""
FULL = 0.9

LONGER = 1.5
"""Times the rest of the pass, from which on an estimate that is printed is not that of the pass."""


class Way(NamedTuple):
    """What the counter has yet to count, how far that may be off, and what it is counted to."""

    left: float
    doubt: float = 0.0
    total: float | None = None
    told: bool = True
    """Whether the log itself tells the end."""


class HowFar(NamedTuple):
    """Where a run stands: its step, its pass, and how many passes there will be."""

    step: float
    epoch: float | None
    epochs: float | None
    has_parts: bool = False
    """Whether passes are counted with a fraction."""


def way_ahead(loop: TrainingLoop, ends: Ends, step: float) -> Way | None:
    """Say how far it is to the end of the run; None where no end is known."""
    epoch = loop.rows.last("epoch")
    has_parts = any(one % 1 > 0 for one in loop.rows.column("epoch"))
    at = HowFar(step, epoch[0] if epoch else None, loop.total_epochs or ends.epochs, has_parts)
    if loop.counter_role == "epoch":
        return by_passes(loop, at)
    if loop.total is None:
        return without_total(loop, ends, at)
    if not is_pass(loop, ends, at):
        return Way(max(0.0, loop.total - step), 0.0, loop.total)
    return through_passes(loop, ends, at, loop.total, 0.0)


def by_passes(loop: TrainingLoop, at: HowFar) -> Way | None:
    """Count passes: a line that names the first pass nought tells of one that is done."""
    total = loop.total or at.epochs
    if total is None or total < at.step:
        return None
    is_behind = loop.passes.first_epoch == 0 and not at.step % 1 and not loop.is_bar
    return Way(max(0.0, total - at.step - is_behind), 0.0, total, loop.total is not None)


def is_pass(loop: TrainingLoop, ends: Ends, at: HowFar) -> bool:
    """Tell whether the end that is printed beside the counter is that of a pass only."""
    total = loop.total or 0.0
    if loop.passes.through is False or (loop.passes.end or 0.0) >= FULL * total:
        return True
    if loop.passes.through or at.epoch is None or at.has_parts or ends.steps == total:
        return False
    if not at.epochs:
        return True
    if at.epochs <= 1:
        return False
    agrees = -1 <= at.step / total * at.epochs - at.epoch <= 1
    return not (agrees and at.epoch >= SURE)


def through_passes(loop: TrainingLoop, ends: Ends, at: HowFar, length: float, doubt: float) -> Way | None:
    """Count what is left of this pass and those after it."""
    behind = passes_behind(loop, at)
    if behind is None:
        return None
    passes, unsure = behind
    done = passes * length + at.step
    if at.epochs:
        to_come = at.epochs - passes
        left = to_come * length - at.step
        return Way(max(0.0, left), unsure * length + doubt * to_come, loop.total, loop.total_epochs is not None)
    if ends.steps and ends.steps >= done:
        return Way(ends.steps - done, unsure * length + doubt * passes, loop.total, told=False)
    return None


def passes_behind(loop: TrainingLoop, at: HowFar) -> tuple[float, float] | None:
    """Count the passes that are over, and how far that may be off: some count from nought."""
    if at.epoch is None:
        return None
    if loop.passes.first_epoch == 0:
        return at.epoch, 0.0
    if loop.passes.first_epoch == 1 or loop.total_epochs is not None or at.epoch == at.epochs:
        return at.epoch - 1, 0.0
    return at.epoch - 0.5, 0.5


def without_total(loop: TrainingLoop, ends: Ends, at: HowFar) -> Way | None:
    """Say how far it is where no end stands beside the counter."""
    restarts = loop.restarts > 0 or loop.passes.through is False
    if not restarts and ends.steps and ends.steps >= at.step:
        return Way(ends.steps - at.step, 0.0, ends.steps, told=False)
    if at.epoch is None:
        return None
    if at.has_parts and at.epoch and not restarts and at.epochs:
        total = max(at.step, at.step / at.epoch * at.epochs)
        return Way(total - at.step, 0.0, total, told=False)
    if loop.passes.through and loop.passes.crossing and at.epochs:
        return counted_through(loop, at, at.epochs, *loop.passes.crossing)
    if loop.counts_run and not restarts and at.epochs and at.epoch >= SURE:
        return named_through(loop, at, at.epochs, at.epoch)
    if loop.passes.through is False and loop.passes.end:
        stride = max(0.0, loop.passes.stride)
        return through_passes(loop, ends, at, loop.passes.end + stride / 2, stride / 2)
    return None


def counted_through(loop: TrainingLoop, at: HowFar, epochs: float, epoch: float, step: float) -> Way | None:
    """Take the steps that had been counted when a pass began for those of the passes before it."""
    behind = passes_behind(loop, HowFar(step, epoch, at.epochs))
    if behind is None or behind[0] <= 0:
        return None
    passes, unsure = behind
    total = max(at.step, step / passes * epochs)
    return Way(total - at.step, total * unsure / passes, total, told=False)


def named_through(loop: TrainingLoop, at: HowFar, epochs: float, epoch: float) -> Way:
    """Share what was counted of the whole run out over the passes: the last one may have just begun or be over."""
    first = loop.passes.first_epoch
    behind, unsure = (epoch, 1.0) if first not in (0, 1) else (epoch + 0.5 - first, 0.5)
    total = max(at.step, at.step / behind * epochs)
    return Way(total - at.step, total * unsure / behind, total, told=False)


def left_by_time(loop: TrainingLoop, ends: Ends) -> tuple[float, float, bool] | None:
    """Give the passes that are left, the doubt, and if the log tells all, where a pass's own line told what it took."""
    epochs = loop.total_epochs or ends.epochs
    if loop.passes.ended is None or not epochs:
        return None
    number, first = loop.passes.ended[0], loop.passes.first_epoch
    is_told = loop.total_epochs is not None
    if first == 0:
        over, unsure = number + 1, 0.0
    else:
        over, unsure = (number, 0.0) if first == 1 or is_told or number == epochs else (number + 0.5, 0.5)
    begun = 0.0 if loop.passes.is_between else 0.5
    if over > epochs + unsure:
        return None
    return max(0.0, epochs - over - begun), unsure + begun, is_told


def tells_of_the_run(loop: TrainingLoop, step: float, pace: float | None, printed_s: float) -> bool:
    """Tell whether an estimate that is printed can be that of the whole run, though a pass is what is counted."""
    if loop.total is None or loop.counter_role != "step":
        return True
    if eta_of(loop.framework) == "run":
        return True
    return not loop.is_bar and pace is not None and printed_s > LONGER * (loop.total - step + 1) * pace
