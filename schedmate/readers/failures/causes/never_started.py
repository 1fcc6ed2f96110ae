"""Prefer what kept a pod from starting to the word of who waited for it: it is asked for when all is over."""

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.asked_for_later import IN_A_TABLE
from schedmate.readers.failures.causes.others_pods import is_known, row_of
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.pod_events import TROUBLE
from schedmate.tools.late_patterns import late_re2

PAGE_LINES = 400
"""How far behind the last word of who gave up the events may stand."""
PEERS = (
    r"(?:workers?|nodes?|ranks?|pods?|gpus?|peers?|replicas?|actors?|hosts?|machines?|boards?|cards?|accelerators?"
    r"|participants?|members?|clients?|executors?|world[ _]?size)\b"
)
"""Who may have failed to come."""

CAME = r"\b(?:join(?:s|ed|ing)?|register(?:s|ed|ing)?|connect(?:s|ed)?|rendezvous|quorum|arrived?|ready|missing)\b"
WAITS = r"\b(?:wait(?:s|ed|ing)?|time(?:d )?-?out)\b"
COUNT = (
    r"\b(?:(?:not enough|insufficient|too few|fewer|less|only|have|has|got|wants?|needs?|expect(?:s|ed)?)(?: than)?"
    r"(?: \d{1,5})?|\d{1,5} ?(?:of|out of|/) ?\d{1,5})"
)

WAITED = late_re2(
    rf"(?i)rendezvous|{WAITS}.{{0,60}}\b{PEERS}|\b{PEERS}.{{0,60}}{WAITS}|\b{PEERS}.{{0,40}}{CAME}|{CAME}.{{0,40}}\b{PEERS}"
    rf"|{COUNT} (?:\w+ ){{0,2}}{PEERS}|\b{PEERS}.{{0,40}}\bdid not (?:come|start|connect)\b"
)
"""How a program tells that others did not come: that it waited for them, or how many of them there are."""


def what_never_started(chosen: Suspect, case: JobCase) -> Suspect:
    """Give the first event of a pod that could not start, where a program that made no step only tells that it waited.

    An event that a later one of the same pod clears counts no more by then.
    """
    item = chosen.sighting
    if item.raised is None or case.own(item).marks or not WAITED.search(item.line.text):
        return chosen
    if item.failure is None or item.failure.category == "infrastructure":
        return chosen
    known: dict[tuple[int, str], bool] = {}
    held = (
        one for one in case.suspects if kept_from_starting(one, chosen) and may_be_of_job(one.sighting, case, known)
    )
    return min(held, key=lambda one: one.sighting.start, default=chosen)


def kept_from_starting(one: Suspect, chosen: Suspect) -> bool:
    """Tell a row of events, behind the choice, by which a pod was kept from starting up to the end."""
    item, last = one.sighting, chosen.sighting
    behind = item.source == last.source and 0 < item.number - last.number <= PAGE_LINES
    if not behind or item.raised or item.failure is None or not one.heard or one.effect:
        return False
    told = IN_A_TABLE.search(item.line.text) and TROUBLE.search(item.line.text)
    return bool(told) and item.failure.category == "infrastructure"


def may_be_of_job(item: Sighting, case: JobCase, known: dict[tuple[int, str], bool]) -> bool:
    """Tell an event of a pod that other lines of the log name as well; `describe` names none, and is asked of one."""
    told = row_of(item.line.text)
    return told is None or is_known(told[1], case.own(item), known)
