"""Does the line that a model names bear out its claim? By the catalogue, by what came after, by its words."""

from collections.abc import Sequence

import re2

from schedmate.agents.failure_judge import CLASSES, CauseClaim
from schedmate.agents.failure_window import Shown
from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.places.part_words import PATTERNS, TROUBLE, speaks_of
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.scan import GENERIC
from schedmate.schemas import Category, Diagnosis, Subcategory

SURE_ENTRY, UNSURE = 0.7, 0.6
"""Below this an answer is no measure of what others say."""
OUR_WORDS = re2.compile(r"infrastructure/(?:gpu|nvlink|network|node|other)|\berror_type\b|\bfaulty_component\b")
"""No program that fails prints the words of our question; whoever does wants it answered in a certain way."""
OUTAGE = re2.compile(
    r"(?i)pre-?empt|evict|maintenance|reclaim|spot|storage|bucket|s3|gcs|object|registry|image|mount|quota|hub|endpoint"
    r"|service|outage|unavailable|power|http|\b50\d\b|license|scheduler|control ?plane"
)

STATED = {
    "node": re2.compile(
        r"\[Errno (?:5|12|28|30|116)\]|No space left on device|Read-only file system|Input/output error"
        r"|Stale file handle|Cannot allocate memory|(?i:\boom[-_ ]?kill)"
    ),
    "nvlink": re2.compile(r"\b802\b.{0,20}system not yet initialized"),
}
"""What the kernel or CUDA says of a part of the machine without naming it; 802: no fabric manager runs."""
ENDED = re2.compile(
    r"(?i)cancel|time[- ]?limit|time[sd]?[ -]?out|deadline|walltime|interrupt|signal|sigterm|stopped|killed by"
)


NO_SCRIPTS = re2.compile(
    r"(?i)\bNCCL|\bc10d\b|DistBackendError|ProcessGroup"
    r"|\b50[0-4]\b.{0,80}(?:unavailable|slow ?down|bad gateway|gateway time|internal (?:server )?error)"
)
"""What the collectives' library says, and a service's own word that it failed, no script states of itself."""
ALL_IS_WELL = re2.compile(r"\bNCCL INFO\b|(?i:\bno (?:action|impact)\b)")
"""NCCL tells at this level what it works with, and warns of what stops it; monitors say where nothing is to be done."""
NONE_COUNTED = re2.compile(
    r"(?i)\b(?:0|no|zero) (?:\w{1,20} )?(?:errors?|failures?|faults?|failed|uncorrectable|lost)\b"
)


def doubt_of(claim: CauseClaim, found: Diagnosis, verdict: CauseVerdict, readings: Sequence[FailureReading]) -> str:
    """Say why a claim does not count; nothing where the log bears it out.

    What the built-in takes for outlived or for an effect is held against a claim only where it is sure of its own line,
    and never against that line itself.
    """
    if claim.error_type == "none":
        return doubt_of_health(verdict, readings)
    line = claim.line
    if line is None:
        return "it could show no line of the log for it"
    if OUR_WORDS.search(line.text):
        return "the line that it shows speaks to whoever judges it"
    if found.category == "none" and any(mark.start > line.start for mark in readings[line.source].marks):
        return "the job got on after the line that it shows"
    suspect = suspect_at(line.source, line.line, verdict)
    unsure = found.confidence < UNSURE
    if not unsure and (outlived := doubt_of_fate(line, suspect, verdict, readings)):
        return outlived
    category, subcategory, _ = CLASSES[claim.error_type]
    if is_progress(line.text) or not shows(line.text, suspect, category, subcategory, unsure):
        return "the line that it shows speaks of nothing of the kind"
    return ""


def doubt_of_fate(
    line: Shown, suspect: Suspect | None, verdict: CauseVerdict, readings: Sequence[FailureReading]
) -> str:
    """Say that a line was outlived, or is an effect, if the built-in's own line is neither."""
    chosen, root = verdict.chosen, verdict.root
    if root and root.number == line.line and root.source == line.source:
        return ""
    marks = readings[line.source].marks
    if suspect is None:
        got_on = any(mark.start > line.start for mark in marks)
        root_too = root is None or any(mark.start > root.start for mark in readings[root.source].marks)
        return "the job got on after the line that it shows" if got_on and not root_too else ""
    if suspect.survived and not is_hardware(suspect.sighting) and not (chosen and chosen.survived):
        return "the job got on after the line that it shows"
    return "the line that it shows is an effect" if suspect.effect and not (chosen and chosen.effect) else ""


def states_it_before(line: Shown, verdict: CauseVerdict) -> bool:
    """Tell a living statement that an entry knows for sure, of the built-in's class, from before its own line."""
    root, here = verdict.root, suspect_at(line.source, line.line, verdict)
    if root is None or root.failure is None or here is None or here.survived or here.effect:
        return False
    item, known = here.sighting, here.sighting.failure
    if known is None or known.weight < SURE_ENTRY or known.general or known.wording:
        return False
    if item.kind != root.kind:
        return False
    if item.line.clock == root.line.clock and None not in (item.line.time_s, root.line.time_s):
        return (item.line.time_s or 0.0) < (root.line.time_s or 0.0)
    return item.source == root.source and item.start < root.start


def doubt_of_health(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> str:
    """Ask for progress or a proper end after the last error."""
    errors = [one.sighting for one in verdict.suspects if one.heard]
    for item in errors:
        if not any(mark.start > item.start for mark in readings[item.source].marks):
            return f"no sign of health after line {item.number:,}"
    return ""


def suspect_at(source: int, line: int, verdict: CauseVerdict) -> Suspect | None:
    """Find what was weighed at a line: a line of a traceback stands for the whole of it."""
    here = [one for one in verdict.suspects if one.sighting.source == source and stands_at(one, line)]
    return max(here, key=lambda one: one.score, default=None)


def stands_at(one: Suspect, line: int) -> bool:
    """Tell whether a line is the suspect's, or of its traceback."""
    raised = one.sighting.raised
    return (raised.head_number if raised else one.sighting.number) <= line <= one.sighting.number


def shows(
    text: str, suspect: Suspect | None, category: Category, subcategory: Subcategory | None, unsure: bool
) -> bool:
    """Tell whether a line can state a failure of a class: what an entry knows for sure, no word changes.

    A part of the machine has to be named whatever else is open: that is what may be taken out of service. For classes
    in which nothing is done to a machine any line that is no progress will do where the built-in is unsure.
    """
    known = suspect.sighting.failure if suspect else None
    if known is None and (found := ready_entries().match(text)):
        known = found[0]
    if known and known.weight >= SURE_ENTRY and not known.general and not known.wording:
        return (known.category, known.subcategory) == (category, subcategory)
    text = suspect.sighting.line.text if suspect else text
    if (category == "script" and NO_SCRIPTS.search(text)) or ALL_IS_WELL.search(text):
        return False
    text = NONE_COUNTED.sub(" ", text)
    if category == "infrastructure" and subcategory in PATTERNS:
        if subcategory in STATED and STATED[subcategory].search(text):
            return True
        worded = known is not None and known.wording and bool(PATTERNS[subcategory].search(text))
        return speaks_of(text, subcategory) or (worded and bool(TROUBLE.search(text)))
    troubled = bool(TROUBLE.search(text) or GENERIC.search(text))
    if category == "infrastructure":
        return unsure or (troubled and bool(OUTAGE.search(text)))
    return unsure or (bool(ENDED.search(text)) if category == "other" else troubled)
