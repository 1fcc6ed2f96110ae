"""Tell what a log says for the first time from what it says over and over, as other programs' chatter does."""

import re
from dataclasses import dataclass, field

MAX_KNOWN = 1 << 14
NUMBER = re.compile(r"[0-9]+")


@dataclass(slots=True)
class SaidBefore:
    """The lines that were seen, word for word or but for their numbers, as long as there are not too many."""

    known: set[int] = field(default_factory=set)

    def is_new(self, text: str) -> bool:
        """Tell whether a line was not seen before; what is said again stands between no two lines of one record."""
        key = hash(text)
        if key in self.known:
            return False
        if len(self.known) < MAX_KNOWN:
            self.known.add(key)
        return True

    def is_new_kind(self, text: str) -> bool:
        """Tell whether no line was seen before that differs in its numbers alone."""
        return self.is_new(NUMBER.sub("0", text) + "\n")
