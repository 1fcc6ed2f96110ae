"""Whose pods a table of Kubernetes lists: the job's, or others' that only run in the same cluster."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

import re2

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

OTHERS_FACTOR = 0.05

ROW = re2.compile(
    r"^(?:(?P<space>[a-z][a-z0-9-]{0,62}) +)?(?P<pod>[a-z0-9][a-z0-9.-]{1,252}) +\d{1,3}/\d{1,3} +[A-Z][\w:/]{1,40} +"
    r"\d{1,5}(?: \([\w ]{1,20}\))? +\d{1,5}[smhdy]"
)
"""A row of `kubectl get pods`: perhaps the name space, the pod, how much of it is ready, its state, restarts, age."""
EVENT = re2.compile(
    r"^(?:(?P<space>[a-z][a-z0-9-]{0,62}) +)?(?:\d[\dsmhd]{1,8} +)?(?:\(x\d{1,5} over \S{1,8}\) +)?"
    r"(?:Warning|Normal) +(?:[A-Z]\w{1,60} +)?[Pp]od/(?P<pod>[a-z0-9][a-z0-9.-]{1,252})\b"
)
"""A row of `kubectl get events` that tells of a pod."""
ENDING = late_re2(r"(?:-[a-z0-9]{5,10})?-(?:[a-z0-9]{5}|\d{1,5})$")
"""What Kubernetes puts behind the name that somebody gave."""
ORDINAL = late_re2(r"-\d{1,5}$")
"""What the operators of jobs put there: which of its pods it is."""
BY_PODS = b"\n[pod/"
"""How `kubectl logs --prefix` begins each line with the name of its pod."""
MOST_ROWS, LEAST_STEM_CHARS = 400, 5
SEARCHED_BYTES = 2 << 20


def with_others_pods_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let rows of a table count for nothing that tell of pods which nothing else in the log knows.

    That is only said where the job's own pods are known: another row's stands elsewhere in the log, its lines bear the
    names of theirs, or the rows are of several name spaces, so that the table is of all of a cluster.
    """
    known: dict[tuple[int, str], bool] = {}
    return [
        replace(one, score=one.score * OTHERS_FACTOR)
        if is_of_others(one.sighting, case.own(one.sighting), known)
        else one
        for one in suspects
    ]


def is_of_others(item: Sighting, own: FailureReading, known: dict[tuple[int, str], bool]) -> bool:
    """Tell a row of a pod that is none of the job's."""
    told = row_of(item.line.text) if not item.raised else None
    if told is None or is_known(told[1], own, known):
        return False
    rows = list(table_around(item, own))
    spaces = {space for space, _ in rows if space}
    pods = {pod for _, pod in rows} - {told[1]}
    if len(spaces) > 1 or any(is_known(pod, own, known) for pod in islice(pods, MOST_ROWS)):
        return True
    return BY_PODS in own.log.window(0, SEARCHED_BYTES)


def row_of(text: str) -> tuple[str, str] | None:
    """Give the name space, empty where none is told, and the pod of a table's row."""
    found = ROW.search(text) or EVENT.search(text)
    return (found["space"] or "", found["pod"]) if found else None


def table_around(item: Sighting, own: FailureReading) -> Iterator[tuple[str, str]]:
    """Give the rows of the table that a row stands in."""
    above = islice(own.log.lines_backward(item.start), MOST_ROWS)
    below = islice(own.log.lines(item.start, own.log.size), MOST_ROWS)
    for rows in (above, below):
        texts = (own.cleaner.take(raw).text for raw in rows)
        for text in takewhile(is_of_a_table, texts):
            if told := row_of(text):
                yield told


def is_of_a_table(text: str) -> bool:
    """Tell a row of a pod, or of an event of anything."""
    return row_of(text) is not None or text.find("  ") > 0


def is_known(pod: str, own: FailureReading, known: dict[tuple[int, str], bool]) -> bool:
    """Tell a pod that something else in its log names than such a row: its own lines, or a word of who runs it."""
    key = own.source, pod
    if key not in known:
        known[key] = any(stands_elsewhere(name, own) for name in {pod, stem_of(pod)})
    return known[key]


def stem_of(pod: str) -> str:
    """Give the name that somebody gave, without what Kubernetes put behind it."""
    stems = (ENDING.sub("", pod), ORDINAL.sub("", pod))
    return next((stem for stem in stems if len(stem) >= LEAST_STEM_CHARS), pod)


def stands_elsewhere(name: str, own: FailureReading) -> bool:
    """Look for a name outside rows, near the log's ends."""
    log, raw = own.log, name.encode()
    for start in dict.fromkeys((0, max(0, log.size - SEARCHED_BYTES))):
        text = log.window(start, start + SEARCHED_BYTES)
        place, looked = text.find(raw), 0
        while place >= 0 and looked < MOST_ROWS:
            if row_of(own.cleaner.take(log.line_at(log.bounds(start + place)[0])).text) is None:
                return True
            place, looked = text.find(raw, place + len(raw)), looked + 1
    return False
