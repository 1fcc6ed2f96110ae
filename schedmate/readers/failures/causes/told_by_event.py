"""Walk from a pod's state to the event that says why: `kubectl describe` prints the word first, the reason below it."""

import re2

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

STATE = re2.compile(r"^\s*Reason:\s+\w+\s*$")
EVENT = late_re2(r"^\s*Warning\s+\w+\s+\S.{0,60}\s(?:kubelet|attachdetach-controller|\S+-controller|\S+-scheduler)\b")

PAGE_LINES = 80
"""So many lines one pod's description takes at most between both."""
NEXT_PAGE = "Name:"
"""How the description of another pod begins."""


def told_by_event(root: Sighting, case: JobCase) -> Sighting:
    """Give the first event below a pod's state that states the same fault."""
    if root.failure is None or not STATE.match(root.line.text):
        return root
    below = (one.sighting for one in case.suspects if is_below(one.sighting, root))
    same = (one for one in below if one.failure is root.failure and EVENT.match(one.line.text))
    event = min(same, key=lambda one: one.start, default=root)
    own = case.own(root)
    between = (own.cleaner.take(raw).text for raw in own.log.lines(root.start, event.start))
    return root if any(text.startswith(NEXT_PAGE) for text in between) else event


def is_below(item: Sighting, root: Sighting) -> bool:
    """Tell what stands further down on the same page."""
    return item.source == root.source and 0 < item.number - root.number <= PAGE_LINES
