"""Know what ends no program by itself: a warning, a tracker's word, that pods were cleared away."""

from itertools import islice

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_programs_warning, is_trackers, only_informs
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import is_done, is_unfinished
from schedmate.readers.failures.survival.said_beside import is_gone_on_after
from schedmate.readers.failures.survival.shell_setup import PYTHON_WARNS
from schedmate.tools.late_patterns import late_re2

CLEARED_AWAY, NEAR_LINES = "scheduler.k8s_deleted_by_hand", 12
"""The entry of pods that somebody deleted, and how far above that the run's last words are looked for."""
DELETED = late_re2(r'^\S{1,80} "\S{1,120}" (?:force )?deleted\b')
"""How `kubectl delete` tells of each thing that it deleted."""


def says_little(chosen: Suspect, case: JobCase) -> bool:
    """Tell what ends no program by itself, where nothing else is left that speaks of trouble."""
    if not ends_nothing(chosen, case) or chosen.survived:
        return False
    return all(ends_nothing(one, case) for one in case.suspects if one.heard)


def ends_nothing(one: Suspect, case: JobCase) -> bool:
    """Tell a warning after which its program went on, a tracker's word, what is only informed of, and pods that were
    cleared away.
    """
    item = one.sighting
    if item.raised:
        return False
    warned = PYTHON_WARNS.search(item.line.text) is not None or only_informs(item) or is_trackers(item.line.text)
    warned = warned or (is_programs_warning(item) and is_gone_on_after(item, case.own(item)))
    return warned or (item.failure is not None and item.failure.id == CLEARED_AWAY and is_tidied(item, case.own(item)))


def is_tidied(item: Sighting, own: FailureReading) -> bool:
    """Tell pods that were deleted behind a run's last words: who is cut short speaks of its steps just before."""
    if is_unfinished(own):
        return False
    above = (own.cleaner.take(raw).text for raw in islice(own.log.lines_backward(item.start), NEAR_LINES))
    last = next((text for text in above if text.strip() and not DELETED.search(text)), "")
    return bool(last) and (is_done(own) or not is_progress(last))
