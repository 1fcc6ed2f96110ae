"""Tell an option of a command, that counts nothing, from a counter that is printed as one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from schedmate.readers.progress.lines.fields import Shape

OPTION = re.compile(r"\s*--([A-Za-z][\w-]{0,80})[ =:.]{1,120}\S{1,80}$")
"""One option of a command with its value, `--train-iters ........ 500`."""
RISES, SELDOM = 2, 3
"""How often a value has risen that counts, and so many times as often as it fell."""
MAX_NAMES = 256


@dataclass(slots=True)
class OptionsSaid:
    """What each option was set to last, how often that rose, and how often it fell."""

    said: dict[str, tuple[float, int, int]] = field(default_factory=dict)

    def is_one(self, text: str, shape: Shape, numbers: Sequence[str]) -> bool:
        """Tell an option: it names no loss, is out of nothing, and does not rise again and again."""
        found = OPTION.match(text)
        if found is None or not shape.fields or any(one.role == "loss" or one.total_at >= 0 for one in shape.fields):
            return False
        name, value = found.group(1), shape.fields[0].value(numbers)
        last, rises, falls = self.said.get(name, (value, 0, 0))
        rises, falls = rises + (value > last), falls + (value < last)
        if name in self.said or len(self.said) < MAX_NAMES:
            self.said[name] = value, rises, falls
        return rises < RISES or rises <= SELDOM * falls
