"""The trace of what was read: both minds, the reader and the model, leave the same one and are scored by it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

CHARACTERS_A_TOKEN = 4

Tool = Literal["file_tree", "file_read", "search", "think"]


def count_tokens(text: str) -> int:
    """Estimate tokens at four characters each: close for code, and the same for every model and repository."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


@dataclass(frozen=True)
class Step:
    """One use of a tool: what was asked, and how many tokens came back."""

    tool: Tool
    asked: str
    tokens: int
    note: str = ""

    def as_record(self) -> dict[str, Any]:
        """Give the step as a plain mapping for JSON."""
        return {"tool": self.tool, "asked": self.asked, "tokens": self.tokens, "note": self.note}


@dataclass
class ReadingTrace:
    """Collect the steps in order; `listener` hears of each as it happens."""

    steps: list[Step] = field(default_factory=list)
    files: dict[str, int] = field(default_factory=dict)
    listener: Callable[[Step], None] | None = None

    def note(self, tool: Tool, asked: str, text: str, why: str = "") -> None:
        """Keep a step; a file that is read again is counted once, with its largest part."""
        step = Step(tool, asked, count_tokens(text), why)
        if tool == "file_read":
            known = self.files.get(asked)
            self.files[asked] = max(known or 0, step.tokens)
        self.steps.append(step)
        if self.listener:
            self.listener(step)

    def thought(self, text: str) -> None:
        """Keep what a model thought between two readings; it costs nothing to read."""
        step = Step("think", text, 0)
        self.steps.append(step)
        if self.listener:
            self.listener(step)

    @property
    def tokens(self) -> int:
        """Sum what was taken in: files once each, and all that the other tools showed."""
        return sum(self.files.values()) + sum(step.tokens for step in self.steps if step.tool != "file_read")
