"""What a job tells of itself to a policy that may change its size."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Configurations:
    """All shapes that jobs may have on a cluster, in columns: kind by its place in `kinds`, nodes, GPUs."""

    kinds: tuple[str, ...]
    per_node: tuple[int, ...]
    kind: npt.NDArray[np.int64]
    nodes: Floats
    gpus: Floats
    regular: npt.NDArray[np.bool_]
    """False for sizes that only jobs of a fixed size ask for."""

    def first(self, kind: int) -> int:
        """Give the column of one GPU of a kind."""
        return int(np.flatnonzero(self.kind == kind)[0])

    def column(self, kind: str, gpus: int) -> int | None:
        """Find a shape; None for one that is not among them."""
        if kind not in self.kinds:
            return None
        found = np.flatnonzero((self.kind == self.kinds.index(kind)) & (self.gpus == gpus))
        return int(found[0]) if len(found) else None


class Elastic(Protocol):
    """A trainer's own report; on a real cluster it comes from inside the job."""

    application: str
    category: str
    """`adaptive`: batch and GPUs may change; `scale-gpus`: only GPUs; `rigid`: only their kind."""
    wanted_gpus: int

    def goodputs(self, shapes: Configurations) -> Floats | None:
        """Give expected progress for each shape, 0 for those out of reach; None before the first step."""
        ...

    def restarting(self, now_s: float) -> bool:
        """Tell whether the job is still loading its checkpoint."""
        ...

    def work_left(self, now_s: float) -> float | None:
        """Give what is believed to be still to be done, in what goodputs count a second; None where nothing tells."""
        ...
