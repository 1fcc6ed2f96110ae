"""Keep a job from running into the same fault again, and say where the fault is."""

from pathlib import PurePath

from schedmate.errors import InputError
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, ClusterActions, QuickStep, Radius
from schedmate.schemas import Diagnosis


class Hold(QuickStep):
    """Its owner releases it with `schedmate release JOB` once the fault is mended."""

    kind = "hold"
    radius: Radius = "job"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say why."""
        return f"hold job {case.job_id}: {place_of(case.diagnosis)}{row.reason}"

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Only a job that lies dead is held."""
        state = cluster.state_of(case.job)
        return "" if state == "examined" else f"job {case.job_id} is {state}"

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Hold it."""
        reason = f"{place_of(case.diagnosis)}{case.diagnosis.failure_id or case.diagnosis.category}; {row.reason}"
        cluster.hold(case.job, reason)
        return reason

    def verify(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Look at its state."""
        state = cluster.state_of(case.job)
        return "" if state == "held" else f"job {case.job_id} is {state}"

    def undo(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Queue it."""
        if cluster.state_of(case.job) != "held":
            raise InputError(f"job {case.job_id} is {cluster.state_of(case.job)}", "only a held job can be released")
        cluster.requeue(case.job, f"hold undone (action {row.id})")
        return f"job {case.job_id} is back in the queue"


def place_of(diagnosis: Diagnosis) -> str:
    """Name the line of the user's code that raised, where it is known."""
    for one in diagnosis.evidence:
        if one.path not in (diagnosis.log, diagnosis.root_path) and one.path.endswith(".py"):
            return f"{PurePath(one.path).name}:{one.line}: "
    return ""
