"""How jobs ended of which the controller tells no more: asked of the accounting, which may be down, or not there."""

from collections.abc import Mapping, Sequence

from schedmate.clusters.managed import Refused, Unreachable
from schedmate.clusters.slurm.accounting_export import stamp
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.lookup import accounted_jobs
from schedmate.clusters.slurm.records import EndRecord, JobRecord, merged, read_ends

MOST_ENDS = 300
"""Jobs that one question is about; the others' turn comes."""
SLACK_S = 60.0
"""Clocks of this host and the accounting's may differ so much."""


class Ledger:
    """Asks once a look; says once that it gets no answer, and once that it does again."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.trouble = ""

    def ends_of(self, names: Sequence[str]) -> Mapping[str, Sequence[EndRecord]]:
        """Give all runs of jobs, none of one that the accounting does not know; without those it was not asked about.

        A site without accounting knows no ends: there each job has had an answer, and it was empty.
        """
        asked = names[:MOST_ENDS]
        try:
            ends = read_ends(self.books.commands, asked)
        except Unreachable as error:
            self.say(f"{error.message}: jobs that have left the queue wait until the accounting says how they ended")
            return {}
        except Refused as error:
            self.say(f"{error.message}: how a job ended is known only while the controller knows it")
            return dict.fromkeys(asked, ())
        if self.trouble:
            self.trouble = ""
            self.books.odd.append("the accounting answers again")
        found: dict[str, list[EndRecord]] = {name: [] for name in asked}
        for end in ends:
            found.setdefault(end.name, []).append(end)
        return found

    def since(self, moment_s: float, partitions: Sequence[str]) -> list[JobRecord] | None:
        """Give the jobs that have ended since then, as the controller may have forgotten them; None without answer."""
        asked = ["-a", "-n", "-X", f"--starttime={stamp(moment_s - SLACK_S)}"]
        asked += [f"--partition={','.join(partitions)}"] if partitions else []
        try:
            records = merged(accounted_jobs(self.books.commands, *asked))
        except Unreachable as error:
            self.say(f"{error.message}: what came and went while no loop was up waits until the accounting answers")
            return None
        except Refused as error:
            self.say(f"{error.message}: what came and went while no loop was up is not known")
            return []
        return [one for one in records if one.phase == "over" and (one.end_s or 0.0) >= moment_s]

    def say(self, words: str) -> None:
        """Say a trouble once."""
        if self.trouble != words:
            self.books.odd.append(words)
        self.trouble = words
