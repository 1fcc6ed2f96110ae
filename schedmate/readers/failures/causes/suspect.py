"""A line that may be the first cause, and how much speaks for it."""

from dataclasses import dataclass

from schedmate.readers.failures.sightings.sighting import Sighting


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
