"""No cluster at all: what the graph of recovery stands on where it is drawn, or only observes."""

from collections.abc import Sequence

from schedmate.clusters.managed import Can, Refused
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.steps import Case


class NoCluster:
    """Knows of nothing; what would change a cluster is refused."""

    can = Can(mark=False)

    def __init__(self) -> None:
        self.rules = Rules()

    def isolated(self) -> dict[str, int]:
        """No node is known."""
        return {}

    def others_hit(self, case: Case, node: str) -> Sequence[str]:
        """No other job is known."""
        return ()

    def breaker(self, nodes: Sequence[str]) -> str:
        """Nothing can be isolated anyway."""
        return ""

    def isolate(self, node: str, action: int, reason: str) -> None:
        """Refuse."""
        self.refuse()

    def restore(self, node: str, action: int) -> bool:
        """There is no mark."""
        return False

    def spares(self) -> Sequence[str]:
        """There are none."""
        return ()

    def bring_in(self, node: str) -> None:
        """Refuse."""
        self.refuse()

    def state_of(self, job: int) -> str:
        """A job that is asked about lies dead."""
        return "examined"

    def requeue(self, job: int, reason: str) -> None:
        """Refuse."""
        self.refuse()

    def hold(self, job: int, reason: str) -> None:
        """Refuse."""
        self.refuse()

    def tell(self, text: str) -> None:
        """Nobody listens."""

    def refuse(self) -> None:
        """Say that nothing was done."""
        raise Refused("the graph was built without a cluster: nothing was done", "docs/adapters.md describes it")
