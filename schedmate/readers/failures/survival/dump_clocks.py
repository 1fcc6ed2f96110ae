"""Place a line of a dump, of a kernel or a daemon, on the job's own time line: what is old in it was got over."""

from collections.abc import Sequence
from itertools import islice

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.kernel_dumps import age_in_dump, kills_what_ran, names_process_of_job
from schedmate.readers.failures.survival.ordinary_lines import INFORMS, is_ordinary
from schedmate.readers.failures.survival.recovered_parts import came_back
from schedmate.readers.lines import Line

TOLERATED_S = 30.0

WAITED_S = 3_600.0
"""So long ranks may wait for one that is gone, by the usual limits of collectives."""
LONGEST_END_S = 2 * 86_400.0

MOST_LINES = 400


def outlived_dump(item: Sighting, own: FailureReading, dump: Sequence[Line], stamps: Sequence[float]) -> bool:
    """Place a line of a dump on the job's own time line; without one, what is old in it counts as outlived.

    What became of the hardware the other ranks may have noticed only when their time was over.
    """
    last_s = last_life_s(item, own)
    if names_process_of_job(item, own.log) or (last_s is None and kills_what_ran(item, own.log, own.front.end)):
        return False
    age_s = age_in_dump(item, dump)
    if last_s is None and happened_with_others(item, dump, stamps):
        return False
    if last_s is None:
        return age_s > (WAITED_S if is_hardware(item) else TOLERATED_S) or came_back(item, own)
    if item.line.clock == "epoch":
        return item.line.time_s is not None and last_s - item.line.time_s > TOLERATED_S
    if came_back(item, own):
        return True
    ends = [*stamps, *stamp_behind(item, own)]
    end_s = max((stamp for stamp in ends if 0 <= stamp - last_s < LONGEST_END_S), default=last_s)
    return age_s > end_s - last_s + TOLERATED_S


def stamp_behind(item: Sighting, own: FailureReading) -> list[float]:
    """Give the first moment that a clock of the day tells behind a dump: by then it was made, not when all ended."""
    if item.line.clock == "epoch":
        return []
    behind = map(own.cleaner.take, islice(own.log.lines(item.start, own.log.size), 1, MOST_LINES))
    return list(islice((line.time_s for line in behind if line.time_s is not None and line.clock == "epoch"), 1))


def happened_with_others(item: Sighting, dump: Sequence[Line], stamps: Sequence[float]) -> bool:
    """Tell a line of a dump that others state trouble beside, at that very time."""
    if item.line.clock != "epoch" or item.line.time_s is None:
        return False
    own = {line.time_s for line in dump}
    return any(abs(stamp - item.line.time_s) <= TOLERATED_S for stamp in stamps if stamp not in own)


def last_life_s(item: Sighting, own: FailureReading) -> float | None:
    """Give the time of the job's last step, else of its last ordinary line before a dump; None without stamps."""
    last_s = max((mark.time_s for mark in own.marks if mark.time_s is not None), default=None)
    if last_s is not None or own.marks:
        return last_s
    before = (own.cleaner.take(raw) for raw in islice(own.log.lines_backward(item.start), MOST_LINES))
    stamped = (line for line in before if line.clock == "epoch" and INFORMS.search(line.text) and is_ordinary(line))
    return max((line.time_s for line in stamped if line.time_s is not None), default=None)
