"""Lines that only tell the time, as `date` prints it before each step, or a logger above a message of many lines."""

from schedmate.readers.progress.lines.clocks import find_stamp, month_of, stamp_here, stamp_numbers
from schedmate.readers.progress.lines.fields import Shape, Stream
from schedmate.tools.late_patterns import late

MAX_CHARS, MAX_REST, MAX_WORDS = 120, 48, 5

SOURCE_LINE = late(r"\w{0,40}(?:[./][\w./-]{1,40}|__|>):\d{1,6}|\bline \d{1,6}\b")
"""Where a program's message comes from, a file or a module: its digits are no values."""
ZONE = late(r"[+-]\d\d:?\d\d(?!\d)|\b(?:19|20)\d\d\b")
KIND = "stamp"


def stamp_line(line: str) -> Shape | None:
    """Give the shape of a line that has a time stamp and no other number; None for any other line."""
    if len(line) > MAX_CHARS or line.count(":") < 2:
        return None
    lead = len(line) - len(line.lstrip())
    found = find_stamp(line) or shifted(stamp_here(line[lead:]), lead)
    if found is None:
        return None
    kind, start, end = found
    rest = ZONE.sub("", SOURCE_LINE.sub("", line[:start] + " " + line[end:])).strip()
    if len(rest) > MAX_REST or len(rest.split()) > MAX_WORDS or any(char.isdigit() for char in rest):
        return None
    at = stamp_numbers(line, start, end)
    if not at:
        return None
    stream, month = Stream("beside", "unsaid", "", f"{KIND} {kind} {rest}"), month_of(line, start, end)
    return Shape((), "unsaid", False, stream, stamp=kind, stamp_at=at, month=month, heading=len(at))


def shifted(found: tuple[str, int, int] | None, by: int) -> tuple[str, int, int] | None:
    """Move a span."""
    return (found[0], found[1] + by, found[2] + by) if found else None


def tells_time(stream: Stream) -> bool:
    """Tell whether lines only tell the time."""
    return stream.kind == "beside" and stream.name.startswith(KIND + " ")
