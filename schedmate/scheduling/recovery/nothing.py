"""Do nothing: the log does not show that the job died of anything."""

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, ClusterActions, QuickStep


class Nothing(QuickStep):
    """The exit status says failed, the log does not say why."""

    kind = "none"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say so."""
        return "the job ended with an error, and its log does not say why"

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Say so."""
        return self.describe(row, case)
