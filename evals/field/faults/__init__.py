"""Every family of fault, by the set it belongs to: OPEN ones may be learned from, HELD ones only measure."""

from collections.abc import Callable
from dataclasses import dataclass

from evals.field.faults import framework, gpu, held_code, held_machines, network, node, script, site, stopped
from evals.field.job import Job
from evals.field.stage import Stage, Truth

Family = Callable[[Stage], Truth]
STOPPED = {"lsf_run_limit", "pbs_wall_time", "deleted_by_person", "ray_stopped"}
FRAMEWORK = {"triton_resources", "xla_memory", "internal_assert", "compiler_back_end", "anomaly_found"}


@dataclass(frozen=True)
class Fault:
    """One way to fail: who tells it, where it can happen, whether before the first step."""

    name: str
    tell: Family
    early: bool = False
    only: frozenset[str] = frozenset()
    """Launchers or schedulers it needs; empty: any."""

    @property
    def category(self) -> str:
        room, _, name = self.name.partition(".")
        if room in {"framework", "script"}:
            return room
        if room == "stopped" or name in STOPPED:
            return "other"
        if name in FRAMEWORK:
            return "framework"
        return "script" if room == "held_code" else "infrastructure"

    def fits(self, job: Job) -> bool:
        return not self.only or job.launcher in self.only or job.scheduler in self.only


def families(module: object, *, held: bool = False) -> list[Fault]:
    """Collect the families that a module lists in FAMILIES."""
    listed: list[tuple[Family, bool, tuple[str, ...]]] = getattr(module, "FAMILIES")  # noqa: B009
    return [
        Fault(f"{tell.__module__.rpartition('.')[2]}.{tell.__name__}", tell, early, frozenset(only))
        for tell, early, only in listed
    ]


OPEN = [fault for module in (gpu, network, node, site, framework, script, stopped) for fault in families(module)]
HELD = [fault for module in (held_machines, held_code) for fault in families(module)]
