"""What every recovery step is, and what it may touch; each step has a file of its own."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.rules import Rules
from schedmate.schemas import Diagnosis

Radius = Literal["nothing", "job", "node"]


@dataclass(frozen=True, slots=True)
class Case:
    """A failure that is being dealt with."""

    job: int
    run: int
    user: str
    name: str
    command: tuple[str, ...]
    checkpoint: str
    diagnosis: Diagnosis
    nodes: tuple[str, ...]
    """Nodes of the run that failed."""
    devices: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """GPUs of each of those nodes, as this machine numbers them; a node of CPUs has none."""
    found: tuple[str, ...] = ()
    """Nodes that the tests of this case found faulty."""
    cleared: tuple[str, ...] = ()
    """Nodes that a check could really look at and found in order."""

    def seen(self, found: tuple[str, ...], cleared: tuple[str, ...]) -> "Case":
        """Add what a check has found."""
        return replace(
            self,
            found=tuple(dict.fromkeys((*self.found, *found))),
            cleared=tuple(dict.fromkeys((*self.cleared, *cleared))),
        )

    def dump(self) -> dict[str, Any]:
        """Give all fields for another process."""
        return {**asdict(self), "diagnosis": self.diagnosis.model_dump(mode="json")}


def load_case(fields: dict[str, Any]) -> Case:
    """Make a case of what another process gave."""
    lists = {name: tuple(fields[name]) for name in ("command", "nodes", "found", "cleared")}
    devices = tuple((node, tuple(each)) for node, each in fields["devices"])
    diagnosis = Diagnosis.model_validate(fields["diagnosis"])
    return Case(**{**fields, **lists, "devices": devices, "diagnosis": diagnosis})


class Ground(Protocol):
    """All that a step can do to a cluster; what is not here, no step does."""

    rules: Rules

    def isolated(self) -> dict[str, int]:
        """Give each isolated node and the action that isolated it."""
        ...

    def breaker(self, node: str) -> str:
        """Say why no further node may be isolated now; empty when one may."""
        ...

    def isolate(self, node: str, action: int) -> None:
        """Mark a node and give it no more jobs."""
        ...

    def restore(self, node: str, action: int) -> bool:
        """Take back the mark that this action made; False when it is another's."""
        ...

    def spares(self) -> Sequence[str]:
        """List nodes that are kept in reserve."""
        ...

    def bring_in(self, node: str) -> None:
        """Let a spare take jobs."""
        ...

    def state_of(self, job: int) -> str:
        """Tell a job's state."""
        ...

    def requeue(self, job: int, reason: str) -> None:
        """Put a job back into the queue."""
        ...

    def hold(self, job: int, reason: str) -> None:
        """Keep a job from running until somebody releases it."""
        ...

    def tell(self, text: str) -> None:
        """Write a line to the loop's console."""
        ...


class Step(Protocol):
    """One kind of action."""

    kind: str
    radius: Radius
    """What it can do harm to; steps that harm nothing need no approval."""
    slow: bool
    """Whether `run` may take long: it is then done beside the loop, with no ground to stand on but the rules."""

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say what would be done."""
        ...

    def preflight(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Say why it cannot or need not be done now; empty when it can."""
        ...

    def run(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Do it and say what was done; doing it twice does no more than once."""
        ...

    def verify(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Look whether it took effect; empty when it did."""
        ...

    def undo(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Take it back and say how; refuses with a SchedMateError what it cannot."""
        ...


class Plain:
    """What most steps need not say."""

    radius: Radius = "nothing"
    slow = False

    def preflight(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Nothing stands in the way."""
        return ""

    def verify(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """It took effect by being done."""
        return ""

    def undo(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """It left no mark."""
        from schedmate.errors import InputError

        raise InputError(f"action {row.id} ({row.kind}) leaves nothing to undo", "schedmate actions lists them")
