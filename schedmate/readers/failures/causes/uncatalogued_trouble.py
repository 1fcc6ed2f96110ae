"""What a kernel or a daemon tells in words that nobody catalogued gives way to whoever states how the job ended."""

from collections.abc import Sequence

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.proofs_of_health import proves_health
from schedmate.readers.failures.causes.suspects import as_got_over
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import MACHINES
from schedmate.readers.failures.sightings.loudness import is_end
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import is_done, is_unfinished


def with_uncatalogued_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let such words count as outlived where a proof, a scheduler or a program's own exception says how it ended.

    What processes met behind them, as peers that they lost, speaks for them, but for no word against an exception.
    """
    if not any(is_uncatalogued(one) and not one.survived for one in suspects):
        return list(suspects)
    alive = [one for one in suspects if not one.survived and one.score > 0]
    raised = any(states_own_end(one) for one in alive)
    ended = any(is_end(one.sighting) for one in alive) or any(is_over(own, case.sightings) for own in case.readings)
    if not raised and (not ended or any(is_met(one) for one in alive)):
        return list(suspects)
    return [as_got_over(one) if is_uncatalogued(one) and not one.survived else one for one in suspects]


def is_uncatalogued(one: Suspect) -> bool:
    """Tell an entry that only says of which part a kernel or a daemon speaks."""
    return one.sighting.failure is not None and one.sighting.failure.id.startswith(MACHINES)


def states_own_end(one: Suspect) -> bool:
    """Tell an exception that ended a program, and that no other's end and no machine produces."""
    failure, raised = one.sighting.failure, one.sighting.raised
    if failure is None or raised is None or not raised.fatal or one.effect or failure.after:
        return False
    return failure.role == "root" and failure.category in {"script", "framework"}


def is_met(one: Suspect) -> bool:
    """Tell what a process met of another's trouble."""
    failure = one.sighting.failure
    return failure is not None and not is_end(one.sighting) and ("peer" in failure.after or one.effect)


def is_over(own: FailureReading, sightings: Sequence[Sighting]) -> bool:
    """Tell a log whose last step was the last of all, or that says behind its steps that the run ended well."""
    if is_done(own) and not is_unfinished(own):
        return True
    last = own.marks[-1].start if own.marks else 0
    return any(item.source == own.source and item.start > last and proves_health(item) for item in sightings)
