"""How far a simulated job has come in a run."""

from schedmate.clusters.jobs import LiveJob, Placement


class Running:
    """A job's progress: what is left of its leg since the rate last changed."""

    __slots__ = ("begun", "left", "order", "partner", "placement", "rate", "since_s", "version")

    def __init__(self, left: float) -> None:
        self.left = left
        self.begun = left
        """What was left when the run began."""
        self.rate = 0.0
        self.since_s = 0.0
        self.version = 0
        self.order = 0
        self.partner: LiveJob | None = None
        self.placement: Placement | None = None
        """What was carried out; the job's own fields already show what is planned."""

    def settle(self, now_s: float) -> None:
        """Book the progress up to now."""
        if now_s > self.since_s:
            self.left -= (now_s - self.since_s) * self.rate
            self.since_s = now_s
