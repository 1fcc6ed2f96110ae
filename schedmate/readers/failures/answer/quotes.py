"""Quote what an answer rests on: the first cause and what else spoke loud, or how far a job came that was well."""

from collections.abc import Iterator, Sequence
from itertools import islice

from schedmate.readers.failures.answer.how_ended import LAST_LINE, LAST_STEP, LAST_WELL, came_to_its_end
from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.lines.steps import StepMark
from schedmate.readers.failures.places.faulty_parts import Place
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import visible
from schedmate.schemas import Evidence

QUOTE_CHARS, MAX_EVIDENCE = 400, 8

LOOKED_AT = 100
"""How many lines at a log's end are looked at for one that says anything."""


def evidence_for(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> tuple[Evidence, ...]:
    """Quote the first cause, then the loudest others in the order in which they stand."""
    root = verdict.root
    assert root
    shown: dict[str, Suspect] = {}
    for one in sorted(verdict.suspects, key=lambda one: -one.score):
        if one.sighting is not root and one.sighting.failure and one.sighting.failure.id not in shown:
            shown[one.sighting.failure.id] = one
    others = sorted(list(shown.values())[: MAX_EVIDENCE - 1], key=lambda one: one.sighting.place)
    quotes = [quoted(root, readings, "first cause")]
    if last := last_mark(verdict, readings):
        quotes.append(quote_at(last[0], last[1].start, LAST_WELL))
    quotes += [quoted(one.sighting, readings, note_of(one)) for one in others]
    return tuple(quotes)


def note_of(one: Suspect) -> str:
    """Say what part another line plays."""
    failure = one.sighting.failure
    role = {"root": "also seen", "cascade": "effect", "teardown": "tidying up"}.get(
        failure.role if failure else "", "seen"
    )
    return f"{role}: {failure.id if failure else 'unknown'}" + (", survived" if one.survived else "")


def seat_quotes(place: Place, readings: Sequence[FailureReading]) -> Iterator[Evidence]:
    """Quote the line that tells the host, where the first cause does not."""
    if place.seat:
        reading = readings[place.told_by]
        note = f"rank {place.rank} ran here" if place.rank is not None else "the only host the log names"
        yield quote_at(reading, place.seat.start, note)


def last_words(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Iterator[Evidence]:
    """Quote how far a job without a failure came: its last step, else its log's last line."""
    if last := last_mark(verdict, readings):
        reading, mark = last
        own = [one for one in reading.marks if one.start >= reading.attempt.start]
        quote = quote_at(reading, mark.start, LAST_WELL)
        yield quote.model_copy(update={"note": LAST_STEP}) if came_to_its_end(own, quote.quote) else quote
        return
    reading = readings[0]
    lines = islice(reading.log.lines_backward(), LOOKED_AT)
    if raw := next((line for line in lines if visible(line.raw).strip()), None):
        yield quote_at(reading, raw.start, LAST_LINE)


def last_mark(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> tuple[FailureReading, StepMark] | None:
    """Give the last healthy step before the first cause, in the same log."""
    root = verdict.root
    reading = readings[root.source] if root else max(readings, key=lambda one: len(one.marks))
    before = [mark for mark in reading.marks if not root or mark.start < root.start]
    return (reading, before[-1]) if before else None


def quoted(item: Sighting, readings: Sequence[FailureReading], note: str) -> Evidence:
    """Quote a sighting with its place."""
    reading = readings[item.source]
    return Evidence(path=reading.log.name, line=item.number, quote=words_at(item.start, reading), note=note)


def quote_at(reading: FailureReading, place: int, note: str) -> Evidence:
    """Quote the line at a place of a log."""
    number = reading.log.line_number(reading.log.bounds(place)[0])
    return Evidence(path=reading.log.name, line=number, quote=words_at(place, reading), note=note)


def words_at(place: int, reading: FailureReading) -> str:
    """Give the line at a place of a log as it stands there, colours aside."""
    start, end = reading.log.bounds(place)
    return visible(reading.log.window(start, end)).strip()[:QUOTE_CHARS]
