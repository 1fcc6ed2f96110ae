"""Tell trouble in a pod's start that Kubernetes' own events say is over: the pod came to a later stage of it."""

import re
from itertools import islice

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

AFTER_BYTES, MOST_LINES = 1 << 16, 400

STAGES = {"Scheduled": 1, "Pulling": 2, "Pulled": 3, "Created": 4, "Started": 5}
"""How a pod starts, in the order of its events."""
HELD_AT = {
    **dict.fromkeys(("FailedScheduling",), 1),
    **dict.fromkeys(("FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"), 2),
    **dict.fromkeys(("ErrImagePull", "ImagePullBackOff", "Failed to pull image", "Back-off pulling image"), 3),
    **dict.fromkeys(("CreateContainerError", "CreateContainerConfigError", "RunContainerError"), 4),
}
"""The first stage that ends each trouble."""
TROUBLE = re.compile("|".join(HELD_AT))
WENT_ON = late(rf"\bNormal +(?P<stage>{'|'.join(STAGES)})\b")
POD = late(r"\b[Pp]od/([\w.-]{1,253})")


def started_all_the_same(item: Sighting, own: FailureReading) -> bool:
    """Tell whether the same pod got further behind an event of trouble; `describe` tells of one without its name."""
    trouble = TROUBLE.search(item.line.text)
    if trouble is None:
        return False
    stage, pod = HELD_AT[trouble[0]], POD.search(item.line.text)
    rows = islice(own.log.lines(item.start, min(own.log.size, item.start + AFTER_BYTES)), 1, MOST_LINES)
    for text in (own.cleaner.take(raw).text for raw in rows):
        later, other = WENT_ON.search(text), POD.search(text)
        if later and STAGES[later["stage"]] >= stage and (pod and pod[1]) == (other and other[1]):
            return True
    return False
