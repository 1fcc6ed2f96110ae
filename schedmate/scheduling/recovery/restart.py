"""Put a job back into the queue, to go on from its last checkpoint where it has one."""

from schedmate.errors import InputError
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.planner import IF_FOUND
from schedmate.scheduling.recovery.steps import Case, ClusterActions, QuickStep, Radius


class Restart(QuickStep):
    """The job finds the checkpoint's path in SCHEDMATE_CHECKPOINT."""

    kind = "restart"
    radius: Radius = "job"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say from where."""
        condition = ", if its fault is found" if row.target == IF_FOUND else ""
        return f"restart job {case.job_id}{self.origin(case)}{condition}"

    def origin(self, case: Case) -> str:
        """Name the checkpoint."""
        return f" from {case.checkpoint}" if case.checkpoint else " from the beginning: no checkpoint was found"

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Only a job that lies dead is restarted, and one of unknown cause only once the cause is found and gone."""
        if row.target == IF_FOUND and not (case.found and set(case.found) <= set(cluster.isolated())):
            return "the tests found nothing that could be taken out of its way"
        state = cluster.state_of(case.job)
        return "" if state == "examined" else f"job {case.job_id} is {state}"

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Queue it."""
        cluster.requeue(case.job, f"restarted after {case.diagnosis.failure_id}")
        return f"job {case.job_id} is back in the queue{self.origin(case)}"

    def verify(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Look at its state."""
        state = cluster.state_of(case.job)
        return "" if state in ("pending", "running", "completed") else f"job {case.job_id} is {state}"

    def undo(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Hold it again, while it only waits."""
        if cluster.state_of(case.job) != "pending":
            raise InputError(f"job {case.job_id} is {cluster.state_of(case.job)}", "schedmate cancel ends it")
        cluster.hold(case.job, f"restart undone (action {row.id})")
        return f"job {case.job_id} is held"


class Requeue(Restart):
    """The same for a job that did not fail by itself."""

    kind = "requeue"
