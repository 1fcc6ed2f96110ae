"""What a simulated cluster asks of the truth about jobs."""

from typing import Protocol

from schedmate.clusters.jobs import LiveJob, Placement
from schedmate.clusters.simulation.running_job import Running


class Physics(Protocol):
    """How jobs behave: the truth that the simulated cluster plays out."""

    def begin(self, job: LiveJob, placement: Placement, left: float | None, now_s: float) -> float:
        """Give the work up to the job's end, or up to where its rate changes of itself, from a start or move on.

        `left` is what was left of the leg before; None at the very first start.
        """
        ...

    def next_leg(self, job: LiveJob, now_s: float) -> float | None:
        """Give the work of the leg after one that is done; None when the job is done."""
        ...

    def rate(self, job: LiveJob, placement: Placement, partner: LiveJob | None) -> float:
        """Give work per second on these GPUs, beside this partner."""
        ...

    def lost_work(self, job: LiveJob, done: float) -> float:
        """Give what is lost of the work that a run has done when it is stopped."""
        ...

    def saved_s(self, job: LiveJob, state: Running, now_s: float) -> float | None:
        """Give when the state was last saved to which a stop would throw the job back; None: to its beginning."""
        ...

    def restart_work(self, job: LiveJob) -> float:
        """Give the work that starting again adds."""
        ...

    def pause_s(self, job: LiveJob) -> float:
        """Give the seconds without progress after a start or a move."""
        ...

    def status(self, job: LiveJob) -> str:
        """Give the status with which the job ends of itself."""
        ...
