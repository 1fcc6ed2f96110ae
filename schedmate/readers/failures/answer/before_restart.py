"""Say why a run died after which the job was started again, and was at work when its log ended, or ended well.

Nothing ended that last run. Whoever asks wants to know what had happened: a host may have to be looked at. What was
corrected before a run that ended well is over.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice

from schedmate.errors import InputError
from schedmate.readers.failures.answer.how_ended import came_to_its_end
from schedmate.readers.failures.causes.first_cause import CauseVerdict, locate
from schedmate.readers.failures.causes.others_pods import row_of
from schedmate.readers.failures.reading import FailureReading, read_log
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.other_trials import tells_of_hardware
from schedmate.readers.failures.survival.survived import sustained
from schedmate.tools.late_patterns import late, late_re2

PLANNED = late(r"\bDUE TO (?:JOB REQUEUE|PREEMPTION)\b")
"""How a scheduler says that it ends a run to start it again later: nothing was wrong, and nothing is to be done."""
DONE = late_re2(
    r"(?i)\b(?:finished|completed?|done|succeeded|successful(?:ly)?|the end|good ?bye|shutting down)\b"
    r"|\bsaved? (?:the )?(?:final|last|best|trained)\b|\btotal (?:training |run )?time\b"
)
"""What a run says behind its last step when it has ended as it should."""
LINES_BEHIND = 40
Found = tuple[list[FailureReading], CauseVerdict]


def before_restart(readings: Sequence[FailureReading], verdict: CauseVerdict, opened: ExitStack) -> Found | None:
    """Read the log as it was when the job was started again; None where nothing is to be told of that."""
    own = readings[0]
    next_tried = own.attempt.start in own.findings.told.trials
    if verdict.root is not None or len(readings) > 1 or not (was_started_again(own) or next_tried):
        return None
    try:
        before = read_log(opened.enter_context(own.log.up_to(own.attempt.start)), own.source, own.rank)
    except InputError:
        return None
    found = locate([before])
    over = verdict.healthy is not None or ended_well(own)
    if next_tried and not (found.root and tells_of_hardware(found.root)):
        return None
    if found.root is None or is_planned(found.root) or (over and not is_of_a_machine(found.root)):
        return None
    return [replace(before, attempts=(*before.attempts, own.attempt), again=own.attempt)], found


def is_planned(root: Sighting) -> bool:
    """Tell an end that somebody, a limit or a notice set, after which the job was to go on: nothing has to be done."""
    of_no_fault = root.failure is not None and (root.failure.category == "other" or root.failure.outside)
    return of_no_fault or PLANNED.search(root.line.text) is not None


def is_of_a_machine(root: Sighting) -> bool:
    """Tell what is not over when the job is: a machine or a service of the site that somebody has to look after."""
    return root.failure is not None and root.failure.category == "infrastructure"


def was_started_again(own: FailureReading) -> bool:
    """Tell a last run that a launcher or the program itself is said to have begun, and that made steps."""
    told = own.findings.told
    starts = {*told.restarts, *told.resumed, *told.recreated, *(place for _, place in told.taken_up)}
    starts.difference_update(told.trials)
    return own.attempt is own.attempts[-1] and own.attempt.start in starts and sustained(own.marks, None)


def ended_well(own: FailureReading) -> bool:
    """Tell a run that says behind its last step that it is done, or whose last step was the last of all."""
    start, end = own.log.bounds(own.marks[-1].start)
    after = (own.cleaner.take(raw) for raw in islice(own.log.lines(end, own.log.size), LINES_BEHIND))
    if any(DONE.search(line.text) and row_of(line.text) is None for line in after):
        return True
    return came_to_its_end(list(own.marks), own.log.window(start, end).decode("utf-8", "replace"))
