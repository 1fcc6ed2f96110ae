"""Part what a terminal shows on one line into its records: bars that follow each other, and prints glued to a bar."""

MAX_SEGMENTS = 16


def segments(text: str) -> list[str]:
    """Cut behind the closing bracket of each bar, where something else begins."""
    if "%|" not in text:
        return [text]
    found: list[str] = []
    start = 0
    while len(found) < MAX_SEGMENTS:
        end = bar_end(text, start)
        rest = text[end:].lstrip() if end else ""
        if not rest or not (rest[0].isalnum() or rest[0] in "{[("):
            break
        found.append(text[start:end])
        start = end
    return [*found, text[start:]]


def bar_end(text: str, start: int) -> int:
    """Find where the bar that begins after `start` is closed; nought when it is not."""
    bar = text.find("%|", start)
    opening = text.find("[", text.find("|", bar + 2)) if bar >= 0 else -1
    return text.find("]", opening) + 1 if opening >= 0 else 0
