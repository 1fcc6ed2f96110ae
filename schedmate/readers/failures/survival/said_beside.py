"""Tell what the lines next to a trouble say was done about it: skipped, tried again, done without."""

from collections.abc import Sequence
from itertools import islice, takewhile

from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.doing_without import does_without
from schedmate.readers.failures.sightings.loudness import FILE_ERROR, STOPS, is_handled, is_of_machine, is_trackers
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.readers.failures.survival.notices import MOST_LINES, RULER, is_done_without_in_its_notice
from schedmate.readers.failures.survival.ordinary_lines import is_ordinary
from schedmate.readers.failures.survival.survived import BEFORE_BYTES, LEAVES, OWN_LINES
from schedmate.readers.lines import Line
from schedmate.tools.late_patterns import late_re2

NEXT_LINES, MORE_LINES = 2, 20
"""So near somebody says what was done; so far behind that it must be seen to have been done."""
INTRODUCES = late_re2(r"(?i)\b(?:caught|handled|exception|error|failed|could not|cannot|unable|not available)\b")
WARNING = late_re2(r"\w*Warning: |\bWARN(?:ING)?\b")

LOGGED = late_re2(r"^\[?(?:ERROR|CRITICAL)(?::[\w.]+)?[:\] ]|^.{0,60} (?:- )?(?:ERROR|CRITICAL)\b")
"""How loggers print what `logger.exception` says above the stack of what was caught."""
LED_ON = late_re2(r"^The above exception was the direct cause of the following|^During handling of the above exception")
"""How Python goes on from an exception to the one that it led to: that one tells whether it was got over."""
NEXT_STACK = late_re2(r"^Exception ignored in\b|^Traceback \(most recent call last\)")
"""How the stack of another exception begins: it is that one which Python passes over."""
OF_ANOTHER = late_re2(r"^\[[a-z][\w .-]{1,30}\] ")
"""How a tool that runs beside the program begins what it says, in a log that both write."""


def got_over(item: Sighting, reading: FailureReading) -> bool:
    """Tell what the lines next to an exception say was caught: skipped, tried again, done without.

    One that went up to the top of its script was caught by nobody, whatever was tried again before it, unless a logger
    printed the stack: it stands right below what the logger says. What nobody raised must be seen to be done without.
    """
    if not item.raised and is_gone_on_after_its_notice(item, reading):
        return True
    if is_of_machine(item):
        return False
    if not item.raised and not FILE_ERROR.search(item.line.text) and not is_merely_worded(item):
        return is_seen_to_go_on(item, reading)
    speaker = item.line.speaker
    head = item.begins
    lowest = max(reading.part_of(head).start, head - BEFORE_BYTES) if item.raised else head
    before = islice(map(reading.cleaner.take, reading.log.lines_backward(head, lowest)), 1)
    after = lines_behind(item, reading, NEXT_LINES)
    after = list(takewhile(lambda line: not NEXT_STACK.search(line.text), after))
    at_top = item.raised and item.raised.frames and item.raised.frames[0].function == "<module>"
    told = [line for line in before if INTRODUCES.search(line.text) and not WARNING.search(line.text)]
    told = [line for line in told if not at_top or (after and (line.level == "ERROR" or LOGGED.search(line.text)))]
    if any(LED_ON.search(line.text) for line in after):
        return False
    if at_top:
        after = [line for line in after if not OF_ANOTHER.search(line.text)]
    near = (line for line in (*told, *after) if line.speaker == speaker and not is_trackers(line.text))
    return any(is_handled(line.text) and not is_progress(line.text) for line in near)


def is_gone_on_after_its_notice(item: Sighting, reading: FailureReading) -> bool:
    """Tell a line of a notice between rulers that says what is done without, behind which the program then speaks."""
    raw = next(iter(reading.log.lines(item.start)), None)
    if raw is None or not is_done_without_in_its_notice(raw, reading):
        return False
    behind = lines_behind(item, reading, MOST_LINES + MORE_LINES)
    end = next((place for place, line in enumerate(behind) if RULER.search(line.text)), len(behind))
    return goes_on_in(behind[end + 1 :])


def is_seen_to_go_on(item: Sighting, reading: FailureReading) -> bool:
    """Tell a trouble of a program's behind which it says, not as an error, what it does instead, and then goes on."""
    behind = [line for line in lines_behind(item, reading, MORE_LINES) if line.speaker == item.line.speaker]
    told = (place for place, line in enumerate(behind[:NEXT_LINES]) if says_what_it_does(line))
    place = next(told, None)
    return place is not None and goes_on_in(behind[place + 1 :])


def is_gone_on_after(item: Sighting, reading: FailureReading) -> bool:
    """Tell a line behind which its process says what it does instead, or several things, and not that it ends."""
    behind = [line for line in lines_behind(item, reading, MORE_LINES) if line.speaker == item.line.speaker]
    if behind and says_what_it_does(behind[0]) and not any(STOPS.search(line.text) for line in behind):
        return True
    return goes_on_in(behind)


def goes_on_in(behind: Sequence[Line]) -> bool:
    """Tell several ordinary lines with none of an end among them: who ends may have a word or two left."""
    if any(LEAVES.search(line.text) or STOPS.search(line.text) for line in behind):
        return False
    return sum(is_ordinary(line) for line in behind) >= OWN_LINES


def says_what_it_does(line: Line) -> bool:
    """Tell a line that is no error by which a program says what it does without."""
    loud = line.level in {"E", "F", "ERROR", "CRITICAL", "FATAL"} or LOGGED.search(line.text) is not None
    return not loud and does_without(line.text) and is_handled(line.text) and not is_progress(line.text)


def is_merely_worded(item: Sighting) -> bool:
    """Tell a line that only reads like an error: what stands below it says as much."""
    return item.failure is not None and item.failure.id == UNKNOWN_ID


def lines_behind(item: Sighting, reading: FailureReading, most: int) -> Sequence[Line]:
    """Give the next lines that no machine put between."""
    rows = islice(reading.log.lines(item.start, reading.part_of(item.start).end), 1, 1 + most)
    return [reading.cleaner.take(raw) for raw in rows if not is_machines(raw, reading.cleaner)]
