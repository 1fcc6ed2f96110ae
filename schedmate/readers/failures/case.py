"""The nouns of looking for a first cause: what is known of a job, what became of a line, what counts for it, which
rule corrected that and why.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting

T = TypeVar("T", bound=Callable[..., object])
Held = TypeVar("Held")
Made = TypeVar("Made")

LONGEST_NOTE = 200

LEAST_SCORE = 0.08
"""A suspect that counts less says nothing."""


class RuleTrace(NamedTuple):
    """What one rule made of a line: by the rule's name, what the line was before and after."""

    rule: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A sighting, whether progress was made after it, and whether it stands in an appended dump."""

    item: Sighting
    outlived: bool
    dumped: bool
    back: bool
    """the part itself said that it was back"""

    @property
    def past(self) -> bool:
        """Tell what was over before the job ended."""
        return self.outlived or self.back

    @property
    def alive(self) -> bool:
        """Tell what may have ended the job where it stands."""
        return not self.past and not self.dumped


@dataclass(frozen=True, slots=True)
class Suspect:
    """A sighting, how much speaks for its being the first cause, and what it can be instead of one."""

    sighting: Sighting
    score: float
    survived: bool
    effect: bool = False
    """what an end from outside or another rank's death produces, if it was not the first to happen"""
    maybe: bool = False
    """outlived only by what may have lain in buffers: the process may have died of it all the same"""
    dumped: bool = False
    """stands in a dump that was appended: it looks back further than the lines around it"""
    silent: bool = False
    """others talk on after it; all that speaks against their having got over it is that its own process is not heard"""
    in_vain: bool = False
    """was tried again and again up to the log's end: what is said around each try is of the next one"""
    history: tuple[RuleTrace, ...] = field(default=(), compare=False)
    """what each rule made of it, in order"""

    @property
    def heard(self) -> bool:
        """Tell what the job did not get over, and counts enough to be weighed at all."""
        return not self.survived and self.score >= LEAST_SCORE


@dataclass(frozen=True, slots=True)
class JobCase:
    """What a rule may ask: the logs, all that was sighted, and what earlier rules made of it."""

    readings: Sequence[FailureReading]
    sightings: Sequence[Sighting] = ()
    facts: Sequence[Fact] = ()
    """of each suspect, while these are weighed"""
    suspects: Sequence[Suspect] = ()
    chosen: Suspect | None = None
    """what decides the class"""
    left_out: frozenset[str] = frozenset()
    """names of rules that are not asked, to see what each is good for"""
    stumbles: list[str] = field(default_factory=list)
    """what is told of rules that had a fault of their own"""
    searched: dict[tuple[int, int, int], frozenset[bytes]] = field(default_factory=dict, compare=False)
    """which literals of quiet first statements stand in parts of the logs that some rule has looked through"""

    def own(self, item: Sighting) -> FailureReading:
        """Give the log that a line stands in."""
        return self.readings[item.source]

    def asks(self, rules: "Sequence[Correction[T]]") -> "Iterator[Correction[T]]":
        """Give the rules that are asked, in order."""
        return (rule for rule in rules if rule.name not in self.left_out)

    def tried(self, rule: "Correction[Callable[..., Made]]", *given: object, otherwise: Made) -> Made:
        """Give what a rule makes of what it gets; a fault in one rule must not cost the whole diagnosis."""
        try:
            return rule.apply(*given)
        except Exception as error:  # whatever it is: all other rules are still to be asked
            self.left_out_by_fault(rule.name, f"{type(error).__name__}: {error}")
            return otherwise

    def asked(
        self, rule: "Correction[Callable[[Any, JobCase], Held]]", held: Held
    ) -> Held:  # Any: a list is a Sequence
        """Give what a rule corrects, as it was where the rule has a fault; of lines none may be missing."""
        made = self.tried(rule, held, self, otherwise=held)
        if type(made) is type(held) and places_of(made) == places_of(held):
            return made
        self.left_out_by_fault(rule.name, "it leaves out lines, or moves them")
        return held

    def left_out_by_fault(self, rule: str, wrong: str) -> None:
        """Note it once, however often the rule is asked."""
        note = f"the rule '{rule}' was left out by a fault of the reader: {wrong}"[:LONGEST_NOTE]
        if note not in self.stumbles:
            self.stumbles.append(note)


def places_of(held: object) -> list[tuple[int, int]]:
    """Give where lines stand that a list is of, in order; what is no list is one line, and free to be another."""
    items = [sighting_of(one) for one in held] if isinstance(held, list) else []
    return [one.place for one in items]


def sighting_of(one: "Sighting | Fact | Suspect") -> Sighting:
    """Give the line that is spoken of."""
    return one.sighting if isinstance(one, Suspect) else one.item if isinstance(one, Fact) else one


@dataclass(frozen=True, slots=True)
class Correction(Generic[T]):
    """One correction: its name, why it is right, and what it does.

    One of many lines gives a list of as many, in the same order: what is no cause stays, as an effect or got over.
    """

    name: str
    why: str
    apply: T


def standing(one: Sighting | Fact | Suspect) -> str:
    """Say in a few words what a line is held for."""
    if isinstance(one, Sighting):
        return f"{one.failure.id} {one.failure.weight:.2f}" if one.failure else "unknown"
    if isinstance(one, Fact):
        return "got over" if one.past else "in a dump" if one.dumped else "not got over"
    what = "got over" if one.survived else "effect" if one.effect else "cause"
    ways = (("perhaps", one.maybe and one.survived), ("looks back", one.dumped), ("in vain", one.in_vain))
    return ", ".join([f"{one.score:.2f} {what}", *(word for word, holds in ways if holds)])
