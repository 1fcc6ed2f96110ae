"""When a followed log's counter moved, by the watcher's own clock: stalls show, and speed where the log prints none."""

import math
from array import array
from itertools import pairwise
from statistics import median

from schedmate.readers.progress.loop.loop import TrainingLoop
from schedmate.schemas import Metrics

STALL_FACTOR = 8.0
STALL_LEAST_S = 30.0

USUAL_UNKNOWN_S = 75.0
"""How often a log is thought to speak that was never seen to: silent for eight times as long, it has stalled."""
REMEMBERED, GAPS = 64, 16
LEAST_MOVES = 4
LEAST_SPAN_S = 1.0
BY_OWN_CLOCK = "the log prints no times: step time by the clock of who follows it"


class OwnClock:
    """The moments at which the counter was seen to have moved, and where it stood then: plain numbers, and few."""

    __slots__ = ("gaps", "moments", "steps")

    def __init__(self) -> None:
        self.moments, self.steps, self.gaps = array("d"), array("d"), array("d")

    @property
    def seen_s(self) -> float | None:
        """Give when it last moved."""
        return self.moments[-1] if self.moments else None

    def moved(self, now_s: float, step: float) -> float | None:
        """Note that it moved, and give the seconds a step since it last did, where it went forward."""
        before_s, before = (self.moments[-1], self.steps[-1]) if self.moments else (now_s, step)
        gap_s, count = now_s - before_s, step - before
        if gap_s > 0:
            self.gaps.append(gap_s)
            del self.gaps[:-GAPS]
        if not count > 0:
            del self.moments[:], self.steps[:]
        self.moments.append(now_s)
        self.steps.append(step)
        del self.moments[:-REMEMBERED], self.steps[:-REMEMBERED]
        return gap_s / count if gap_s > 0 and count > 0 else None

    def step_time_s(self) -> float | None:
        """Give the seconds a step over all that was seen; None as long as that is too little."""
        if len(self.moments) < LEAST_MOVES:
            return None
        seconds, count = self.moments[-1] - self.moments[0], self.steps[-1] - self.steps[0]
        return seconds / count if seconds >= LEAST_SPAN_S and count > 0 else None

    def is_stalled(self, now_s: float, changed_s: float | None = None, usual_s: float | None = None) -> bool:
        """Tell whether it has stood still for longer than is usual between reports.

        Where it was never seen to move, the file tells when it last changed, and the log how often it should.
        """
        if self.gaps and self.seen_s is not None:
            return now_s - self.seen_s > max(STALL_LEAST_S, STALL_FACTOR * median(self.gaps))
        if changed_s is None:
            return False
        usual_s = usual_s if usual_s is not None and math.isfinite(usual_s) else USUAL_UNKNOWN_S
        return now_s - changed_s > max(STALL_LEAST_S, STALL_FACTOR * usual_s)


def timed(metrics: Metrics, clock: OwnClock) -> Metrics:
    """Add what the watcher's clock tells where the log tells nothing, and say so."""
    own_s = clock.step_time_s() if metrics.step_time_s is None else None
    if own_s is None or metrics.step is None:
        return metrics
    left_s = own_s * max(0, metrics.total_steps - metrics.step) if metrics.total_steps else None
    update = {"step_time_s": float(f"{own_s:.3g}"), "eta_s": left_s if metrics.eta_s is None else metrics.eta_s}
    return metrics.model_copy(update=update | {"notes": (*metrics.notes, BY_OWN_CLOCK)})


def usual_gap_s(loop: TrainingLoop | None, count_s: float | None) -> float | None:
    """Give how often the log should report: the time of a count, and how many lie between reports."""
    steps = [] if loop is None else loop.rows.column("step")
    apart = [later - earlier for earlier, later in pairwise(steps) if later > earlier]
    return None if count_s is None or not apart else count_s * apart[-1]
