"""Whether a pod that was lost had been replaced: where only its successor could not start, that ended the job."""

from collections.abc import Sequence
from itertools import islice

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.others_pods import EVENT
from schedmate.readers.failures.causes.suspects import as_got_over
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.pod_events import POD, TROUBLE
from schedmate.tools.late_patterns import late_re2

PLACED = late_re2(r"\bNormal +Scheduled\b")
"""What Kubernetes says when a new pod of a name has found its node."""
MOST_LINES = 4_000


def with_replaced_pods(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Count as got over that a pod was lost whose successor was placed, and could not start, before anybody died of it.

    The others had waited for it: what kept it from starting is why they waited in vain.
    """
    held = [one for one in suspects if one.heard and TROUBLE.search(one.sighting.line.text)]
    if not held:
        return list(suspects)
    return [as_got_over(one) if was_replaced(one, held, suspects, case) else one for one in suspects]


def was_replaced(lost: Suspect, held: Sequence[Suspect], suspects: Sequence[Suspect], case: JobCase) -> bool:
    """Tell the event of a pod's loss behind which one of the same name was placed, and met trouble of its own."""
    item = lost.sighting
    failure, event = item.failure, EVENT.search(item.line.text)
    if not event or not failure or failure.category != "infrastructure" or TROUBLE.search(item.line.text):
        return False
    own = case.own(item)
    for later in held:
        trouble = later.sighting
        pod = POD.search(trouble.line.text)
        if pod and pod[1] == event["pod"] and trouble.source == item.source and trouble.start > item.start:
            died = any(one.effect and one.heard and is_between(one.sighting, item, trouble) for one in suspects)
            return not died and was_placed(pod[1], item, trouble, own)
    return False


def is_between(one: Sighting, first: Sighting, last: Sighting) -> bool:
    """Tell a line between two others of its log."""
    return one.source == first.source and first.start < one.start < last.start


def was_placed(pod: str, lost: Sighting, trouble: Sighting, own: FailureReading) -> bool:
    """Look for the event by which a pod of the same name found a node."""
    rows = islice(own.log.lines(lost.start, trouble.start), 1, MOST_LINES)
    texts = (own.cleaner.take(raw).text for raw in rows)
    return any(PLACED.search(text) and (found := POD.search(text)) and found[1] == pod for text in texts)
