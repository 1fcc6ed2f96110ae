"""Where a program gives up on a transfer, what its tries met of the service goes before its own word of it."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.tools.late_patterns import late_re2

GAVE_UP = late_re2(
    r"(?i)^(?:failed|unable|could not|couldn't|giving up)\b.{0,40}?\b(?:upload|download|fetch|transfer|push"
    r"|pull)(?:ing|s)?\b"
    r"|^(?:failed|unable|could not|couldn't)\b.{0,80}\b(?:s3|gs|gcs|az|abfss?|hf|https?|oci|oss)://"
)
"""What an exception says that only tells what did not arrive, over the network."""
NUMBERED = late_re2(r"(?i)\b(?:attempt|try|retry) ?#?(\d{1,3})\b")
"""How a try says which it is."""
LEAST_TRIES, NEAR_LINES = 2, 200


def with_failed_transfers(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let the tries speak as loud as the exception that gave up on them, and that one as their effect."""
    found = list(suspects)
    for at, one in enumerate(found):
        tries = tries_before(one, found, case) if gives_up(one) else []
        if len(tries) < LEAST_TRIES:
            continue
        found[at] = replace(one, effect=True)
        met = set(map(id, tries))
        found = [replace(other, score=max(other.score, one.score)) if id(other) in met else other for other in found]
    return found


def gives_up(one: Suspect) -> bool:
    """Tell an exception of a general kind by which a program says that something did not come, or go."""
    raised, failure = one.sighting.raised, one.sighting.failure
    if raised is None or failure is None or one.survived or not (failure.general or not failure.pattern):
        return False
    return GAVE_UP.search(raised.message) is not None


def tries_before(one: Suspect, suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Give the numbered tries since the last step of which an entry knows what they met of a service, of one kind."""
    item = one.sighting
    last = max((mark.start for mark in case.own(item).marks if mark.start < item.start), default=-1)
    near = [
        other
        for other in suspects
        if other.sighting.source == item.source
        and last < other.sighting.start < item.start
        and item.number - other.sighting.number <= NEAR_LINES
        and is_of_a_service(other)
    ]
    kinds = {other.sighting.failure.id for other in near if other.sighting.failure}
    numbers = [told[1] for other in near if (told := NUMBERED.search(other.sighting.line.text))]
    return near if len(kinds) == 1 and len(set(numbers)) == len(near) else []


def is_of_a_service(one: Suspect) -> bool:
    """Tell what a remote service answered."""
    failure = one.sighting.failure
    if failure is None or failure.general or failure.wording or failure.role != "root" or one.sighting.raised:
        return False
    return failure.category == "infrastructure" and failure.subcategory == "other"
