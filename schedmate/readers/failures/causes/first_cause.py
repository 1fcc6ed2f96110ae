"""Find the first cause of a job: weigh all that was sighted, choose, and walk back to where it was stated first.

Each of the three asks the rules of `corrections` in their order; what each did is kept, so that one sees why.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from schedmate.readers.failures.case import JobCase, RuleTrace, Suspect, standing
from schedmate.readers.failures.causes.choosing import choose_living, contest_of, picked
from schedmate.readers.failures.causes.corrections import CHOICES, PLACES, PROOFS, RIVALS
from schedmate.readers.failures.causes.weighing import weigh_all, weighed_further
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting


class Moved(NamedTuple):
    """What a rule gave as the cause: the first one chose it, each other moved it from another line; or as a proof that
    there is none.
    """

    rule: str
    to: Sighting


class CauseVerdict(NamedTuple):
    """The first cause, None when the job was well; what else was weighed; the line that proves health."""

    root: Sighting | None
    suspects: tuple[Suspect, ...] = ()
    healthy: Sighting | None = None
    stalled_s: float | None = None
    chunks_read: int = 0
    chosen: Suspect | None = None
    """what decided the class; the root is its first statement"""
    moves: tuple[Moved, ...] = ()
    """how the root was found: who chose, and who moved it, in order"""
    notes: tuple[str, ...] = ()
    """what is to be told of the search itself"""


def locate(readings: Sequence[FailureReading], left_out: frozenset[str] = frozenset()) -> CauseVerdict:
    """Weigh the sightings of all of a job's logs together, without the rules that are left out."""
    sightings = [item for reading in readings for item in reading.suspects()]
    case = JobCase(readings, sightings, left_out=left_out)
    return decide(*weigh_all(case), case)


def decide(suspects: Sequence[Suspect], stalled_s: float | None, case: JobCase) -> CauseVerdict:
    """Choose among what was weighed, and trace the choice back to where it was stated first."""
    suspects, chosen = choose_living(weighed_further(RIVALS, suspects, case), case)
    proof = proved(suspects, case)
    moves = [Moved(picked(suspects, case)[0], chosen.sighting)] if chosen else []
    suspects = noted(suspects, case)
    if proof or chosen is None:
        healthy, found = (proof.to, (proof,)) if proof else (None, ())
        return CauseVerdict(None, tuple(suspects), healthy, stalled_s, moves=found, notes=tuple(case.stumbles))
    case = replace(case, suspects=suspects)
    for choice in case.asks(CHOICES):
        before, chosen = chosen, case.asked(choice, chosen)
        moves += [Moved(choice.name, chosen.sighting)] if chosen is not before else []
    root, case = chosen.sighting, replace(case, chosen=chosen)
    for place in case.asks(PLACES):
        first, root = root, case.asked(place, root)
        moves += [Moved(place.name, root)] if root.place != first.place else []
    return CauseVerdict(
        root, tuple(suspects), None, stalled_s, chosen=chosen, moves=tuple(moves), notes=tuple(case.stumbles)
    )


def proved(suspects: Sequence[Suspect], case: JobCase) -> Moved | None:
    """Give the first proof that the job was well, and who knows it."""
    found = (
        Moved(rule.name, item)
        for rule in case.asks(PROOFS)
        if (item := case.tried(rule, suspects, case, otherwise=None))
    )
    return next(found, None)


def noted(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Note at each suspect that is left aside which rule did it."""
    aside = contest_of(suspects, case)[1]
    return [
        replace(one, history=(*one.history, RuleTrace(aside[id(one)], standing(one), "left aside")))
        if id(one) in aside
        else one
        for one in suspects
    ]
