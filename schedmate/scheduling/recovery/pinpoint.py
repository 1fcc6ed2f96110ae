"""Find faulty nodes by testing groups: halve what fails; with k faults among n nodes O(k log n) tests, log n rounds.

A node whose network is dead passes alone and fails in company. So who has only passed alone is tested with a witness,
a node that has worked in company: who fails with it is at fault, and two that fail only with each other have a broken
link between them. The groups of one round share no node, so a round may be tested all at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

Group = tuple[str, ...]
Link = tuple[str, str]

Fails = Callable[[Sequence[Group]], Sequence[bool]]
"""Tests each group and tells which fail."""


@dataclass(frozen=True, slots=True)
class PinpointFindings:
    """Nodes at fault; pairs that only fail together, of which no more is known; and what it took."""

    faulty: tuple[str, ...]
    links: tuple[Link, ...]
    rounds: int
    tests: int


class Search:
    """Counts rounds and tests, and remembers who has worked in company."""

    def __init__(self, fails: Fails) -> None:
        self.fails = fails
        self.rounds = 0
        self.tests = 0
        self.proven: list[str] = []

    def ask(self, *groups: Group) -> Sequence[bool]:
        """Test the groups of one round."""
        self.rounds += 1
        self.tests += len(groups)
        verdicts = self.fails(groups)
        for group, is_bad in zip(groups, verdicts, strict=True):
            if not is_bad and len(group) > 1:
                self.proven += group
        return verdicts

    def narrow(self, group: Group, beside: Group) -> str:
        """Find the node of a group that fails together with others though the group by itself does not."""
        while len(group) > 1:
            half = group[: len(group) // 2]
            group = half if self.ask(half + beside)[0] else group[len(half) :]
        return group[0]

    def confront(self, suspects: Sequence[str], links: Sequence[Link], spares: Sequence[str]) -> set[str]:
        """Test those who have only passed alone beside one who works; give those who fail even then."""
        met = {frozenset(link) for link in links}
        strangers = [pair for pair in combinations(suspects, 2) if frozenset(pair) not in met]
        for pair in (*strangers, *product(suspects, spares)):
            if self.proven:
                break
            self.ask(pair)
        waiting = [node for node in suspects if node not in self.proven]
        failed: set[str] = set()
        while pairs := self.beside_witnesses(waiting, met):
            verdicts = self.ask(*pairs)
            failed |= {node for (node, _), is_bad in zip(pairs, verdicts, strict=True) if is_bad}
            waiting = [node for node in waiting if node not in {node for node, _ in pairs}]
        return failed

    def beside_witnesses(self, nodes: Sequence[str], met: set[frozenset[str]]) -> list[Link]:
        """Put each beside one who works, though not one it has failed with; as many as can be tested at once."""
        pairs: list[Link] = []
        free = list(dict.fromkeys(self.proven))
        for node in nodes:
            witness = next((one for one in free if frozenset((node, one)) not in met), None)
            if witness is not None:
                free.remove(witness)
                pairs.append((node, witness))
        return pairs


def pinpoint(nodes: Sequence[str], fails: Fails, spares: Sequence[str] = ()) -> PinpointFindings:
    """Name the nodes that are at fault; `spares` may stand witness."""
    search = Search(fails)
    whole = tuple(nodes)
    failing = [whole] if whole and search.ask(whole)[0] else []
    faulty: list[str] = []
    pairs: list[tuple[Group, Group]] = []
    while failing:
        faulty += [group[0] for group in failing if len(group) == 1]
        halves = [(g[: len(g) // 2], g[len(g) // 2 :]) for g in failing if len(g) > 1]
        if not halves:
            break
        verdicts = search.ask(*(half for pair in halves for half in pair))
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
    is_at_fault = bool(faulty or links)
    suspects = [node for node in nodes if node not in search.proven and node not in faulty] if is_at_fault else []
    alone = search.confront(suspects, links, spares)
    faulty += [node for node in nodes if node in alone]
    unexplained = tuple(link for link in links if not alone & set(link))
    return PinpointFindings(tuple(faulty), unexplained, search.rounds, search.tests)
