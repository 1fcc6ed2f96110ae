"""Turn the first cause into the answer's fields: class, component, restart, confidence, quotes."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from schedmate.readers.failures.confidence import confidence_of
from schedmate.readers.failures.faulty_parts import Place, place_of
from schedmate.readers.failures.locator_hybrid import CauseVerdict, first_cause
from schedmate.readers.failures.progress import StepMark
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.scan import Sighting
from schedmate.readers.failures.suspects import Suspect, weigh
from schedmate.readers.failures.unknowns import UNKNOWN_ID
from schedmate.readers.lines import visible
from schedmate.schemas import Diagnosis, Evidence

QUOTE_CHARS = 400
MAX_EVIDENCE, MAX_EARLIER = 8, 5


def classify(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Diagnosis:
    """State what the built-in found; what it did not find stays empty."""
    common = {
        "attempts": max(len(reading.attempts) for reading in readings),
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
        faulty_components=place.components() if failure.category == "infrastructure" else (),
        should_restart=failure.restart,
        confidence=confidence_of(verdict),
        fallout_lines=reading.log.line_number(reading.attempt.end) - root.number - 1,
        evidence=(*evidence_for(verdict, readings), *seat_quotes(place, readings)),
        explanation=failure.meaning,
        advice=failure.action,
        notes=(*limit_notes(verdict), *stall_notes(verdict), *earlier_notes(readings)),
        **common,
    )


def no_failure(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Diagnosis:
    """Say that the job was well, and what proves it; without proof say so less loudly."""
    proof = verdict.healthy
    if proof and proof.failure:
        quote = quoted(proof, readings, "proof of health")
        return Diagnosis(category="none", confidence=0.9, evidence=(quote,), explanation=proof.failure.meaning)
    return Diagnosis(
        category="none", confidence=0.5, explanation="No line of this log states a failure that ended the job."
    )


def limit_notes(verdict: CauseVerdict) -> Iterator[str]:
    """Say which limit was reached and how much was used, where the log tells."""
    root = verdict.root
    if not root or not root.failure or not root.failure.id.startswith("limits."):
        return
    told: dict[str, str] = {}
    for item in (root, *(one.sighting for one in verdict.suspects)):
        if item.failure and item.failure.id.startswith("limits."):
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
        for number, attempt in list(enumerate(reading.attempts[:-1], 1))[-MAX_EARLIER:]:
            root = first_cause([weigh(item, False) for item in reading.suspects(attempt) if item.failure])
            lines = f"lines {reading.log.line_number(attempt.start):,} to {reading.log.line_number(attempt.end - 1):,}"
            ended = f"{root.failure.id} at line {root.number:,}" if root and root.failure else "no failure found"
            yield f"attempt {number} ({lines}): {ended}"


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
        log, mark = last[0].log, last[1]
        start, end = log.bounds(mark.start)
        quote = visible(log.window(start, end)).strip()[:QUOTE_CHARS]
        quotes.append(Evidence(path=log.name, line=log.line_number(mark.start), quote=quote, note="last healthy step"))
    quotes += [quoted(one.sighting, readings, note_of(one)) for one in others]
    return tuple(quotes)


def seat_quotes(place: Place, readings: Sequence[FailureReading]) -> Iterator[Evidence]:
    """Quote the line that tells the host, where the first cause does not."""
    if place.seat:
        reading = readings[place.told_by]
        start, end = reading.log.bounds(place.seat.start)
        quote = visible(reading.log.window(start, end)).strip()[:QUOTE_CHARS]
        note = f"rank {place.rank} ran here" if place.rank is not None else "the only host the log names"
        yield Evidence(path=reading.log.name, line=reading.log.line_number(start), quote=quote, note=note)


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
