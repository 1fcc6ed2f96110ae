"""Prefer what kept a pod from starting to the word of who waited for it: it is asked for when all is over."""

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.asked_for_later import IN_A_TABLE
from schedmate.readers.failures.survival.pod_events import TROUBLE
from schedmate.tools.late_patterns import late_re2

PAGE_LINES = 400
"""How far behind the last word of who gave up the events may stand."""
WAITED = late_re2(
    r"(?i)\bwait(?:s|ed|ing)?\b|\bjoin(?:s|ed|ing)?\b|rendezvous|\bquorum\b|\btime(?:d )?-?out\b"
    r"|\bregister(?:ed|ing)?\b"
    r"|\bworld[ _]?size\b|\b(?:not enough|insufficient|too few|fewer|less) \w+|\b(?:only|have) \d{1,5}\b"
    r"|\b\d{1,5} ?(?:of|out of|/) ?\d{1,5}\b|\bdid not (?:come|start|connect|register)\b"
)
"""How a program tells that others did not come."""


def what_never_started(chosen: Suspect, case: JobCase) -> Suspect:
    """Give the first event of a pod that could not start, where a program that made no step only tells that it waited.

    An event that a later one of the same pod clears counts no more by then.
    """
    item = chosen.sighting
    if item.raised is None or case.own(item).marks or not WAITED.search(item.line.text):
        return chosen
    if item.failure is None or item.failure.category == "infrastructure":
        return chosen
    held = (one for one in case.suspects if kept_from_starting(one, chosen))
    return min(held, key=lambda one: one.sighting.start, default=chosen)


def kept_from_starting(one: Suspect, chosen: Suspect) -> bool:
    """Tell a row of events, behind the choice, by which a pod was kept from starting up to the end."""
    item, last = one.sighting, chosen.sighting
    behind = item.source == last.source and 0 < item.number - last.number <= PAGE_LINES
    if not behind or item.raised or item.failure is None or not one.heard or one.effect:
        return False
    told = IN_A_TABLE.search(item.line.text) and TROUBLE.search(item.line.text)
    return bool(told) and item.failure.category == "infrastructure"
