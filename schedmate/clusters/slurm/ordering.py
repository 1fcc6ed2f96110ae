"""The policy's order as site factors: waiting jobs that should start first get more of it, up to the site's weight.

Slurm goes on scheduling: the factor is one term of its priority, beside fair share, age and what else the site weighs.
Who has waited too long goes before all that have not, the longest first, whatever the policy says.
Where there is no such term (priority/basic, Slurm before 19.05) those that should start later are made nicer.
"""

import json
from collections.abc import Mapping, Sequence

from schedmate.clusters.managed import Refused
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.commands import Commands, only_over
from schedmate.clusters.slurm.records import JobRecord
from schedmate.clusters.slurm.versions import version_in
from schedmate.history.live import LiveStore

WEIGHT = 1000
PATIENCE_S = 86_400.0

LEVELS = 8
"""So many factors there are: a job that comes moves few others, and one command sets all those of a level."""
FACTORS = "slurm site factors"
"""Fact of the store: what was set, so that it can be taken back whole."""
NICE = "slurm nice values"
"""Fact of the store: how nice jobs were before they were made nicer."""
NO_RIGHT = ("invalid user id", "permission", "denied", "not authorized")
"""How scontrol says that we may not; other refusals are of jobs that have begun meanwhile."""
MOST_IDS = 500

FIRST = (19, 5)
"""The version that brought site factors."""
MOST_COMMANDS = 1
"""Of one look: two questions, one to the accounting, and this."""


class Ordering:
    """Keeps Slurm's priorities as the policy wants them, a command a look."""

    def __init__(self, books: Books, weight: int, patience_s: float = PATIENCE_S) -> None:
        self.books = books
        self.commands = books.commands
        store = self.store = books.store
        self.weight = weight
        self.patience_s = patience_s
        self.wanted: Sequence[str] | None = None
        """Jobs in the policy's order; None: nobody has asked for any."""
        self.factors: dict[str, int] = json.loads(store.fact(FACTORS) or "{}")
        self.nice: dict[str, int] = json.loads(store.fact(NICE) or "{}")
        self.has_factors: bool | None = None
        """Whether Slurm reckons with site factors; None: it was not asked yet."""
        self.is_refused = False
        """Whether we lack the right; then Slurm's own order stays."""

    def apply(self, found: Mapping[str, JobRecord]) -> None:
        """Set what is furthest from what it should be; of jobs that Slurm does not have, nothing is kept."""
        if self.wanted is None or self.is_refused:
            return
        waiting = [name for name in self.wanted if name in found and found[name].phase == "waits"]
        waiting = aged(waiting, found, self.books.now_s() - self.patience_s)
        groups: dict[tuple[int, int], list[str]] = {}
        for place, name in enumerate(waiting):
            factor = factor_of(place, len(waiting), self.weight)
            if self.factors.get(name, 0) != factor:
                own = 0 if self.uses_factors() else self.nice.get(name, found[name].nice)
                groups.setdefault((factor, own), []).append(name)
        for factor, own in sorted(groups, reverse=True)[:MOST_COMMANDS]:
            self.set(groups[factor, own][:MOST_IDS], factor, own)
        gone = self.factors.keys() - found.keys()
        if groups or gone:
            self.factors = {name: factor for name, factor in self.factors.items() if name not in gone}
            self.nice = {name: own for name, own in self.nice.items() if name not in gone}
            self.keep()

    def keep(self) -> None:
        """Write down what was set."""
        self.store.set_fact(FACTORS, json.dumps(self.factors))
        self.store.set_fact(NICE, json.dumps(self.nice))

    def uses_factors(self) -> bool:
        """Ask once whether this Slurm's priorities have a site factor in them."""
        if self.has_factors is None:
            told = self.commands.run("scontrol", "show", "config")
            self.has_factors = "priority/multifactor" in told and version_in(told) >= FIRST
        return self.has_factors

    def set(self, names: Sequence[str], factor: int, own: int) -> None:
        """Set one value, having written down what it was; who may not says so once, and tries no more."""
        if not self.uses_factors():
            self.nice |= dict.fromkeys((name for name in names if name not in self.nice), own)
            self.keep()
        value = f"SiteFactor={factor}" if self.uses_factors() else f"Nice={own + self.weight - factor}"
        try:
            self.commands.run("scontrol", "update", f"JobId={','.join(names)}", value)
        except Refused as error:
            if any(words in error.message.lower() for words in NO_RIGHT):
                self.is_refused = True
                self.books.odd.append(
                    f"{error.message}: Slurm's own order stays, which an operator's right would change"
                )
                return
        self.factors |= dict.fromkeys(names, factor)


def aged(waiting: Sequence[str], found: Mapping[str, JobRecord], before_s: float) -> list[str]:
    """Put those first that could have started before a moment, the longest wait first; the others stay in order."""
    since = {name: max(found[name].submit_s, found[name].eligible_s) for name in waiting}
    late = sorted((name for name in waiting if 0 < since[name] <= before_s), key=since.__getitem__)
    return [*late, *(name for name in waiting if not 0 < since[name] <= before_s)]


def factor_of(place: int, count: int, weight: int) -> int:
    """Give the factor of a place in the queue: the whole weight for the first level, none for the last."""
    level = place * LEVELS // max(count, 1) if count > LEVELS else place
    return weight - weight * level // LEVELS


def give_back(commands: Commands, store: LiveStore) -> int:
    """Take back everything that was set; give for how many jobs. What runs, or is over, it concerns no more."""
    factors: dict[str, int] = json.loads(store.fact(FACTORS) or "{}")
    nice: dict[str, int] = json.loads(store.fact(NICE) or "{}")
    for name in sorted(factors):
        with only_over():
            value = f"Nice={nice[name]}" if name in nice else "SiteFactor=0"
            commands.run("scontrol", "update", f"JobId={name}", value)
    store.set_fact(FACTORS, "{}")
    store.set_fact(NICE, "{}")
    return len(factors)
