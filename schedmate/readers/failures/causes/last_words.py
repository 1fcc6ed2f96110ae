"""Find the last words of a program that left of itself: a launcher tells its code, and the line above tells why."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.daemon_lines import said
from schedmate.readers.failures.sightings.loudness import is_handled, is_trackers
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.ordinary_lines import WAY_OUT
from schedmate.readers.failures.survival.said_beside import WARNING
from schedmate.readers.lines import Line
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.raw_lines import RawLine

LEFT = frozenset(
    (
        *("launchers.program_ended", "scheduler.slurm_task_failure", "distributed.child_failed"),
        *("distributed.elastic_exit", "distributed.deepspeed_exit", "distributed.accelerate_exit"),
    )
)
"""What says only that a program ended with an error of its own."""
OBJECTS = late_re2(
    r"(?i)\b(?:no|not|nothing|none|never|without|cannot|can't|couldn't|unable|mismatch|unsupported|invalid|incomplete"
    r"|missing|lacks?|differs?|overlaps?|negative|empty|instead of|must|needs?|requires?"
    r"|refus\w+|reject\w+|exit(?:s|ing)?|quit(?:s|ting)?|leav(?:es|ing)|stop(?:s|ping|ped)?|abort\w*|bailing|giving up"
    r"|(?:larger|smaller|greater|less|fewer|more|longer|shorter|higher|lower|older|newer) than|too \w+|exceed\w*"
    r"|expected (?:an?|the|\d+)|already|exploded|diverged|nan|inf|sense|wrong|bad|broken|corrupt\w*|conflict\w*"
    r"|ended before)\b"
)
"""Words by which a program says that something is not as it asks for."""
LEAST_WORDS, LINES_BACK, WORDS_BACK = 4, 400, 12
RANK = late_re2(r"\b(?:task|rank) ?[:=]? ?(\d{1,6})\b")


def of_who_left(root: Sighting, own: FailureReading) -> Sighting:
    """Give the last line that objects to something, of the process whose end is told, behind its last step."""
    if root.failure is None or root.failure.id not in LEFT or root.failure.category != "script":
        return root
    told = RANK.search(root.line.text)
    rank = int(told[1]) if told else None
    above = (one for one in plain_above(root, own) if rank is None or one[1].rank in {None, rank})
    for raw, line in islice(above, WORDS_BACK):
        if OBJECTS.search(line.text):
            return replace(root, number=raw.number, start=raw.start, line=line)
    return root


def plain_above(root: Sighting, own: FailureReading) -> Iterator[tuple[RawLine, Line]]:
    """Walk back to the last step over what a program itself says in sentences."""
    for raw in islice(own.log.lines_backward(root.start, own.attempt.start), LINES_BACK):
        line = own.cleaner.take(raw)
        if is_progress(line.text):
            return
        if is_sentence(line) and not is_machines(raw, own.cleaner):
            yield raw, line


def is_sentence(line: Line) -> bool:
    """Tell plain words of a program from those of launchers, libraries that wind up or warn, trackers and daemons."""
    text = line.text
    if (
        line.indent
        or len(text.split()) < LEAST_WORDS
        or WAY_OUT.search(text)
        or said(text) != text
        or WARNING.search(text)
    ):
        return False
    return not (is_handled(text) or is_trackers(text) or ready_entries().match(text))
