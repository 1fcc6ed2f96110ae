"""Find the node whose communication fails: tests over groups of nodes, halved until the faulty ones are left."""

import math
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from schedmate.counts import how_many
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.group_checks import check_for
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.pinpoint import Group, pinpoint
from schedmate.scheduling.recovery.steps import Case, Finding, Radius, SlowStep

MOST_AT_ONCE = 8


class NcclTest(SlowStep):
    """Uses nccl-tests where it can, else the socket ring check, and says which; it keeps the nodes busy meanwhile."""

    kind = "nccl_test"
    radius: Radius = "node"
    occupies = True

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say where."""
        return f"test communication over {row.target}: {row.reason}"

    def limit_s(self, row: ActionRow, rules: Rules) -> float:
        """Give time for as many rounds as halving may take, each of which may hang; links take longest."""
        nodes = row.target.count(",") + 1
        rounds = 3 * math.ceil(math.log2(nodes)) + 2 if nodes > 1 else 1
        return rounds * math.ceil(nodes / MOST_AT_ONCE) * rules.recovery.check_limit_s + 60

    def waits(self, row: ActionRow, case: Case, rules: Rules) -> bool:
        """Nccl-tests need the GPUs for themselves; jobs that came meanwhile end some time, and sockets see less."""
        has_program = not case.here or bool(shutil.which(rules.tools.nccl_test))
        nodes, idle = row.target.split(","), dict(case.idle)
        owned = dict(case.devices)
        return has_program and any(owned.get(node) and not idle.get(node) for node in nodes)

    def run(self, row: ActionRow, case: Case, rules: Rules) -> str:
        """Search; a single suspect is tested alone."""
        nodes = tuple(row.target.split(","))
        if not case.here and not case.launcher and not rules.tools.reach:
            return f"nobody tested {row.target}: their hosts are not this one, and nothing may be started there now"
        check = check_for(rules, case, nodes)

        def fails(groups: Sequence[Group]) -> list[bool]:
            with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
                return list(pool.map(lambda group: not check.passes(group), groups))

        found = pinpoint(nodes, fails)
        took = f"{how_many(found.tests, 'test')} in {how_many(found.rounds, 'round')}"
        how = f"{check.name}: {took} over {how_many(len(nodes), 'node')}; it sees {check.sees}"
        if found.faulty:
            return Finding(f"{', '.join(found.faulty)} failed ({how})", found.faulty)
        if found.links:
            pairs = ", ".join(" and ".join(link) for link in found.links)
            return f"only together fail {pairs}: look at the link between them ({how})"
        cleared = nodes if case.diagnosis.subcategory in check.clears else ()
        return Finding(f"all passed ({how})", (), cleared)
