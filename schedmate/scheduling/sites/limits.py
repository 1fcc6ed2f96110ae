"""What users, accounts and qualities of service have in use, and whether a job more is within their limits."""

from schedmate.clusters import LiveJob
from schedmate.counts import how_many
from schedmate.scheduling.sites.accounts import FREE, Cap, SiteAccounts

DIGITS = 6
"""Parts of GPUs are added and taken off again, and must leave nothing."""
Key = tuple[str, ...]
"""For whom something is counted: a quality of service, a user within it, an account, a user within that."""


class Limits:
    """Counts running jobs and their GPUs."""

    def __init__(self, site: SiteAccounts) -> None:
        self.site = site
        self.jobs: dict[Key, int] = {}
        self.gpus: dict[Key, float] = {}
        self._caps: dict[tuple[str, str, str], tuple[dict[Key, Cap], int | None]] = {}

    def caps(self, job: LiveJob) -> dict[Key, Cap]:
        """Give all limits that a job counts towards."""
        return self._of(job.user, job.account, job.qos)[0]

    def allow(self, job: LiveJob) -> bool:
        """Tell whether a job could start now."""
        return all(
            cap.allows(self.jobs.get(key, 0) + 1, round(self.gpus.get(key, 0) + job.gpus, DIGITS))
            for key, cap in self.caps(job).items()
        )

    def count(self, job: LiveJob, sign: int) -> None:
        """Take a job in, or out."""
        for key in self.caps(job):
            self.jobs[key] = self.jobs.get(key, 0) + sign
            self.gpus[key] = round(self.gpus.get(key, 0) + sign * job.gpus, DIGITS)

    def never(self, user: str, account: str, qos: str, gpus: float) -> str:
        """Say why a job could not start though nobody else ran; empty where it could."""
        caps, most = self._of(user, account, qos)
        if most is not None and gpus > most:
            return f"asks for {how_many(gpus, 'GPU')}, and one job may have {most}"
        for key, cap in caps.items():
            if not cap.allows(1, gpus):
                return f"asks for {how_many(gpus, 'GPU')}, which is above the limit of {' '.join(filter(None, key))}"
        return ""

    def _of(self, user: str, account: str, qos: str) -> tuple[dict[Key, Cap], int | None]:
        who = (user, account, qos)
        if who not in self._caps:
            self._caps[who] = self._work_out(user, self.site.account_of(user, account), qos)
        return self._caps[who]

    def _work_out(self, user: str, account: str, qos: str) -> tuple[dict[Key, Cap], int | None]:
        site, caps = self.site, dict[Key, Cap]()
        a_job: list[int | None] = []
        if (service := site.qos.get(qos)) is not None:
            caps["qos", qos] = service.together
            caps["qos", qos, "user", user] = service.a_user
            caps["qos", qos, "account", account] = service.an_account
            a_job.append(service.a_job.gpus)
        mine = site.users.get((account, user))
        each = FREE if mine is None else mine.each
        if mine is not None:
            caps["account", account, "user", user] = mine.together
        at, seen = account, set[str]()
        while (group := site.accounts.get(at)) is not None and at not in seen:
            seen.add(at)
            caps["account", at] = group.together
            # What is not set for a user is set by the nearest account above.
            each = Cap(*(group.each[n] if limit is None else limit for n, limit in enumerate(each)))
            at = group.parent
        a_job.append(each.gpus)
        caps["jobs of", account, "user", user] = Cap(each.jobs)
        known = [gpus for gpus in a_job if gpus is not None]
        return {key: cap for key, cap in caps.items() if cap != FREE}, min(known, default=None)
