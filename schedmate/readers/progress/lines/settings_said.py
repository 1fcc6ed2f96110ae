"""Tell a run's settings from those that other programs say over and over: a run says its own as it begins."""

from collections.abc import Sequence
from dataclasses import dataclass, field

APART = 400
"""Lines between two places of a log: what the processes of one run say as they begin stands nearer together."""
OFTEN = 3
"""At so many places before the first step no run says the same setting."""


@dataclass(slots=True)
class SettingsSaid:
    """At which places of a log each value of a setting was said first."""

    places: dict[tuple[str, float], list[int]] = field(default_factory=dict)

    def note(self, name: str, value: float, order: int) -> None:
        """Note where a value was said; later places are not needed."""
        said = self.places.setdefault((name, value), [])
        if len(said) < OFTEN and (not said or order > said[-1] + APART):
            said.append(order)

    def is_of_others(self, name: str, value: float, began: int) -> bool:
        """Tell a value that was said at several places before a loop began."""
        said: Sequence[int] = self.places.get((name, value), ())
        return len(said) == OFTEN and said[-1] < began
