"""What one line says: its values, and its words that name none."""

from dataclasses import dataclass, field

from schedmate.readers.progress.lines.quantities import Item


@dataclass(slots=True)
class ParsedLine:
    """The values and the free words of one line."""

    items: list[Item] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    heads: list[tuple[int, str]] = field(default_factory=list)
    """Each free word with the number of values before it."""
    begins: int = 0
    """Where the line's own message begins, behind stamps and levels."""
    tail: str = ""
    """The only word in the bracket that ends the line."""
