"""Find the node whose communication fails: nccl-tests over groups of nodes, halved until the faulty ones are left."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.health_check import CheckFailed, CheckPassed
from schedmate.scheduling.recovery.pinpoint import Group, pinpoint
from schedmate.scheduling.recovery.steps import Case, Ground, Plain

SIZES = ("-b", "8M", "-e", "64M", "-f", "2")
MOST_AT_ONCE = 8
WRONG = re.compile(r"Out of bounds values\s*:\s*[1-9]")


class NcclTest(Plain):
    """Runs the program that policy.toml names, with arguments of our own, on the devices of one group at a time."""

    kind = "nccl_test"
    slow = True

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say where."""
        return f"test communication over {row.target}: {row.reason}"

    def run(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Search; a single suspect is tested alone."""
        program = shutil.which(ground.rules.tools.nccl_test)
        if program is None:
            return f"{ground.rules.tools.nccl_test} is not installed: communication was not tested"
        limit_s = ground.rules.recovery.check_limit_s
        devices = dict(case.devices)

        def fails(groups: Sequence[Group]) -> list[bool]:
            with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
                return list(pool.map(lambda group: not passes(program, group, devices, limit_s), groups))

        nodes = tuple(row.target.split(","))
        found = pinpoint(nodes, fails)
        took = f"{found.tests} tests in {found.rounds} rounds over {len(nodes)} nodes"
        if found.faulty:
            raise CheckFailed(f"{', '.join(found.faulty)} failed: {took}", found.faulty)
        if found.links:
            pairs = ", ".join(" and ".join(link) for link in found.links)
            return f"only together fail {pairs}: look at the link between them ({took})"
        return CheckPassed(f"all passed: {took}")


def passes(program: str, group: Group, devices: dict[str, tuple[int, ...]], limit_s: float) -> bool:
    """Run one test; what crashes, hangs or computes wrongly fails."""
    visible = [device for node in group for device in devices.get(node, ())]
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
        "SCHEDMATE_NODES": ",".join(group),
        "CUDA_VISIBLE_DEVICES": ",".join(map(str, visible)),
    }
    command = [program, *SIZES, "-g", str(max(1, len(visible)))]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=limit_s, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return False
    return answer.returncode == 0 and not WRONG.search(answer.stdout)
