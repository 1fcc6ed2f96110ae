"""The truth about rigid jobs: a fixed amount of work, slowed by older accelerators and by partners."""

from array import array
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, Placement, Profile
from schedmate.clusters.simulation.restart_cost import PUBLISHED, Saving
from schedmate.clusters.simulation.running_job import Running

Interference = Callable[[Profile, Profile], float]
"""Speed of the first program beside the second, relative to running alone."""
Truth = Callable[[int], Profile]
"""What a job really takes of its GPUs, by its number, whatever a policy believes of it."""


class RigidPhysics:
    """Work by job number; an accelerator kind that is not named runs at the reference speed."""

    def __init__(
        self,
        work_s: npt.NDArray[np.float64],
        saving: Saving = PUBLISHED,
        kind_speed: Mapping[str, float] | None = None,
        interference: Interference | None = None,
        truth: Truth | None = None,
        statuses: Callable[[int], str] | None = None,
        crossing: Callable[[Placement], float] | None = None,
    ) -> None:
        # Python's own array: numpy's take single values slowly.
        self._work_s = array("d", work_s.tolist())
        self._saving = saving
        self._kind_speed = dict(kind_speed or {})
        self._interference = interference
        self._truth = truth
        self._statuses = statuses
        self._crossing = crossing

    def begin(self, job: LiveJob, placement: Placement, left: float | None, now_s: float) -> float:
        """Give all of the job's work, or what is left of it."""
        return self._work_s[job.number] if left is None else left

    def next_leg(self, job: LiveJob, now_s: float) -> float | None:
        """End the job: its rate never changes of itself."""
        return None

    def rate(self, job: LiveJob, placement: Placement, partner: LiveJob | None) -> float:
        """Multiply the accelerator's speed, what being spread over racks leaves of it, and the interference."""
        speed = self._kind_speed.get(placement.kind, 1.0)
        if self._crossing is not None:
            speed *= self._crossing(placement)
        if partner is not None and self._interference is not None and self._truth is not None:
            speed *= self._interference(self._truth(job.number), self._truth(partner.number))
        return speed

    def lost_work(self, job: LiveJob, done: float) -> float:
        """Give what was done in a run since its last checkpoint."""
        return self._saving.lost(job.number, done)

    def saved_s(self, job: LiveJob, run: Running, now_s: float) -> float | None:
        """Give the moment of the last checkpoint, of this run or of one before it."""
        done = run.begun - run.left
        kept = self._saving.saved(job.number, done)
        if kept is not None:
            return now_s - (done - kept) / run.rate if run.rate > 0 else now_s
        # A run that began with less than the whole went on from a checkpoint.
        return job.started_s if run.begun < self._work_s[job.number] else None

    def restart_work(self, job: LiveJob) -> float:
        """Charge what starting again takes."""
        return self._saving.cost_s(job.number, job.gpus)

    def pause_s(self, job: LiveJob) -> float:
        """Charge nothing at a start: the price was added when the job was stopped."""
        return 0.0

    def status(self, job: LiveJob) -> str:
        """Give the trace's own word for how the job ended."""
        return self._statuses(job.number) if self._statuses is not None else "completed"
