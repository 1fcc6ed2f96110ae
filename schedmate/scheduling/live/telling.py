"""What the loop says of its jobs, one line an event."""

from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.clusters.managed import ManagedCluster
from schedmate.counts import how_many
from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.estimates import LiveEstimates
from schedmate.scheduling.live.job_account import place_of
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.view import Action, Resize, Start
from schedmate.scheduling.virtual_cluster import VirtualCluster


class Teller:
    """Says what the loop does, one line an event, and keeps the estimates learning."""

    def __init__(
        self, cluster: ManagedCluster, store: LiveStore, estimates: LiveEstimates, say: Callable[[str], None]
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.estimates = estimates
        self.say = say

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Say that a job came, or was found running."""
        name = f" ({job.name} of {job.user})" if job.name else ""
        if job.placement is not None:
            self.say(f"job {job.job_id}{name} runs already, on {self.place(job)}")
            return
        others = len(part.view.pending) - 1
        place = (
            f"in the queue, where {how_many(others, 'other waits', 'others wait')}" if others else "next in the queue"
        )
        self.say(f"job {job.job_id}{name} is {place}")
        if self.cluster.can.place and not self.fits(job):
            kind = f" of kind {job.kind}" if job.kind else ""
            total = sum(state.spec.gpus for state in self.cluster.states())
            reason = f"wants {how_many(job.gpus, 'slot')}{kind}; the cluster has {total} in all"
            try:
                self.cluster.hold(job.number, reason)
            except SchedMateError as error:  # it waits, and nothing starts it
                self.say(f"job {job.job_id} {reason}; it was not held: {error.message}")
                return
            self.say(f"job {job.job_id} is held: it {reason}")

    def fits(self, job: LiveJob) -> bool:
        """Tell whether a job could run if the whole cluster were empty and well."""
        inventory = Inventory(state.spec for state in self.cluster.states() if state.spec.vc == job.vc)
        return inventory.place(job.gpus, job.kind) is not None

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Say that a job is over, and learn how long it took."""
        runs = self.store.runs(job.number)
        ran_s = sum(run.took_s or 0.0 for run in runs)  # as measured: the loop may have been away
        if status != "held":
            self.estimates.learn(job, ran_s, status)
        if status in ("completed", "cancelled"):
            self.say(f"job {job.job_id} {status} after {ran_s:.1f} s")

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Say what was started."""
        for action in actions:
            if isinstance(action, Start):
                beside = f" beside job {action.partner.job_id}" if action.partner else ""
                self.say(f"job {action.job.job_id} starts on {self.place(action.job)}{beside}")
            elif isinstance(action, Resize) and action.job.placement is not None:
                slots = how_many(action.job.placement.gpus, "slot")
                self.say(f"job {action.job.job_id} goes on with {slots}, on {self.place(action.job)}")

    @staticmethod
    def place(job: LiveJob) -> str:
        """Write a placement as people read it."""
        return place_of(job.placement.parts) if job.placement else ""
