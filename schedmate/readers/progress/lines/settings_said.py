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

SettingSaid = tuple[float, int, str]
"""A value, the number of its line, and the line."""


@dataclass(slots=True)
class SettingsSaid:
    """Each value that each kind of line has given a setting, with its line."""

    kinds: dict[str, dict[str, list[SettingSaid]]] = field(default_factory=dict)

    def keep(self, name: str, value: float, number: int, quote: str) -> None:
        """Remember a setting, and each other value that lines of its kind give it, unless they are too many."""
        kind = NUMBER.sub("0", quote[:MAX_QUOTE])
        kinds = self.kinds.setdefault(name, {})
        if not is_measurable(value) or (kind not in kinds and len(kinds) >= MAX_KINDS):
            return
        said = kinds.setdefault(kind, [])
        if len(said) <= MOST_VALUES and all(value != known for known, _, _ in said):
            said.append((value, number, quote[:MAX_QUOTE]))

    @property
    def values(self) -> dict[str, list[SettingSaid]]:
        """Give what each setting was given, without lines of kinds that give ever other values."""
        told = {
            name: [one for said in kinds.values() if len(said) <= MOST_VALUES for one in said]
            for name, kinds in self.kinds.items()
        }
        return {name: said for name, said in told.items() if said}
