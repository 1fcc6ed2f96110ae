"""Turn the first cause into the answer's fields: class, component, restart, confidence, quotes."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from schedmate.knowledge.own_limits import blames_machine, is_own_limit
from schedmate.readers.failures.answer.confidence import confidence_of
from schedmate.readers.failures.answer.how_ended import (
    LAST_LINE,
    LAST_STEP,
    LAST_WELL,
    PROOF,
    came_to_its_end,
    stopped_at,
)
from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.causes.choosing import first_cause
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.causes.suspects import weigh
from schedmate.readers.failures.lines.steps import StepMark
from schedmate.readers.failures.places.faulty_parts import Place, place_of
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.readers.lines import visible
from schedmate.schemas import Diagnosis, Evidence

QUOTE_CHARS = 400
MAX_EVIDENCE, MAX_EARLIER = 8, 5

LOOKED_AT = 100
"""How many lines at a log's end are looked at for one that says anything."""
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
        return no_failure(verdict, readings).model_copy(update=common)
    root, failure = verdict.root, verdict.root.failure
    reading, place = readings[root.source], place_of(verdict, readings)
    return Diagnosis(
        category=failure.category,
        subcategory=failure.subcategory,
        failure_id=failure.id if failure.id != UNKNOWN_ID else None,
        root_path=reading.log.name,
        root_line=root.number,
        root_excerpt=quote_of(root, reading),
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
        notes=(*verdict.notes, *limit_notes(verdict), *stall_notes(verdict), *earlier_notes(readings)),
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


def last_words(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Iterator[Evidence]:
    """Quote how far a job without a failure came: its last step, else its log's last line."""
    if last := last_mark(verdict, readings):
        reading, mark = last
        own = [one for one in reading.marks if one.start >= reading.attempt.start]
        quote = line_at(reading, mark.start, LAST_WELL)
        yield quote.model_copy(update={"note": LAST_STEP}) if came_to_its_end(own, quote.quote) else quote
        return
    reading = readings[0]
    lines = islice(reading.log.lines_backward(), LOOKED_AT)
    if raw := next((line for line in lines if visible(line.raw).strip()), None):
        yield line_at(reading, raw.start, LAST_LINE)


def line_at(reading: FailureReading, place: int, note: str) -> Evidence:
    """Quote the line at a place of a log."""
    start, end = reading.log.bounds(place)
    quote = visible(reading.log.window(start, end)).strip()[:QUOTE_CHARS]
    return Evidence(path=reading.log.name, line=reading.log.line_number(start), quote=quote, note=note)


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


def earlier_notes(readings: Sequence[FailureReading]) -> Iterator[str]:
    """Say what ended the runs before the last one."""
    for reading in readings[:1]:
        before = reading.attempts[: -1 if reading.again is None else -2]
        for number, attempt in list(enumerate(before, 1))[-MAX_EARLIER:]:
            root = first_cause([weigh(item, False) for item in reading.suspects(attempt) if item.failure])
            lines = f"lines {reading.log.line_number(attempt.start):,} to {reading.log.line_number(attempt.end - 1):,}"
            ended = f"{root.failure.id} at line {root.number:,}" if root and root.failure else "no failure found"
            yield f"attempt {number} ({lines}): {ended}"


def again_line(reading: FailureReading) -> int | None:
    """Number the line where the run begins in which the job is at work again."""
    return reading.log.line_number(reading.log.size) if reading.again is not None else None


def last_progress_line(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> int | None:
    """Number the last healthy step."""
    found = last_mark(verdict, readings)
    return found[0].log.line_number(found[1].start) if found else None


def last_mark(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> tuple[FailureReading, StepMark] | None:
    """Give the last healthy step before the first cause, in the same log."""
    root = verdict.root
    reading = readings[root.source] if root else max(readings, key=lambda one: len(one.marks))
    before = [mark for mark in reading.marks if not root or mark.start < root.start]
    return (reading, before[-1]) if before else None


def quote_of(item: Sighting, reading: FailureReading) -> str:
    """Quote a line as it stands in the log, colours aside."""
    start, end = reading.log.bounds(item.start)
    return visible(reading.log.window(start, end)).strip()[:QUOTE_CHARS]


def evidence_for(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> tuple[Evidence, ...]:
    """Quote the first cause, then the loudest others in the order in which they stand."""
    root = verdict.root
    assert root
    shown: dict[str, Suspect] = {}
    for one in sorted(verdict.suspects, key=lambda one: -one.score):
        if one.sighting is not root and one.sighting.failure and one.sighting.failure.id not in shown:
            shown[one.sighting.failure.id] = one
    others = sorted(list(shown.values())[: MAX_EVIDENCE - 1], key=lambda one: (one.sighting.source, one.sighting.start))
    quotes = [quoted(root, readings, "first cause")]
    if last := last_mark(verdict, readings):
        quotes.append(line_at(last[0], last[1].start, LAST_WELL))
    quotes += [quoted(one.sighting, readings, note_of(one)) for one in others]
    return tuple(quotes)


def seat_quotes(place: Place, readings: Sequence[FailureReading]) -> Iterator[Evidence]:
    """Quote the line that tells the host, where the first cause does not."""
    if place.seat:
        reading = readings[place.told_by]
        note = f"rank {place.rank} ran here" if place.rank is not None else "the only host the log names"
        yield line_at(reading, place.seat.start, note)


def quoted(item: Sighting, readings: Sequence[FailureReading], note: str) -> Evidence:
    """Quote a sighting with its place."""
    reading = readings[item.source]
    return Evidence(path=reading.log.name, line=item.number, quote=quote_of(item, reading), note=note)


def note_of(one: Suspect) -> str:
    """Say what part another line plays."""
    failure = one.sighting.failure
    role = {"root": "also seen", "cascade": "effect", "teardown": "tidying up"}.get(
        failure.role if failure else "", "seen"
    )
    return f"{role}: {failure.id if failure else 'unknown'}" + (", survived" if one.survived else "")
