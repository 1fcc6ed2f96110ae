"""How a first cause was found, for who asks: which rule chose it and moved it, who else was weighed, what was outlived
and why.
"""

from collections.abc import Sequence

from pydantic import Field

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.case import standing as standing_of
from schedmate.readers.failures.causes.corrections import reasons
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.schemas import Diagnosis, Noun
from schedmate.tools.shortening import short

MOST_WEIGHED, QUOTE_CHARS = 100, 500


class Turn(Noun):
    """What one rule made of a line."""

    rule: str = Field(description="its name")
    why: str = Field(description="why it is right")
    before: str = Field(description="what the line was held for")
    after: str = Field(description="what it is held for then")


class Weighed(Noun):
    """A line that might have been the first cause."""

    path: str = Field(description="the file")
    line: int = Field(description="counted from 1")
    quote: str = Field(description="the line, shortened where it is long")
    failure_id: str | None = Field(description="entry of the catalogue; null where none knows the line")
    score: float = Field(description="how much speaks for it")
    standing: str = Field(description="that, and as what: a cause, an effect, or got over")
    turns: tuple[Turn, ...] = Field((), description="what rules made of it, in order")


class RootMove(Noun):
    """A line that a rule gave as the first cause."""

    rule: str = Field(description="its name")
    why: str = Field(description="why it is right")
    path: str = Field(description="the file")
    line: int = Field(description="counted from 1")
    quote: str = Field(description="the line, shortened where it is long")


class CauseTrail(Noun):
    """How the first cause was found."""

    moves: tuple[RootMove, ...] = Field((), description="who chose it, then who moved it to where it was stated first")
    weighed: tuple[Weighed, ...] = Field((), description="the most telling lines, in the order of the log")
    others: int = Field(0, description="how many more were weighed")


class Explained(Diagnosis):
    """A diagnosis and how its first cause was found."""

    trail: CauseTrail | None = Field(None, description="with --explain: how the first cause was found")


def explained(found: Diagnosis, verdict: CauseVerdict, readings: Sequence[FailureReading]) -> Explained:
    """Add the trail to a diagnosis."""
    return Explained(**dict(found), trail=trail_of(verdict, readings))


def trail_of(verdict: CauseVerdict, readings: Sequence[FailureReading]) -> CauseTrail:
    """Tell who chose and moved the root, and what rules made of the most telling of all lines."""
    why = reasons()
    moves = [(move.rule, why.get(move.rule, ""), move.to) for move in verdict.moves]
    telling = sorted(verdict.suspects, key=lambda one: -one.score)[:MOST_WEIGHED]
    telling.sort(key=lambda one: one.sighting.place)
    return CauseTrail(
        moves=tuple(RootMove(rule=rule, why=reason, **place_and_words(item, readings)) for rule, reason, item in moves),
        weighed=tuple(weighed(one, why, readings) for one in telling),
        others=len(verdict.suspects) - len(telling),
    )


def weighed(one: Suspect, why: dict[str, str], readings: Sequence[FailureReading]) -> Weighed:
    """Give one line with its turns."""
    turns = (Turn(rule=step.rule, why=why[step.rule], before=step.before, after=step.after) for step in one.history)
    failure = one.sighting.failure
    known = failure.id if failure is not None and not failure.wording else None
    return Weighed(
        **place_and_words(one.sighting, readings),
        failure_id=known,
        score=round(one.score, 4),
        standing=standing_of(one),
        turns=tuple(turns),
    )


def place_and_words(item: Sighting, readings: Sequence[FailureReading]) -> dict[str, str | int]:
    """Give where a line stands, and its words."""
    name = readings[item.source].log.name
    return {"path": name, "line": item.number, "quote": short(item.line.text, QUOTE_CHARS)}
