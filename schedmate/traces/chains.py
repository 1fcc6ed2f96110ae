"""Jobs that failed and were sent again: attempts at one piece of work, found by user, name, size and time."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from schedmate.traces.columns import Floats, Labels, Trace

WITHIN_S = 86_400.0
"""A like job that comes later than this after the failure is a new piece of work."""
BROKE_OFF = frozenset({"failed", "cancelled", "killed", "timeout", "node_fail"})
FAILED = frozenset({"failed", "node_fail"})


def failed(trace: Trace) -> npt.NDArray[np.bool_]:
    """Tell which jobs failed."""
    return ended_as(trace, FAILED)


def broke_off(trace: Trace) -> npt.NDArray[np.bool_]:
    """Tell which jobs never did what they set out to do."""
    return ended_as(trace, BROKE_OFF)


def ended_as(trace: Trace, statuses: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Tell which jobs ended in one of some ways."""
    words = np.array([word.lower() in statuses for word in trace.status.words] or [False])
    return np.asarray(words[trace.status.codes], np.bool_)


def ends(trace: Trace) -> Floats:
    """Give when each job ended as recorded; where no wait was recorded, as if there had been none."""
    end_s = trace.submit_s + trace.duration_s
    return end_s + np.maximum(np.nan_to_num(trace.waited_s), 0.0) if len(trace.waited_s) else end_s


def attempts(trace: Trace) -> dict[int, tuple[int, float]]:
    """Name for each job that broke off who sent it again, and how long after its end: the users' own time."""
    end_s = ends(trace)
    links = resumptions(trace, which=broke_off(trace))
    return {number: (other, float(trace.submit_s[other] - end_s[number])) for number, other in links.items()}


def resumptions(trace: Trace, within_s: float = WITHIN_S, which: npt.NDArray[np.bool_] | None = None) -> dict[int, int]:
    """Name for each failed job the next like one that was submitted after its end; each resumes one at most."""
    came: dict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    columns = (trace.user.codes, trace.job_name.codes, trace.gpus, trace.vc.codes)
    for number, kind in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        came[kind].append(number)
    ends_s, submit_s, is_failed = ends(trace), trace.submit_s, failed(trace) if which is None else which
    found: dict[int, int] = {}
    for numbers in came.values():
        taken: set[int] = set()
        for place, number in enumerate(numbers):
            if not is_failed[number]:
                continue
            for other in numbers[place + 1 :]:
                if submit_s[other] > ends_s[number] + within_s:
                    break
                if submit_s[other] >= ends_s[number] and other not in taken:
                    taken.add(other)
                    found[number] = other
                    break
    return found


def merged(trace: Trace, links: dict[int, int]) -> tuple[Trace, dict[int, tuple[float, ...]]]:
    """Put attempts together into one job each; give with it the work that was left at each failure."""
    later = set(links.values())
    keep = np.array([number for number in range(len(trace)) if number not in later])
    place = {int(number): index for index, number in enumerate(keep)}
    duration_s, codes = trace.duration_s.copy(), trace.status.codes.copy()
    left: dict[int, tuple[float, ...]] = {}
    for first in keep.tolist():
        chain = [first]
        while chain[-1] in links:
            chain.append(links[chain[-1]])
        if len(chain) > 1:
            works = trace.duration_s[chain]
            duration_s[first], codes[first] = works.sum(), trace.status.codes[chain[-1]]
            left[place[first]] = tuple(float(works[at:].sum()) for at in range(1, len(chain)))
    whole = replace(trace, duration_s=duration_s, status=Labels(codes, trace.status.words))
    return whole.rows(keep), left
