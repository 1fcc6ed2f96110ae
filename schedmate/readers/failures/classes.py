"""Turn the first cause into the answer's fields: class, component, restart, confidence, quotes."""

import re
from collections.abc import Sequence

from schedmate.readers.failures.locator_hybrid import UNKNOWN_ID, Suspect, Verdict
from schedmate.readers.failures.progress import Mark
from schedmate.readers.failures.reading import Reading
from schedmate.readers.failures.scan import Sighting
from schedmate.readers.lines import visible
from schedmate.schemas import Diagnosis, Evidence

COMPONENTS = ("host", "gpu", "pci", "port", "nic", "switch", "device", "rank")
RANK_IN_TEXT = re.compile(r"\[[Rr]ank ?(\d{1,6})\]")
QUOTE_CHARS = 400
MAX_EVIDENCE = 8
SURE, GUESS = 0.97, 0.3


def classify(verdict: Verdict, readings: Sequence[Reading]) -> Diagnosis:
    """State what the built-in found; what it did not find stays empty."""
    common = {
        "attempts": max(len(reading.attempts) for reading in readings),
        "last_progress_line": last_progress_line(verdict, readings),
    }
    if verdict.root is None or verdict.root.failure is None:
        return no_failure(verdict, readings).model_copy(update=common)
    root, failure = verdict.root, verdict.root.failure
    reading = readings[root.source]
    return Diagnosis(
        category=failure.category,
        subcategory=failure.subcategory,
        failure_id=failure.id if failure.id != UNKNOWN_ID else None,
        root_path=reading.log.name,
        root_line=root.number,
        root_excerpt=quote_of(root, reading),
        root_time_s=root.line.time_s if root.line.clock == "epoch" else None,
        root_rank=rank_of(root, reading),
        root_host=root.named.get("host") or root.line.host,
        faulty_components=components_of(root),
        should_restart=failure.restart,
        confidence=confidence_of(verdict),
        fallout_lines=reading.log.line_number(reading.attempt.end) - root.number - 1,
        evidence=evidence_for(verdict, readings),
        explanation=failure.meaning,
        **common,
    )


def no_failure(verdict: Verdict, readings: Sequence[Reading]) -> Diagnosis:
    """Say that the job was well, and what proves it; without proof say so less loudly."""
    proof = verdict.healthy
    if proof and proof.failure:
        quote = quoted(proof, readings, "proof of health")
        return Diagnosis(category="none", confidence=0.9, evidence=(quote,), explanation=proof.failure.meaning)
    return Diagnosis(
        category="none", confidence=0.5, explanation="No line of this log states a failure that ended the job."
    )


def last_progress_line(verdict: Verdict, readings: Sequence[Reading]) -> int | None:
    """Number the last healthy step."""
    found = last_mark(verdict, readings)
    return found[0].log.line_number(found[1].start) if found else None


def last_mark(verdict: Verdict, readings: Sequence[Reading]) -> tuple[Reading, Mark] | None:
    """Give the last healthy step before the first cause, in the same log."""
    root = verdict.root
    reading = readings[root.source] if root else max(readings, key=lambda one: len(one.marks))
    before = [mark for mark in reading.marks if not root or mark.start < root.start]
    return (reading, before[-1]) if before else None


def quote_of(item: Sighting, reading: Reading) -> str:
    """Quote a line as it stands in the log, colours aside."""
    start, end = reading.log.bounds(item.start)
    return visible(reading.log.window(start, end)).strip()[:QUOTE_CHARS]


def rank_of(item: Sighting, reading: Reading) -> int | None:
    """Tell the rank by the line's prefix, its text or its file's name."""
    if item.line.rank is not None:
        return item.line.rank
    match = RANK_IN_TEXT.search(item.line.text)
    return int(match[1]) if match else reading.rank


def components_of(item: Sighting) -> tuple[str, ...]:
    """Name the hardware that the line names; for a fault of the infrastructure also the host that printed it."""
    named = dict(item.named)
    if item.failure and item.failure.category == "infrastructure" and item.line.host:
        named.setdefault("host", item.line.host)
    return tuple(dict.fromkeys(named[key] for key in COMPONENTS if named.get(key)))


def confidence_of(verdict: Verdict) -> float:
    """Weigh the best of one class against the best of any other."""
    root = verdict.root
    if not root or not root.failure:
        return GUESS
    mine = max((one.score for one in verdict.suspects if one.sighting is root), default=GUESS)
    rivals = [one.score for one in verdict.suspects if category_of(one) != root.failure.category]
    doubt = 0.3 * max(rivals, default=0.0)
    return round(min(SURE, max(0.05, mine - doubt)), 2)


def category_of(one: Suspect) -> str:
    """Give a suspect's class."""
    return one.sighting.failure.category if one.sighting.failure else "none"


def evidence_for(verdict: Verdict, readings: Sequence[Reading]) -> tuple[Evidence, ...]:
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
        quote = mark.text[:QUOTE_CHARS]
        quotes.append(Evidence(path=log.name, line=log.line_number(mark.start), quote=quote, note="last healthy step"))
    quotes += [quoted(one.sighting, readings, note_of(one)) for one in others]
    return tuple(quotes)


def quoted(item: Sighting, readings: Sequence[Reading], note: str) -> Evidence:
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
