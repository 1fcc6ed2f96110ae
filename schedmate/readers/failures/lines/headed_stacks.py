"""Take off what stands before each line of a traceback, in a log where most lines begin otherwise.

A launcher may mark only what its processes print as they die: `task 3: `, `worker 3 on n05> `.
"""

from dataclasses import dataclass, field, replace

from schedmate.readers.lines import STACK_HEAD, Line

MOST_HEADS, MOST_HEAD_CHARS = 64, 80


@dataclass(slots=True)
class Heads:
    """What stood before the heads of tracebacks so far."""

    known: dict[str, str] = field(default_factory=dict)
    """each without the blanks behind it, and those"""

    def split(self, line: Line) -> tuple[str, Line]:
        """Give a head and what stands behind it, if the line begins with one; else nothing and the line."""
        self.note(line)
        for head, blanks in self.known.items():
            if line.text.startswith(head):
                rest = line.text[len(head) :].removeprefix(blanks)
                return head, replace(line, text=rest.strip(), indent=len(rest) - len(rest.lstrip()))
        return "", line

    def note(self, line: Line) -> None:
        """Learn what a traceback's head stands behind, if that is short."""
        before, found, _ = line.text.partition(STACK_HEAD)
        head = before.rstrip()
        if found and 0 < len(head) <= MOST_HEAD_CHARS and len(self.known) < MOST_HEADS:
            self.known.setdefault(head, before[len(head) :])
