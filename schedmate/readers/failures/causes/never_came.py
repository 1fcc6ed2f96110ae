"""Tell a pod that never started, and a check that failed to its last try: others' progress got over neither."""

import re

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.pod_events import POD, TROUBLE, started_all_the_same
from schedmate.tools.late_patterns import late

AFTER_BYTES, MOST_LINES = 1 << 22, 2_000
"""How far on, and in how many lines that bear its name, a pod may be heard."""
STARTED = late(r"\bNormal +(?:Created|Started)\b")
"""What Kubernetes says of a pod that started."""
NUMBERED = late(r"(?i)\b(?:try|attempt|retry|check|probe|poll)\W{0,3}#?(?P<n>\d{1,4}) ?(?:of|/) ?(?P<most>\d{1,4})\b")
"""How a program numbers its tries, and tells how many there will be."""


def never_came(one: Suspect, waiting: Suspect, own: FailureReading) -> bool:
    """Tell what kept a part of the job from coming, for all that is known: of whatever the others went on with."""
    item = one.sighting
    failure = item.failure
    if failure is None or failure.role != "root" or failure.category != "infrastructure" or item.raised:
        return False
    return never_started(item, waiting.sighting, own) or failed_to_the_last(item, own)


def is_of_family(pod: str, waiting: Sighting) -> bool:
    """Tell a pod that bears the name of who waits, or of whom he waits for, up to the number: no one's helper."""
    family = re.escape(pod.rstrip("0123456789"))
    return re.search(rf"(?<![\w-]){family}\d+(?![\w-])", f"{waiting.line.host} {waiting.line.text}") is not None


def never_started(item: Sighting, waiting: Sighting, own: FailureReading) -> bool:
    """Tell an event by which a pod could not start, that is not heard of again but in such events."""
    pod = POD.search(item.line.text)
    if pod is None or TROUBLE.search(item.line.text) is None or started_all_the_same(item, own):
        return False
    if not is_of_family(pod[1], waiting):
        return False
    name = re.compile(re.escape(pod[1].encode()) + rb"(?![\w-])")
    block = own.log.window(item.start, min(own.attempt.end, item.start + AFTER_BYTES))
    for times, found in enumerate(name.finditer(block)):
        line = own.cleaner.take(own.log.line_at(item.start + found.start()))
        speaks = pod[1] == line.host or line.text.startswith(pod[1])
        if speaks or times > MOST_LINES or STARTED.search(line.text):
            return False
    return True


def failed_to_the_last(item: Sighting, own: FailureReading) -> bool:
    """Tell one of the numbered tries of which the last one failed in the same words, while others made steps: who had
    tried in vain before the first step is not who was waited for.
    """
    told = NUMBERED.search(item.line.text)
    if told is None:
        return False
    last = f"{item.line.text[: told.start('n')]}{told['most']}{item.line.text[told.end('n') :]}"
    place = own.log.window(item.start, min(own.attempt.end, item.start + AFTER_BYTES)).find(last.encode())
    return place > 0 and any(item.start < mark.start < item.start + place for mark in own.marks)
