"""Ask nodes' GPUs how they are: NVML about all of a node's, and dcgmi, where it is installed, those that are idle."""

import re
import shutil
import subprocess
from collections.abc import Sequence

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.rules import Rules
from schedmate.scheduling.recovery.steps import Case, Finding, Ground, Plain
from schedmate.tools.gpu_health import ailments
from schedmate.tools.gpus import Gpus

CLEARS = frozenset({"gpu"})
"""Kinds of fault that are out of the question where GPUs are well; cables and hosts may be broken all the same."""


FAILED = re.compile(r"^\|[ ]*(\w[^|\n]{0,60}?)[ ]*\|[ ]*Fail\b", re.MULTILINE)
"""A row of dcgmi's table; its exit status alone may also say that no daemon runs."""


class HealthCheck(Plain):
    """What no driver tells is no evidence either way: without NVML the check says nothing."""

    kind = "health_check"
    slow = True
    occupies = True

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say where."""
        return f"check the GPUs of {row.target}: {row.reason}"

    def limit_s(self, row: ActionRow, rules: Rules) -> float:
        """Give each node its time with dcgmi."""
        return (row.target.count(",") + 1) * rules.recovery.check_limit_s + 60

    def run(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Look at each node by itself: a fault speaks against its own node and no other."""
        nodes, devices, idle = row.target.split(","), dict(case.devices), dict(case.idle)
        owned = [device for node in nodes for device in devices.get(node, ())]
        told = (look(owned) if owned else None) or {}
        program = shutil.which(ground.rules.tools.dcgmi)
        wrong, seen_by = dict[str, list[str]](), dict[str, None]()
        for node in nodes:
            looked = [told[device] for device in devices.get(node, ()) if device in told]
            tested = run_dcgmi(program, idle.get(node, ()), ground.rules.recovery.check_limit_s)
            seen_by |= dict.fromkeys([*(["NVML"] if looked else []), *(["dcgmi"] if tested is not None else [])])
            if looked or tested is not None:
                wrong[node] = [*(words for each in looked for words in each), *(tested or ())]
        found = [node for node in wrong if wrong[node]]
        if found:
            return Finding("; ".join(f"{node}: {', '.join(wrong[node])}" for node in found), found)
        if not seen_by:
            return "nothing here can look at GPUs"
        cleared = list(wrong) if case.diagnosis.subcategory in CLEARS else ()
        return Finding(f"{' and '.join(seen_by)} found nothing on {', '.join(wrong)}", (), cleared)


def look(devices: Sequence[int]) -> dict[int, list[str]] | None:
    """List what NVML finds wrong with each of these GPUs; None without a driver."""
    gpus = Gpus()
    try:
        return None if gpus.absent else ailments(gpus, devices)
    finally:
        gpus.close()


def run_dcgmi(program: str | None, devices: Sequence[int], limit_s: float) -> list[str] | None:
    """Let NVIDIA's diagnostics test GPUs that nobody uses; None where they tell nothing, as without their daemon."""
    if program is None or not devices:
        return None
    command = [program, "diag", "-r", "2", "-i", ",".join(map(str, devices))]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return [f"dcgmi diag did not end within {limit_s:g} s"]
    except OSError:
        return None
    failed = dict.fromkeys(FAILED.findall(answer.stdout.decode(errors="replace")))
    if failed:
        return [f"dcgmi diag: {', '.join(list(failed)[:8])} failed"]
    return [] if answer.returncode == 0 else None
