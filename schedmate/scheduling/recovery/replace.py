"""Bring in a spare for a node that was taken out."""

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, Ground, Plain, Radius


class Replace(Plain):
    """Takes the first spare; without one the job waits for slots like any other."""

    kind = "replace"
    radius: Radius = "node"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say for whom."""
        return f"bring in a spare for {row.target or 'what is isolated'}"

    def preflight(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """A spare is wanted only where a node has gone."""
        out = ground.isolated()
        if not any(node in out for node in (row.target, *case.found)):
            return "no node was taken out"
        return "" if ground.spares() else "there is no spare: the job waits for free slots"

    def run(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Bring one in."""
        node = ground.spares()[0]
        ground.bring_in(node)
        return f"spare {node} takes jobs"
