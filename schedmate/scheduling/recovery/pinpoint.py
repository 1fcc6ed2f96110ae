"""Find faulty nodes by testing groups: halve what fails; with k faults among n nodes O(k log n) tests, log n rounds.

The groups of one round share no node, so a round may be tested all at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Group = tuple[str, ...]
Fails = Callable[[Sequence[Group]], Sequence[bool]]
"""Tests each group and tells which fail."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Nodes that fail alone, pairs that only fail together (a link between them), and what it took."""

    faulty: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    rounds: int
    tests: int


class Search:
    """Counts rounds and tests."""

    def __init__(self, fails: Fails) -> None:
        self.fails = fails
        self.rounds = 0
        self.tests = 0

    def ask(self, groups: Sequence[Group]) -> Sequence[bool]:
        """Test the groups of one round."""
        self.rounds += 1
        self.tests += len(groups)
        return self.fails(groups)

    def narrow(self, group: Group, beside: Group) -> str:
        """Find the node of a group that fails together with others though the group by itself does not."""
        while len(group) > 1:
            half = group[: len(group) // 2]
            group = half if self.ask([half + beside])[0] else group[len(half) :]
        return group[0]


def pinpoint(nodes: Sequence[str], fails: Fails) -> Findings:
    """Name the nodes that are at fault."""
    search = Search(fails)
    whole = tuple(nodes)
    failing = [whole] if whole and search.ask([whole])[0] else []
    faulty: list[str] = []
    pairs: list[tuple[Group, Group]] = []
    while failing:
        faulty += [group[0] for group in failing if len(group) == 1]
        halves = [(g[: len(g) // 2], g[len(g) // 2 :]) for g in failing if len(g) > 1]
        if not halves:
            break
        verdicts = search.ask([half for pair in halves for half in pair])
        failing = []
        for number, pair in enumerate(halves):
            bad = [half for half, is_bad in zip(pair, verdicts[2 * number : 2 * number + 2], strict=True) if is_bad]
            failing += bad
            if not bad:
                pairs.append(pair)
    links = []
    for left, right in pairs:
        one = search.narrow(left, right)
        links.append((one, search.narrow(right, (one,))))
    return Findings(tuple(faulty), tuple(links), search.rounds, search.tests)
