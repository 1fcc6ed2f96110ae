"""Take a node out of service: what runs there goes on, nothing new starts there."""

from schedmate.errors import InputError
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, ClusterActions, Finding, QuickStep, Radius


class Isolate(QuickStep):
    """Acts on the nodes that the tests of the case found, else on the one that the plan names.

    A log is written by the job, so it is a reason to look and none to act: a node goes only on a finding of a check, on
    the same fault in jobs of different users, or on a person's word.
    """

    kind = "isolate"
    radius: Radius = "node"

    def targets(self, row: ActionRow, case: Case) -> tuple[str, ...]:
        """Name the nodes."""
        return case.found or ((row.target,) if row.target else ())

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say which node, and why."""
        return f"isolate {', '.join(self.targets(row, case)) or 'the node that the tests find'}: {row.reason}"

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Refuse what is done already, what a check has cleared, and what the breaker forbids."""
        nodes = self.targets(row, case)
        if not nodes:
            return "the tests found no faulty node"
        if any(node in case.cleared for node in nodes if node not in case.found):
            return f"{', '.join(nodes)} passed the checks"
        if not cluster.can.mark:
            return "this cluster lets nobody take nodes out"
        if all(cluster.isolated().get(node, row.id) != row.id for node in nodes):
            return f"{', '.join(nodes)} is isolated already"
        return cluster.breaker([node for node in nodes if node not in cluster.isolated()])

    def doubt(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Name the nodes against which nothing speaks but what the job itself could have written."""
        bare = [
            node for node in self.targets(row, case) if node not in case.found and not cluster.others_hit(case, node)
        ]
        return f"only the log speaks against {', '.join(bare)}" if bare else ""

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Mark the nodes."""
        nodes = [node for node in self.targets(row, case) if cluster.isolated().get(node) in (None, row.id)]
        for node in nodes:
            cluster.isolate(node, row.id, reason_for(node, row, case))
        hit = dict.fromkeys(user for node in nodes if node not in case.found for user in cluster.others_hit(case, node))
        why = f": it met jobs of {', '.join((case.user, *hit))}" if hit else ""
        return Finding(f"{', '.join(nodes)} takes no more jobs{why}", nodes)

    def verify(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Look for the marks."""
        missing = [node for node in self.targets(row, case) if node not in cluster.isolated()]
        return f"{', '.join(missing)} bears no mark" if missing else ""

    def undo(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Take back this action's own marks, nobody else's."""
        mine = [node for node, action in cluster.isolated().items() if action == row.id]
        freed = [node for node in mine if cluster.restore(node, row.id)]
        if not freed:
            raise InputError(f"action {row.id} has no mark on any node", "another action or a person may have one")
        return Finding(f"{', '.join(freed)} takes jobs again", freed)


def reason_for(node: str, row: ActionRow, case: Case) -> str:
    """Say to operators what failed on a node, and who says so: they see this alone."""
    failure = case.diagnosis.failure_id or case.diagnosis.category
    if node in case.found:
        return f"{failure}: tests found it after job {case.job_id}"
    return row.reason if row.reason.startswith(failure) else f"{failure}: {row.reason}"
