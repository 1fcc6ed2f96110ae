"""The policies, one file each; a new one also has a row in `policy_table.py` and a maker in `catalogue.py`."""

from typing import Protocol

from schedmate.scheduling.view import ClusterView, Plan


class Policy(Protocol):
    """Decides for one virtual cluster; it may keep a queue of its own, fed from `view.arrived`."""

    name: str

    def decide(self, view: ClusterView) -> Plan:
        """Answer what to start, stop, move now; called when a job came or ended, a node changed, or a wake-up is due.

        It must not ask for more than `view` shows: the same object serves simulated and real clusters.
        """
        ...
