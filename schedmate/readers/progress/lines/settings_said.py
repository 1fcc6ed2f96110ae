"""Keep what a log says that its run was set to, apart from what is said in ever other ways and sets nothing."""

import re
from dataclasses import dataclass, field

from schedmate.readers.progress.lines.tokens import is_measurable

NUMBER = re.compile(r"[0-9]+")

MOST_VALUES = 8
"""With more values than this a kind of line speaks of other runs each time, as a sweep's or a neighbour's may."""
MAX_KINDS = 16
"""Of lines that give one setting; those of further kinds are not listened to."""
MAX_QUOTE = 400


@dataclass(slots=True)
class SettingsSaid:
    """Each value that a setting was given, with its line; how many values each kind of line has given."""

    values: dict[str, list[tuple[float, int, str]]] = field(default_factory=dict)
    kinds: dict[tuple[str, str], list[tuple[float, int, str]]] = field(default_factory=dict)

    def keep(self, name: str, value: float, number: int, quote: str) -> None:
        """Remember a setting, and each other value that lines of its kind give it, unless they are too many."""
        kind = name, NUMBER.sub("0", quote[:MAX_QUOTE])
        if not is_measurable(value) or (kind not in self.kinds and self.kinds_of(name) >= MAX_KINDS):
            return
        said = self.kinds.setdefault(kind, [])
        if len(said) > MOST_VALUES or any(value == known for known, _, _ in said):
            return
        said.append((value, number, quote[:MAX_QUOTE]))
        groups = (group for (other, _), group in self.kinds.items() if other == name and len(group) <= MOST_VALUES)
        told = [one for group in groups for one in group]
        self.values[name] = told
        if not told:
            del self.values[name]

    def kinds_of(self, name: str) -> int:
        """Count the kinds of lines that have given a setting."""
        return sum(other == name for other, _ in self.kinds)
