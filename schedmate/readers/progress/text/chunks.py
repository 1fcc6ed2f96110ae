"""Look at a piece of a log as bytes: is it text at all, and where do its last lines begin?"""

CONTROLS = bytes(set(range(32)) - set(b"\t\r\n\a\b\f\x1b"))
CONTROL_SHARE = 0.02


def has_controls(data: bytes) -> bool:
    """Tell whether control characters stand anywhere in a piece: without them none of its lines can be binary."""
    return len(data.translate(None, CONTROLS)) < len(data)


def is_binary(raw: bytes) -> bool:
    """Tell whether a line holds control characters as no text does; those of terminals are text."""
    return len(raw) - len(raw.translate(None, CONTROLS)) > CONTROL_SHARE * len(raw)


def last_lines(data: bytes, count: int) -> int:
    """Find where the last so many lines of a piece begin."""
    start = len(data) - 1
    for _ in range(count):
        start = data.rfind(b"\n", 0, max(start, 0))
        if start < 0:
            return 0
    return start + 1


def lines_with(data: bytes, words: bytes, most: int) -> list[int]:
    """Find the beginnings of the last lines that have some words, the first of them first."""
    starts: list[int] = []
    while len(starts) < most:
        place = data.rfind(words, 0, starts[0] if starts else len(data))
        if place < 0:
            break
        starts.insert(0, max(data.rfind(b"\n", 0, place), data.rfind(b"\r", 0, place)) + 1)
    return starts


def both_ends(data: bytes, most: int) -> bytes:
    """Give the ends of what is too long."""
    return data if len(data) <= most else data[: most // 4] + data[-most // 4 :]
