"""Cut a text for a cell, a row or a line; what was left out is told by an ellipsis."""

ELLIPSIS = "…"


def short(text: str, most: int = 80) -> str:
    """Keep a text's beginning."""
    return text if len(text) <= most else text[: most - 1] + ELLIPSIS


def around(text: str, part: str, most: int) -> str:
    """Keep what stands around a part of a text, so that the part is still to be seen; its beginning where it can be."""
    at = text.find(part)
    if len(text) <= most or at < 0 or at + len(part) < most:
        return short(text, most)
    start = max(0, min(at - (most - len(part)) // 2, len(text) - most + 1))
    return ELLIPSIS + short(text[start:], most - 1)
