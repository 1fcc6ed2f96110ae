"""The truth about rigid jobs: a fixed amount of work, slowed by older accelerators and by partners."""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, Placement

Interference = Callable[[LiveJob, LiveJob], float]
"""Speed of the first job beside the second, relative to running alone."""


class RigidPhysics:
    """Work by job number; an accelerator kind that is not named runs at the reference speed."""

    def __init__(
        self,
        work_s: npt.NDArray[np.float64],
        restart_cost_s: Callable[[int], float],
        kind_speed: Mapping[str, float] | None = None,
        interference: Interference | None = None,
        statuses: Callable[[int], str] | None = None,
    ) -> None:
        self._work_s = work_s
        self._restart_cost_s = restart_cost_s
        self._kind_speed = dict(kind_speed or {})
        self._interference = interference
        self._statuses = statuses

    def begin(self, job: LiveJob, placement: Placement, left: float | None, now_s: float) -> float:
        """Give all of the job's work, or what is left of it."""
        return float(self._work_s[job.number]) if left is None else left

    def next_leg(self, job: LiveJob, now_s: float) -> float | None:
        """End the job: its rate never changes of itself."""
        return None

    def rate(self, job: LiveJob, placement: Placement, partner: LiveJob | None) -> float:
        """Multiply the accelerator's speed and the interference."""
        speed = self._kind_speed.get(placement.kind, 1.0)
        if partner is not None and self._interference is not None:
            speed *= self._interference(job, partner)
        return speed

    def restart_work(self, job: LiveJob) -> float:
        """Charge the published constant."""
        return self._restart_cost_s(job.gpus)

    def pause_s(self, job: LiveJob) -> float:
        """Charge nothing at a start: the price was added when the job was stopped."""
        return 0.0

    def status(self, job: LiveJob) -> str:
        """Give the trace's own word for how the job ended."""
        return self._statuses(job.number) if self._statuses is not None else "completed"
