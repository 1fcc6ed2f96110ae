"""What every recovery step is, and what it may touch; each step has a file of its own."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal, Protocol

from schedmate.clusters.managed import Can
from schedmate.errors import InputError
from schedmate.graphs.state import Fields
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.schemas import Diagnosis

Radius = Literal["nothing", "job", "node"]


@dataclass(frozen=True, slots=True)
class Case:
    """A failure that is being dealt with."""

    job: int
    job_id: str
    """How its users and the engine call it."""
    run: int
    user: str
    name: str
    command: tuple[str, ...]
    checkpoint: str
    diagnosis: Diagnosis
    nodes: tuple[str, ...]
    """Nodes of the run that failed."""
    devices: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """GPUs of each of those nodes and of the spares, as this machine numbers them; a node of CPUs has none."""
    idle: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Those of them that the run had, or that a spare has, and that nobody computes on now."""
    spares: tuple[str, ...] = ()
    """Nodes in reserve, which may stand witness in a test."""
    found: tuple[str, ...] = ()
    """Nodes that the tests of this case found faulty."""
    cleared: tuple[str, ...] = ()
    """Nodes that a check could really look at and found in order."""
    done: tuple[str, ...] = ()
    """What became of the steps so far, in words."""
    asks: tuple[str, ...] = ()
    """Which steps wait for a person's word, in their order."""
    here: bool = True
    """Whether all nodes are this machine."""
    launcher: tuple[str, ...] = ()
    """What runs a command on nodes elsewhere; none where nothing may be started there."""
    addresses: tuple[tuple[str, str], ...] = ()
    """Where nodes elsewhere reach each other, if not under their names."""
    answered_with: str = "schedmate approve ACTION, or reject"
    """How a person says yes or no to a step."""
    shown_with: str = ""
    """How a person sees more of the job; empty: as under `schedmate up`."""

    def dump(self) -> Fields:
        """Give all fields for another process."""
        return {**asdict(self), "diagnosis": self.diagnosis.model_dump(mode="json")}


def load_case(fields: Fields) -> Case:
    """Make a case of what another process gave."""
    lists = {
        name: tuple(fields[name])
        for name in ("command", "nodes", "found", "cleared", "spares", "done", "asks", "launcher")
    }
    lists["addresses"] = tuple((node, where) for node, where in fields["addresses"])
    gpus = {name: tuple((node, tuple(each)) for node, each in fields[name]) for name in ("devices", "idle")}
    diagnosis = Diagnosis.model_validate(fields["diagnosis"])
    return Case(**{**fields, **lists, **gpus, "diagnosis": diagnosis})


class Finding(str):
    """What a check says, with the nodes that it speaks against and those that it speaks for."""

    found: tuple[str, ...]
    cleared: tuple[str, ...]

    def __new__(cls, words: str, found: Sequence[str] = (), cleared: Sequence[str] = ()) -> "Finding":
        """Keep the nodes beside the words."""
        made = super().__new__(cls, words)
        made.found, made.cleared = tuple(found), tuple(cleared)
        return made


class ClusterActions(Protocol):
    """All that a step can do to a cluster; what is not here, no step does."""

    rules: Rules
    can: Can

    def isolated(self) -> dict[str, int]:
        """Give each isolated node and the number of the step that isolated it; 0: a person or another program did."""
        ...

    def others_hit(self, case: Case, node: str) -> Sequence[str]:
        """Name other users whose jobs lately died of the same fault on a node."""
        ...

    def breaker(self, nodes: Sequence[str]) -> str:
        """Say why these nodes may not be isolated now; empty when they may."""
        ...

    def isolate(self, node: str, action: int, reason: str) -> None:
        """Mark a node with that step's number, and give it no more jobs; one that bears a mark keeps it."""
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
        """Tell a job's state by one of these words; any other is shown to people, and the job is left alone.

        `examined`: it died and lies there until a step decides, the only state from which one is restarted or held;
        `pending`, `running` or `completed`: a restart has taken effect; `held`: it waits until somebody releases it.
        """
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


class AnyStep(ABC):
    """What both kinds of step have, and what most of them need not say."""

    kind: str
    radius: Radius = "nothing"
    """What it can do harm to; steps that harm nothing need no approval."""

    @abstractmethod
    def describe(self, row: ActionRow, case: Case) -> str:
        """Say what would be done."""

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Say why it cannot or need not be done now; empty when it can."""
        return ""

    def doubt(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Say what evidence is missing, so that only a person's word lets it be done; empty when none is."""
        return ""

    def undo(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Take it back and say how; refuses with a SchedMateError what it cannot."""
        raise InputError(f"action {row.id} ({row.kind}) leaves nothing to undo", "schedmate actions lists them")


class QuickStep(AnyStep):
    """Done at once, on the cluster: what it does and what is written down of it are one transaction."""

    @abstractmethod
    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Do it and say what was done; doing it twice does no more than once."""

    def verify(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Look whether it took effect; empty when it did."""
        return ""


class SlowStep(AnyStep):
    """Done beside the loop, in a process that can do nothing to the cluster: all it has is the case and the rules."""

    occupies = False
    """Whether it needs its nodes for itself: they get no new jobs while it runs."""

    def limit_s(self, row: ActionRow, rules: Rules) -> float:
        """Give the time after which it is given up."""
        return rules.recovery.check_limit_s + 120

    def waits(self, row: ActionRow, case: Case, rules: Rules) -> bool:
        """Tell whether it had better wait until others have left its nodes."""
        return False

    @abstractmethod
    def run(self, row: ActionRow, case: Case, rules: Rules) -> str:
        """Do it and say what was found; doing it twice does no more than once."""


Step = QuickStep | SlowStep
