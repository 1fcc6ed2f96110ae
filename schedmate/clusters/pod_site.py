"""What recovery of a single pod asks of its cluster; one that starts pods by itself needs no `ManagedCluster`."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

PodState = Literal["dead", "running", "gone"]
"""`gone`: it is being deleted, or another has its name."""


class PodFacts(NamedTuple):
    """One pod, as far as recovery needs to know it."""

    name: str
    """With its namespace, as NAMESPACE/NAME."""
    uid: str
    """What tells it from another that has its name later."""
    node: str
    restarts: int
    """How often its containers were started again."""
    state: PodState
    owner: str
    """The controller that starts another in its place; empty where there is none."""
    bereft: str
    """Why nobody would start another in its place; empty where somebody would."""
    command: tuple[str, ...] = ()


class SiteNode(NamedTuple):
    """One node, and our mark on it."""

    name: str
    cordoned: bool
    sign: str
    """Which of our deeds cordoned it; empty where none did."""
    at_s: float
    """When that was."""
    back_s: float
    """When a person last took such a deed back; 0: never."""
    faults: tuple[str, ...]
    """What the cluster itself says is wrong with it."""

    @property
    def was_brought_back(self) -> bool:
        """Tell whether somebody uncordoned it behind our back."""
        return bool(self.sign) and not self.cordoned


class PodSite(Protocol):
    """Doing a thing twice does no more than once; a node that somebody else cordoned is left as it is."""

    def look_up(self, name: str) -> PodFacts:
        """Ask for a pod."""
        ...

    def state_of(self, name: str, uid: str) -> PodState:
        """Tell how this very pod is."""
        ...

    def nodes(self) -> Sequence[SiteNode]:
        """List all nodes."""
        ...

    def cordon(self, node: str, sign: str, reason: str, now_s: float) -> None:
        """Keep new pods from a node, and write down there whose deed it is; a node that is cordoned stays as it is."""
        ...

    def uncordon(self, node: str, sign: str, now_s: float) -> bool:
        """Take back this very deed; False where there is another's, or somebody has changed it since."""
        ...

    def delete(self, name: str, uid: str) -> None:
        """Delete this very pod, and no other of its name; one that is gone is deleted."""
        ...
