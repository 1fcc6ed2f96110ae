"""Weigh how a job is known to have ended beside what its log states."""

from schedmate.knowledge.exits import Ending
from schedmate.readers.failures.answer.how_ended import LAST_LINE, LAST_WELL
from schedmate.readers.failures.exit_codes import End
from schedmate.schemas import Diagnosis

LOG_DECIDES_FROM = 0.5
"""A log that states a cause this surely is heard before any code."""
SURER = 0.03


def with_end(found: Diagnosis, end: End) -> Diagnosis:
    """Let the way in which the job ended decide where the log does not, and confirm or doubt it where it does."""
    noted = found.model_copy(update={"notes": (*found.notes, end.note())})
    if found.category == "none":
        noted = noted.model_copy(update={"advice": ""})  # what the log leaves open is told
    if end.well:
        return well(noted) if found.category == "none" else doubted(noted)
    if end.meaning is None:
        return noted
    same = (found.category, found.subcategory) == (end.meaning.category, end.meaning.subcategory)
    if same:
        sure = min(0.97, max(found.confidence, end.meaning.weight) + SURER)
        return noted.model_copy(update={"confidence": round(sure, 2)})
    if found.category == "none" or found.confidence < min(end.meaning.weight, LOG_DECIDES_FROM):
        return decided(noted, end, end.meaning)
    return noted


def well(found: Diagnosis) -> Diagnosis:
    """Let a job be well whose log does not say how it ended."""
    if not any(one.note in {LAST_WELL, LAST_LINE} for one in found.evidence):
        return found
    return found.model_copy(update={"explanation": "It ended well, and no line of this log states a failure."})


def doubted(found: Diagnosis) -> Diagnosis:
    """Count a failure for half where the job is said to have ended well: its program may have gone on after it."""
    return found.model_copy(update={"confidence": round(found.confidence / 2, 2)})


def decided(found: Diagnosis, end: End, meaning: Ending) -> Diagnosis:
    """Answer by the end alone; what the log holds stays as evidence."""
    told = found.failure_id or found.category
    others = () if found.category == "none" else (f"the log alone would be read as {told}",)
    return found.model_copy(
        update={
            "category": meaning.category,
            "subcategory": meaning.subcategory,
            "failure_id": meaning.id,
            "faulty_components": (),
            "should_restart": meaning.restart,
            "confidence": meaning.weight,
            "explanation": meaning.meaning,
            "advice": meaning.action,
            "notes": (*found.notes, *others),
        }
    )
