"""A store and its loop as those ask who are not the loop: one's own, or a shared one seen through its door."""

from collections.abc import Sequence
from typing import Protocol

from schedmate.clusters.run_folders import unknown_jobs
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import ActionRow, Answer, LiveRow, Request, RunRow, State, Submission
from schedmate.history.trail import Entry, Verified
from schedmate.scheduling.live.presence import is_up, poke, require_up


class Store(Protocol):
    """What commands and pages ask; nobody asks which of the two it is."""

    def close(self) -> None:
        """Let go of it."""
        ...

    def submit(self, job: Submission, token: str, submit_s: float) -> int:
        """Hand in a job and give its number; the same token gives the same job."""
        ...

    def jobs(self, states: Sequence[State] = ()) -> list[LiveRow]:
        """List jobs in the order of submission."""
        ...

    def job(self, number: int) -> LiveRow:
        """Read one job."""
        ...

    def number_of(self, name: str) -> int:
        """Give the number of a job by what its users call it."""
        ...

    def name_of(self, number: int) -> str:
        """Name a job as its users know it."""
        ...

    def runs(self, job: int) -> list[RunRow]:
        """List a job's runs."""
        ...

    def run(self, job: int, run: int) -> RunRow:
        """Read one run."""
        ...

    def open_log(self, job: int, run: int) -> int:
        """Open a run's log for reading."""
        ...

    def actions(self, *, job: int | None = None) -> list[ActionRow]:
        """List steps of recovery, as far as one may see them."""
        ...

    def trail(self, action: int) -> list[Entry]:
        """Give all that happened to a step."""
        ...

    def verify(self) -> Verified:
        """Compare the trail's digests."""
        ...

    # The loop

    def loop_is_up(self) -> bool:
        """Tell whether a loop takes what is asked."""
        ...

    def require_loop(self) -> None:
        """Refuse what only a loop can do, where none is up."""
        ...

    def wake(self) -> None:
        """Have the loop, if it is up, look at what is new at once."""
        ...

    def ask(self, kind: str, target: int = 0, argument: str = "") -> int:
        """Ask something of the loop, also of the next one; give the number of the request."""
        ...

    def answer_to(self, request: int) -> Answer | None:
        """Read the answer; None while there is none."""
        ...

    def requests(self) -> list[Request]:
        """List what was asked and not yet done; empty where only the loop may know."""
        ...

    def lost_jobs(self) -> list[int]:
        """List jobs that have run and are not here: the store was cut, restored or exchanged while no loop was up."""
        ...


class OwnStore(LiveStore):
    """A store that lies here, with the loop that may be up on it."""

    def loop_is_up(self) -> bool:
        """Tell whether one is."""
        return is_up(self.data_dir)

    def require_loop(self) -> None:
        """Say how to start one, where none is."""
        require_up(self.data_dir)

    def wake(self) -> None:
        """Wake it."""
        poke(self.data_dir)

    def lost_jobs(self) -> list[int]:
        """Compare with the folders of runs."""
        return unknown_jobs(self.data_dir / "jobs", {row.id for row in self.jobs()})
