"""Ask nodes how they are: NVML about their GPUs, dcgmi those that are idle, and the machine about itself."""

import time
from collections.abc import Sequence

from schedmate.clusters.managed import on_nodes
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.steps import Case, Finding, SlowStep
from schedmate.schemas import Diagnosis
from schedmate.tools.node_health import Area
from schedmate.tools.node_report import NodeReport, Question, examine, examine_there

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
        nodes = row.target.split(",")
        seen = Seen(case)
        if case.here:
            seen.take(nodes, examine(question(nodes, case, rules)))
        elif not case.launcher:
            return f"nobody looked at {row.target}: their hosts are not this one, and nothing may be started there now"
        else:
            limit_s = rules.recovery.check_limit_s + 30
            for node in nodes:
                launch = on_nodes(case.launcher, [node])
                report = examine_there(launch, question([node], case, rules), limit_s)
                if isinstance(report, str):
                    seen.doubts.append(f"{node} was not looked at: {report}")
                else:
                    seen.take([node], report)
        return seen.told()


class Seen:
    """What the hosts told, put together."""

    def __init__(self, case: Case) -> None:
        self.subcategory = case.diagnosis.subcategory
        self.asks_host = bool(areas_of(case.diagnosis))
        self.wrong: dict[str, list[str]] = {}
        self.by: dict[str, None] = {}
        self.doubts: list[str] = []
        self.cleared: list[str] = []

    def take(self, nodes: Sequence[str], report: NodeReport) -> None:
        """Take in what one host told of the nodes on it."""
        for how, told in (("NVML", report["driver"]), ("dcgmi", report["tested"])):
            for node in nodes:
                if node in told:
                    self.by[how] = None
                    self.wrong[node] = [*self.wrong.get(node, ()), *told[node]]
        self.cleared += [node for node in nodes if node in self.wrong and self.subcategory in CLEARS]
        self.doubts += report["doubts"]
        if not report["looked"]:
            return
        self.by[f"the machine's {', '.join(report['looked'])}"] = None
        for node in nodes:
            self.wrong[node] = [*self.wrong.get(node, ()), *report["faults"]]
        if self.asks_host and not report["faults"] and not report["doubts"] and self.subcategory != "network":
            self.cleared += nodes

    def told(self) -> str:
        """Say what was found."""
        found = [node for node in self.wrong if self.wrong[node]]
        doubts = "".join(f"; {words}" for words in self.doubts)
        if found:
            return Finding("; ".join(f"{node}: {', '.join(self.wrong[node])}" for node in found) + doubts, found)
        if not self.by:
            return f"nothing here can look at GPUs{doubts}"
        words = f"{' and '.join(self.by)} found nothing on {', '.join(self.wrong)}{doubts}"
        return Finding(words, (), tuple(dict.fromkeys(self.cleared)))


def question(nodes: Sequence[str], case: Case, rules: Rules) -> Question:
    """Say what is to be looked at; whoever reaches nodes by ssh has them elsewhere, and this host tells nothing."""
    devices, idle = dict(case.devices), dict(case.idle)
    return Question(
        () if case.here and rules.tools.reach else areas_of(case.diagnosis),
        time.time() - rules.recovery.window_s,
        {node: devices[node] for node in nodes if node in devices},
        {node: idle[node] for node in nodes if node in idle},
        rules.tools.dcgmi,
        rules.recovery.check_limit_s,
    )


def areas_of(diagnosis: Diagnosis) -> tuple[Area, ...]:
    """Choose where to look for a fault of such a kind; GPUs and NVLink are asked by others."""
    if diagnosis.subcategory == "network":
        return ("network",)
    if diagnosis.subcategory not in ("node", "other"):
        return ()
    first = (diagnosis.failure_id or "").partition(".")[0]
    return BY_FAILURE.get(diagnosis.failure_id or "", BY_FAILURE.get(first, ("disk", "memory", "kernel")))
