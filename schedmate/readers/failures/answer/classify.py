"""Turn the first cause into the answer's fields: class, component, restart, confidence, notes; `quotes` quotes it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from schedmate.knowledge.own_limits import blames_machine, is_own_limit
from schedmate.readers.failures.answer.confidence import confidence_of
from schedmate.readers.failures.answer.how_ended import LAST_STEP, ONLY_BEGAN, PROOF, stopped_at
from schedmate.readers.failures.answer.quotes import evidence_for, last_mark, last_words, quoted, seat_quotes, words_at
from schedmate.readers.failures.causes.choosing import first_cause
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.causes.suspects import weigh
from schedmate.readers.failures.places.faulty_parts import place_of
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.schemas import Diagnosis

MAX_EARLIER = 5
ASK_HOW_IT_ENDED = (
    "Say how it ended, if that is known: --exited CODE, or --job ID for a job of Slurm. "
    "If it may still run: schedmate track shows how it gets on."
)


def classify(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Diagnosis:
    """State what the built-in found; what it did not find stays empty."""
    common = {
        "attempts": max(len(reading.attempts) for reading in readings),
        "running_again_line": again_line(readings[0]),
        "last_progress_line": last_progress_line(verdict, readings),
    }
    if verdict.root is None or verdict.root.failure is None:
        return no_failure(verdict, readings).model_copy(update={**common, "notes": verdict.notes})
    root, failure = verdict.root, verdict.root.failure
    reading, place = readings[root.source], place_of(verdict, readings)
    notes = (*verdict.notes, *limit_notes(verdict), *stall_notes(verdict), *run_notes(readings))
    return Diagnosis(
        category=failure.category,
        subcategory=failure.subcategory,
        failure_id=failure.id if failure.id != UNKNOWN_ID else None,
        root_path=reading.log.name,
        root_line=root.number,
        root_excerpt=words_at(root.start, reading),
        root_time_s=root.line.time_s if root.line.clock == "epoch" else None,
        root_rank=place.rank,
        root_host=place.host or place.parts.get("pod"),
        root_pod=place.parts.get("pod"),
        systems=tuple(place.known.around.systems),
        job_id=place.known.around.job_id or None,
        faulty_components=place.components() if blames_machine(failure.category, failure.id) else (),
        should_restart=failure.restart,
        confidence=confidence_of(verdict),
        fallout_lines=max(0, reading.log.line_number(reading.attempt.end) - root.number - 1),
        evidence=(*evidence_for(verdict, readings), *seat_quotes(place, readings)),
        explanation=failure.meaning,
        advice=failure.action,
        notes=tuple(dict.fromkeys(notes)),
        **common,
    )


def no_failure(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Diagnosis:
    """Say that the job was well, and what proves it; without proof say where the log stops without telling."""
    proof = verdict.healthy
    if proof and proof.failure:
        quote = quoted(proof, readings, PROOF)
        return Diagnosis(category="none", confidence=0.9, evidence=(quote,), explanation=proof.failure.meaning)
    found = Diagnosis(category="none", confidence=0.5, evidence=tuple(last_words(verdict, readings)))
    if any(one.note == LAST_STEP for one in found.evidence):
        told = "The job did its last step, and no line of this log states a failure that ended it."
        return found.model_copy(update={"explanation": told})
    place = stopped_at(found)
    told = (
        f"The log stops{f' at {place}' if place else ''}. No line of it states a failure, and none how the job ended."
    )
    return found.model_copy(update={"explanation": told, "advice": ASK_HOW_IT_ENDED})


def limit_notes(verdict: CauseVerdict) -> Iterator[str]:
    """Say which limit was reached and how much was used, where the log tells."""
    root = verdict.root
    if not root or not root.failure or not is_own_limit(root.failure.id):
        return
    told: dict[str, str] = {}
    for item in (root, *(one.sighting for one in verdict.suspects)):
        if item.failure and is_own_limit(item.failure.id):
            told |= {key: item.named[key] for key in ("used", "limit") if key in item.named and key not in told}
    if "limit" in told:
        yield f"the limit was {told['limit']}" + (f", used were {told['used']}" if "used" in told else "")
    elif "used" in told:
        yield f"used were {told['used']}"


def stall_notes(verdict: CauseVerdict) -> Iterator[str]:
    """Say when only an effect is known, and since when the ranks have waited in vain."""
    if verdict.root and verdict.root.failure and verdict.root.failure.role != "root":
        yield "this is an effect: no line of the log states its cause"
    if verdict.stalled_s is not None:
        yield f"ranks waited in vain since {datetime.fromtimestamp(verdict.stalled_s, UTC):%m-%d %H:%M:%S}"


def runs_up_to_the_asked(reading: FailureReading) -> int:
    """Count the runs up to the one that is asked about: behind it may stand one that said nothing of weight."""
    return len(reading.attempts) if reading.again else reading.attempts.index(reading.attempt) + 1


def run_notes(readings: Sequence[FailureReading]) -> Iterator[str]:
    """Say what ended the runs before the one that is asked about, and where others begin that do not say it; and which
    rules a fault of theirs left out there.
    """
    stumbles: list[str] = []
    for reading in readings[:1]:
        before = reading.attempts[: runs_up_to_the_asked(reading) - (1 if reading.again is None else 2)]
        for number, attempt in list(enumerate(before, 1))[-MAX_EARLIER:]:
            root = first_cause([weigh(item, False) for item in reading.suspects(attempt) if item.failure], stumbles)
            lines = f"lines {reading.log.line_number(attempt.start):,} to {reading.log.line_number(attempt.end - 1):,}"
            ended = f"{root.failure.id} at line {root.number:,}" if root and root.failure else "no failure found"
            yield f"attempt {number} ({lines}): {ended}"
        if (runs := runs_up_to_the_asked(reading)) < len(reading.attempts):
            line = reading.log.line_number(reading.attempts[runs].start)
            yield f"{ONLY_BEGAN} at line {line:,} does not say how it ended"
    yield from stumbles


def again_line(reading: FailureReading) -> int | None:
    """Number the line where the run begins in which the job is at work again."""
    return reading.log.line_number(reading.log.size) if reading.again is not None else None


def last_progress_line(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> int | None:
    """Number the last healthy step."""
    found = last_mark(verdict, readings)
    return found[0].log.line_number(found[1].start) if found else None
