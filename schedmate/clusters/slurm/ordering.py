"""The policy's order as site factors: waiting jobs that should start first get more of it, up to the site's weight.

Slurm goes on scheduling: the factor is one term of its priority, beside fair share, age and what else the site weighs.
"""

import json
from collections.abc import Iterable, Sequence

from schedmate.clusters.managed import Refused
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.records import JobRecord
from schedmate.history.live import LiveStore

WEIGHT = 1000
LEVELS = 8
"""So many factors there are: a job that comes moves few others, and one command sets all those of a level."""
FACTORS = "slurm site factors"
"""Fact of the store: what was set, so that it can be taken back whole."""
MOST_IDS = 500
MOST_COMMANDS = 1
"""Of one look: two questions, one to the accounting, and this."""


class Ordering:
    """Keeps Slurm's site factors as the policy wants them, a command a look."""

    def __init__(self, commands: Commands, store: LiveStore, weight: int) -> None:
        self.commands = commands
        self.store = store
        self.weight = weight
        self.wanted: Sequence[str] | None = None
        """Jobs in the policy's order; None: nobody has asked for any."""
        self.factors: dict[str, int] = json.loads(store.fact(FACTORS) or "{}")

    def apply(self, found: dict[str, JobRecord]) -> None:
        """Set the factors that are furthest from what they should be."""
        if self.wanted is None:
            return
        waiting = [name for name in self.wanted if name in found and found[name].phase == "waits"]
        groups: dict[int, list[str]] = {}
        for place, name in enumerate(waiting):
            factor = factor_of(place, len(waiting), self.weight)
            if self.factors.get(name, 0) != factor:
                groups.setdefault(factor, []).append(name)
        for factor in sorted(groups, reverse=True)[:MOST_COMMANDS]:
            self.set(groups[factor][:MOST_IDS], factor)
        gone = self.factors.keys() - found.keys()
        if groups or gone:
            self.factors = {name: factor for name, factor in self.factors.items() if name not in gone}
            self.store.set_fact(FACTORS, json.dumps(self.factors))

    def set(self, names: Sequence[str], factor: int) -> None:
        """Set one factor; who may not is not asked to try again."""
        try:
            set_factor(self.commands, names, factor)
        except Refused as error:
            if "permission" in error.message.lower() or "denied" in error.message.lower():
                raise
        self.factors |= dict.fromkeys(names, factor)


def factor_of(place: int, count: int, weight: int) -> int:
    """Give the factor of a place in the queue: the whole weight for the first level, none for the last."""
    level = place * LEVELS // max(count, 1) if count > LEVELS else place
    return weight - weight * level // LEVELS


def set_factor(commands: Commands, names: Iterable[str], factor: int) -> None:
    """Set the site factor of jobs, which needs an operator's right."""
    commands.run("scontrol", "update", f"JobId={','.join(names)}", f"SiteFactor={factor}")


def reset(commands: Commands, store: LiveStore) -> int:
    """Take back every factor that was set; give how many there were."""
    factors: dict[str, int] = json.loads(store.fact(FACTORS) or "{}")
    names = sorted(factors)
    for start in range(0, len(names), MOST_IDS):
        for name in names[start : start + MOST_IDS]:
            try:
                set_factor(commands, [name], 0)
            except Refused:
                continue  # it runs, or is over: the factor matters no more
    store.set_fact(FACTORS, "{}")
    return len(names)
