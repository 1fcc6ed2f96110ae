"""What a site's rules forbid, whatever the policy: more than the limits allow, a place in somebody's reservation.

A job that the limits keep back is set aside, so that policies walk past it. It comes back, as if it had just arrived,
when somebody in whose way it stood has stopped.
"""

from collections.abc import Mapping

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.reservations import Reserved
from schedmate.scheduling.sites.limits import Limits

NOWHERE: frozenset[str] = frozenset()


class SiteRules:
    """One book for all virtual clusters: accounts know no partitions."""

    def __init__(self, limits: Limits | None = None, reserved: Reserved | None = None) -> None:
        self.limits = limits
        self.reserved = reserved
        self.aside: dict[int, LiveJob] = {}
        self._stopped = False

    def sets_aside(self, job: LiveJob) -> bool:
        """Keep a job back that would exceed a limit if it started now."""
        if self.limits is None or self.limits.allow(job):
            return False
        self.aside[job.number] = job
        return True

    def started(self, job: LiveJob) -> None:
        """Count a start."""
        if self.limits is not None:
            self.limits.count(job, 1)

    def stopped(self, job: LiveJob) -> None:
        """Count an end, or a stop."""
        if self.limits is not None:
            self.limits.count(job, -1)
            self._stopped = True

    def released(self) -> list[LiveJob]:
        """Give back who may start now, each by itself."""
        if not self._stopped or self.limits is None:
            return []
        self._stopped = False
        found = [job for job in self.aside.values() if self.limits.allow(job)]
        for job in found:
            del self.aside[job.number]
        return found

    def barred_until(self, job: LiveJob, now_s: float) -> Mapping[str, float]:
        """Give the nodes where a job must not start now, and for how long."""
        return {} if self.reserved is None else self.reserved.barred_until(job.reach, now_s)

    def barred(self, job: LiveJob, now_s: float) -> frozenset[str]:
        """Give the nodes where a job must not start now."""
        return frozenset(self.barred_until(job, now_s)) if job.reach else NOWHERE

    def next_s(self, now_s: float) -> float | None:
        """Give when a policy is to look again though nothing happened."""
        return None if self.reserved is None else self.reserved.next_end_s(now_s)
