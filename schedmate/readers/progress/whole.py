"""Read a log that lies in a file: small ones whole, large ones from their end."""

from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends
from schedmate.readers.progress.tracker import Tracker
from schedmate.tools.logfile import LogFile

WHOLE_BYTES = 6 << 20
HEAD_BYTES = 1 << 15

TAIL_BYTES = (1 << 16, 1 << 18, 1 << 20, 1 << 24)
"""How far from the end a large log is read, one after the other, until the training loop shows."""
COUNTED_BYTES = 1 << 26
"""Line feeds before the tail are counted up to here; beyond, evidence names the byte instead of the line."""
ENOUGH_ROWS = 8


def read_log(log: LogFile, shapes: Shapes | None = None, final: bool = True, ends: Ends = NO_ENDS) -> Tracker:
    """Read what there is to know of a log; a last line that nothing ends is read if it is `final`."""
    if log.size <= WHOLE_BYTES:
        tracker = Tracker(log.name, shapes=shapes, ends=ends)
        tracker.feed(log.window(0, log.size), log.modified_s)
        if final:
            tracker.finish()
        return tracker
    for tail_bytes in TAIL_BYTES:
        tracker = read_ends(log, tail_bytes, shapes, final)
        tracker.ends = ends
        loop = tracker.settle()
        if loop is not None and loop.rows.seen >= ENOUGH_ROWS:
            break
    return tracker


def read_ends(log: LogFile, tail_bytes: int, shapes: Shapes | None, final: bool) -> Tracker:
    """Read a log's head, for settings and the names of columns, and its tail."""
    tracker = Tracker(log.name, shapes=shapes)
    tracker.feed(log.window(0, HEAD_BYTES), log.modified_s)
    start = max(HEAD_BYTES, log.size - tail_bytes)
    tail = log.window(start, log.size)
    first = max(tail.find(b"\n"), 0) + 1 if b"\n" in tail[: 1 << 16] else 0
    tracker.skip(start + first, log.line_number(start + first) if start <= COUNTED_BYTES else None)
    tracker.feed(tail[first:], log.modified_s)
    if final:
        tracker.finish()
    return tracker
