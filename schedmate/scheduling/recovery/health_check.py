"""Ask nodes how they are: NVML about their GPUs, dcgmi those that are idle, and the machine about itself."""

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.rules import Rules
from schedmate.scheduling.recovery.steps import Case, Finding, SlowStep
from schedmate.schemas import Diagnosis
from schedmate.tools.gpu_health import ailments
from schedmate.tools.gpus import Gpus
from schedmate.tools.node_health import Area
from schedmate.tools.node_health import look as look_at

CLEARS = frozenset({"gpu"})
"""Kinds of fault that are out of the question where GPUs are well; cables and hosts may be broken all the same."""


BY_FAILURE: dict[str, tuple[Area, ...]] = {
    "storage": ("disk", "kernel"),
    "storage.disk_full": ("disk",),
    "storage.checkpoint_write": ("disk",),
    "storage.checkpoint_cut_short": ("disk",),
    "node.kernel_oom": ("memory",),
    "node.oom_daemon": ("memory",),
    "node.ntp_munge": ("clock",),
}
"""Where to look for a fault, by its id or the first word of it; else everywhere."""
FAILED = re.compile(r"^\|[ ]*(\w[^|\n]{0,60}?)[ ]*\|[ ]*Fail\b", re.MULTILINE)
"""A row of dcgmi's table; its exit status alone may also say that no daemon runs."""


class HealthCheck(SlowStep):
    """What no driver tells is no evidence either way: without NVML the check says nothing."""

    kind = "health_check"
    occupies = True

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say where, and at what."""
        areas = areas_of(case.diagnosis)
        what = f"{', '.join(areas)} and GPUs" if areas else "the GPUs"
        return f"check {what} of {row.target}: {row.reason}"

    def limit_s(self, row: ActionRow, rules: Rules) -> float:
        """Give each node its time with dcgmi."""
        return (row.target.count(",") + 1) * rules.recovery.check_limit_s + 60

    def run(self, row: ActionRow, case: Case, rules: Rules) -> str:
        """Look at each node by itself: a fault speaks against its own node and no other."""
        nodes, devices, idle = row.target.split(","), dict(case.devices), dict(case.idle)
        owned = [device for node in nodes for device in devices.get(node, ())]
        told = (look(owned) if owned else None) or {}
        program = shutil.which(rules.tools.dcgmi)
        wrong, seen_by = dict[str, list[str]](), dict[str, None]()
        for node in nodes:
            looked = [told[device] for device in devices.get(node, ()) if device in told]
            tested = run_dcgmi(program, idle.get(node, ()), rules.recovery.check_limit_s)
            seen_by |= dict.fromkeys([*(["NVML"] if looked else []), *(["dcgmi"] if tested is not None else [])])
            if looked or tested is not None:
                wrong[node] = [*(words for each in looked for words in each), *(tested or ())]
        cleared = list(wrong) if case.diagnosis.subcategory in CLEARS else []
        machine = look_at_machine(case.diagnosis, rules) if not rules.tools.reach else NOT_SEEN
        if machine.looked:
            seen_by[f"the machine's {', '.join(machine.looked)}"] = None
            for node in nodes:
                wrong[node] = [*wrong.get(node, ()), *machine.faults]
            cleared += nodes if machine.clears else []
        found = [node for node in wrong if wrong[node]]
        doubts = "".join(f"; {words}" for words in machine.doubts)
        if found:
            return Finding("; ".join(f"{node}: {', '.join(wrong[node])}" for node in found) + doubts, found)
        if not seen_by:
            return f"nothing here can look at GPUs{doubts}"
        return Finding(f"{' and '.join(seen_by)} found nothing on {', '.join(wrong)}{doubts}", (), cleared)


class Machine(NamedTuple):
    """What the machine told of itself."""

    looked: list[str]
    faults: list[str]
    doubts: list[str]
    clears: bool
    """Whether all that may have failed in this way was seen, and is well."""


NOT_SEEN = Machine([], [], [], False)


def areas_of(diagnosis: Diagnosis) -> tuple[Area, ...]:
    """Choose where to look for a fault of such a kind; GPUs and NVLink are asked by others."""
    if diagnosis.subcategory == "network":
        return ("network",)
    if diagnosis.subcategory not in ("node", "other"):
        return ()
    first = (diagnosis.failure_id or "").partition(".")[0]
    return BY_FAILURE.get(diagnosis.failure_id or "", BY_FAILURE.get(first, ("disk", "memory", "kernel")))


def look_at_machine(diagnosis: Diagnosis, rules: Rules) -> Machine:
    """Look at every area that such a fault may lie in."""
    since_s = time.time() - rules.recovery.window_s
    areas = areas_of(diagnosis)
    seen = {area: look_at(area, since_s=since_s) for area in areas}
    faults = [words for one in seen.values() for words in one.faults]
    doubts = [words for one in seen.values() for words in (*one.doubts, *filter(None, [one.blind]))]
    clears = bool(areas) and not faults and not doubts and diagnosis.subcategory != "network"
    return Machine([area for area, one in seen.items() if not one.blind], faults, doubts, clears)


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
