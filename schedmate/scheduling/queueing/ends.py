"""How soon a job of some kind is likely to be over, by what the latest ones took, however they ended.

Durations are skewed: most jobs of a kind are over in minutes, and one of them runs for a week. A mean says of all of
them that they take hours. So the whole distribution is asked: were each of them run up to the same moment, how many
seconds would be spent for each that is over by then? The least of that, over all moments, is what a newcomer is ranked
by (Gittins' index of a job that has not run yet).
"""

from collections import deque
from collections.abc import Sequence

from schedmate.clusters import LiveJob

LATEST = 32
"""So many ends of a kind are remembered."""
ENOUGH = 3
"""From so many on they are believed."""
MOST_KINDS = 20_000
"""So many kinds are remembered; beyond it those are forgotten of which none has ended for longest."""
Kind = tuple[str, str, float]


class KindEnds:
    """What the latest jobs of each user's name and size took."""

    def __init__(self) -> None:
        self.latest: dict[Kind, deque[float]] = {}
        """Those first of which none has ended for longest."""
        self.each_s: dict[Kind, float] = {}
        """Worked out when it is asked for, once after each end."""

    def note(self, job: LiveJob) -> None:
        """Remember how long a job ran that is over; who never ran teaches nothing."""
        if job.served_s <= 0:
            return
        kind = kind_of(job)
        latest = self.latest.pop(kind, None) or deque(maxlen=LATEST)
        latest.append(job.served_s)
        self.latest[kind] = latest
        self.each_s.pop(kind, None)
        if len(self.latest) > MOST_KINDS:
            oldest = next(iter(self.latest))
            del self.latest[oldest]
            self.each_s.pop(oldest, None)

    def soonest_s(self, job: LiveJob) -> float | None:
        """Give the seconds of running for each end of such jobs; None where too few have ended."""
        kind = kind_of(job)
        if kind not in self.each_s:
            latest = self.latest.get(kind, ())
            if len(latest) < ENOUGH:
                return None
            self.each_s[kind] = seconds_an_end(sorted(latest))
        return self.each_s[kind]


def kind_of(job: LiveJob) -> Kind:
    """Tell jobs apart by who asks for what."""
    return job.user, job.name, job.gpus


def seconds_an_end(took_s: Sequence[float]) -> float:
    """Give what an end costs if all run up to the moment at which ends come cheapest; durations in ascending order."""
    count, over_s = len(took_s), 0.0
    costs = []
    for ended, until_s in enumerate(took_s, 1):
        over_s += until_s
        costs.append((over_s + (count - ended) * until_s) / ended)
    return min(costs)
