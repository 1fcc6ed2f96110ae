"""How fast is it: `python -m benchmarks [NAME...]`; each file is one benchmark, `measure() -> list[Figure]`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured number; `goal` is what the design asks for, None where it asks nothing."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    less_is_better: bool = False

    @property
    def holds(self) -> bool | None:
        """Tell whether the goal is met; None without one."""
        if self.goal is None:
            return None
        return self.value <= self.goal if self.less_is_better else self.value >= self.goal
