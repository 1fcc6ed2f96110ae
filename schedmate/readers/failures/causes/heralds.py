"""Where only effects are known, walk back to what a daemon of the site said for the first time as the job stopped.

Ranks that wait for each other say nothing of why. A daemon that says something new between the last step and their
giving up mostly does, whatever its words: they only have to name a part, and to soothe nobody.
"""

from collections.abc import Iterator
from itertools import islice

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes.looking_back import CAUGHT_BY_PROGRAMS
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.run_boundaries import LONG_AGO
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.daemon_lines import is_of_a_watcher, said, speaker
from schedmate.readers.failures.sightings.loudness import is_handled, is_news, is_trackers
from schedmate.readers.failures.sightings.machine_trouble import is_calm, tells_of_trouble
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import RawLine

BETWEEN_LINES = 200
"""How many lines from the last step on are looked at."""
KNOWN_LINES, KNOWN_BYTES = 4_000, 1 << 20
"""How far back one looks for what was said before."""
NAMED = late_re2(
    r"^(?:\[[a-z][\w .:/-]{1,60}\]:? |[a-z][\w./@-]{1,40}\[[^\]]{1,63}\]: "
    r"|[a-z][\w./@-]{1,40}:? (?:[a-z][\w.-]{0,40}\d[\w.-]{0,20} )?\d{4}-\d\d-\d\dT"
    r"|[a-z][\w./@-]{1,40} [a-z][a-z._-]{0,40}\d[\w.-]{0,20}: )"
)
"""How a daemon begins beside the usual ways: its name and its host in brackets, or both and a stamp."""

AT_WORK = late_re2(
    r"(?i)\b(?:writ(?:es?|ten|ing)|wrote|sav(?:es?|ed|ing)|join(?:s|ed)|upload(?:s|ed|ing)|export(?:s|ed|ing)|flushed"
    r"|rotated|collected|scraped|usage|uses|using)\b|\d ?[a-z%]{0,4} (?:of \d+ ?[a-z]{0,4} )?(?:used|free)\b"
)
"""What a daemon does or measures all day."""


def heralded(root: Sighting, case: JobCase) -> Sighting:
    """Give the daemon's line that goes before the first effect, where nothing but effects is known; else the root."""
    effect = first_effect(root, case)
    own = case.own(root)
    marks = [mark.start for mark in own.marks if effect and mark.start < effect.start]
    if effect is None or not marks:
        return root
    heard = list(between(marks[-1], effect, own))
    known = words_before(heard[0][0].start, own) if heard else set()
    for raw, line in heard:
        failure, named = (
            (None, {}) if mask_line(line.text) in known else ready_entries().match_part(said(line.text)) or (None, {})
        )
        if failure is not None and failure.category == "infrastructure":
            return Sighting(root.source, raw.number, raw.start, line, failure, named)
    return root


def first_effect(root: Sighting, case: JobCase) -> Sighting | None:
    """Give what ranks met of a peer that was gone, where the root is that, or something that was outlived."""
    if is_met(root):
        return root
    outlived = any(one.sighting is root and one.survived for one in case.suspects)
    met = (
        one.sighting
        for one in case.suspects
        if one.effect and not one.survived and one.score > 0 and is_met(one.sighting)
    )
    after = (item for item in met if item.source == root.source and item.start > root.start)
    return min(after, key=lambda item: item.start, default=None) if outlived else None


def is_met(item: Sighting) -> bool:
    """Tell an effect of a peer's end."""
    return item.failure is not None and item.failure.role == "cascade" and "peer" in item.failure.after


def between(last_step: int, effect: Sighting, own: FailureReading) -> Iterator[tuple[RawLine, Line]]:
    """Give what daemons said between the last step and the effect; what soothes aside."""
    teller = speaker(own.cleaner.take(own.log.line_at(own.log.bounds(last_step)[0])).text)
    for raw in islice(own.log.lines(last_step, effect.start), 1, BETWEEN_LINES):
        line = own.cleaner.take(raw)
        if (
            line.rank is None
            and own.attempt.holds(raw.start)
            and tells(line.text, teller, is_machines(raw, own.cleaner))
        ):
            yield raw, line


def tells(text: str, teller: str, marked: bool) -> bool:
    """Tell a line of a daemon, other than who tells the steps, that may say why a job stopped."""
    named = NAMED.search(text) is not None and speaker(text) != teller
    spoken = marked or named or is_of_a_watcher(text, teller)
    if not spoken or is_progress(text) or is_trackers(text) or CAUGHT_BY_PROGRAMS.search(text):
        return False
    if AT_WORK.search(text) and not tells_of_trouble(text):
        return False
    return not (is_handled(text) or is_news(text) or LONG_AGO.search(text) or is_calm(text))


def words_before(start: int, own: FailureReading) -> set[str]:
    """Give the lines before a place, without their figures."""
    rows = islice(own.log.lines_backward(start, max(0, start - KNOWN_BYTES)), KNOWN_LINES)
    return {mask_line(own.cleaner.take(raw).text) for raw in rows}
