"""Fair share as Slurm has it: what accounts and users have used of late, against their shares.

By default as Fair Tree, which Slurm runs unless it is told not to: at each branch of the tree of accounts those come
first who have used least of their share, and a user's factor is the place in that order. With `classic` it is the older
formula, 2^(-usage / share / damping), in which an account's use counts for its users too.
"""

import math
from collections.abc import Iterable

from schedmate.scheduling.sites.accounts import ROOT, SiteAccounts

Who = tuple[str, str]
"""Account and user."""


class Branch:
    """An account, or a user in one: its share, its use and what is below it."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.used = 0.0
        self.below: dict[str, Branch] = {}
        self.people: dict[str, Branch] = {}

    def children(self) -> list["Branch"]:
        """Give accounts and people below, in the order in which they came."""
        return [*self.below.values(), *self.people.values()]


class FairShare:
    """Use fades by half every `half_life_s`; without it, never."""

    def __init__(
        self, site: SiteAccounts, half_life_s: float = 7 * 86_400.0, classic: bool = False, damping: float = 1.0
    ) -> None:
        self.site = site
        self.half_life_s = half_life_s
        self.classic = classic
        self.damping = damping
        self.root = Branch(1.0)
        self.at: dict[str, Branch] = {ROOT: self.root, "": self.root}
        self.paths: dict[Who, tuple[Branch, ...]] = {}
        self.faded_s = 0.0
        self._factors: dict[int, float] = {}
        for account, user in site.users:
            self.path(account, user)

    def path(self, account: str, user: str) -> tuple[Branch, ...]:
        """Give the branches from the root to a user; who is in no table has one share."""
        who = (self.site.account_of(user, account), user)
        if who not in self.paths:
            account = who[0]
            chain, seen = [account], {account}
            while (known := self.site.accounts.get(chain[-1])) is not None and known.parent not in seen:
                chain.append(known.parent)
                seen.add(known.parent)
            path, branch = [self.root], self.root
            for name in reversed(chain):
                if name in {"", ROOT}:
                    continue
                row = self.site.accounts.get(name)
                branch = branch.below.setdefault(name, Branch(1.0 if row is None else row.share))
                path.append(branch)
            mine = self.site.users.get((account, user))
            path.append(branch.people.setdefault(user, Branch(1.0 if mine is None else mine.share)))
            self.paths[who] = tuple(path)
            self._factors.clear()
        return self.paths[who]

    def charge(self, account: str, user: str, gpu_s: float) -> None:
        """Add use, to a user and to all above."""
        for branch in self.path(account, user):
            branch.used += gpu_s
        self._factors.clear()

    def fade(self, now_s: float) -> None:
        """Let use fade up to now."""
        if now_s > self.faded_s and self.half_life_s > 0:
            factor = 0.5 ** ((now_s - self.faded_s) / self.half_life_s)
            for branch in {id(one): one for path in self.paths.values() for one in path}.values():
                branch.used *= factor
        self.faded_s = max(self.faded_s, now_s)

    def factor(self, account: str, user: str) -> float:
        """Give a number from 0 to 1: the higher, the less was used of the share."""
        mine = self.path(account, user)[-1]
        if not self._factors:
            self._factors = self.classic_factors() if self.classic else self.tree_factors()
        return self._factors[id(mine)]

    def tree_factors(self) -> dict[int, float]:
        """Walk the tree, who used least of the share first; those who are even share a place."""
        order: list[list[Branch]] = []

        def walk(crowd: Iterable[Branch]) -> None:
            used, shares = sum(one.used for one in crowd), sum(one.share for one in crowd)
            rows = sorted(((level(one, used, shares), place, one) for place, one in enumerate(crowd)), key=first)
            while rows:
                even = [one for value, _, one in rows if value == rows[0][0]]
                people = [one for one in even if not one.children()]
                if people:
                    order.append(people)
                # The children of branches that are even are looked at together.
                if below := [child for one in even for child in one.children()]:
                    walk(below)
                rows = rows[len(even) :]

        walk(self.root.children())
        count, found, place = sum(map(len, order)), dict[int, float](), 0
        for crowd in order:
            found.update((id(one), (count - place) / count) for one in crowd)
            place += len(crowd)
        return found

    def classic_factors(self) -> dict[int, float]:
        """Work out the older formula."""
        total, found = self.root.used, dict[int, float]()

        def walk(branch: Branch, share: float, used: float) -> None:
            crowd = branch.children()
            shares = sum(one.share for one in crowd)
            for one in crowd:
                part = one.share / shares if shares else 0.0
                own = one.used / total if total else 0.0
                # Slurm lets the use of an account count for its users by their shares of it.
                felt = own if branch is self.root else own + (used - own) * part
                mine = share * part
                found[id(one)] = 2.0 ** (-felt / mine / self.damping) if mine else 0.0
                walk(one, mine, felt)

        walk(self.root, 1.0, 1.0)
        return found


def level(one: Branch, used: float, shares: float) -> float:
    """Give minus the share over the use, among those of a branch: who has used nothing comes first."""
    if not one.share:
        return 0.0
    return -math.inf if not one.used else -(one.share / shares) / (one.used / used)


def first(row: tuple[float, int, Branch]) -> tuple[float, int]:
    """Order by level, then by where it stands in the tables."""
    return row[0], row[1]
