"""Bring in a spare for a node that was taken out."""

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, ClusterActions, QuickStep, Radius


class Replace(QuickStep):
    """Takes a spare for each node that was taken out; where they do not suffice the job waits for slots."""

    kind = "replace"
    radius: Radius = "node"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say for whom."""
        return f"bring in a spare for {', '.join(case.found) or row.target or 'what is isolated'}"

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """A spare is wanted only where a node has gone."""
        if not self.gone(row, case, cluster):
            return "no node was taken out"
        return "" if cluster.spares() else "there is no spare: the job waits for free slots"

    def gone(self, row: ActionRow, case: Case, cluster: ClusterActions) -> list[str]:
        """List the nodes of this failure that are isolated."""
        out = cluster.isolated()
        return [node for node in dict.fromkeys((*case.found, row.target)) if node in out]

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Bring them in."""
        nodes = cluster.spares()[: len(self.gone(row, case, cluster))]
        for node in nodes:
            cluster.bring_in(node)
        return f"spare {nodes[0]} takes jobs" if len(nodes) == 1 else f"spares {', '.join(nodes)} take jobs"
