"""Who may do what: a person with his own jobs, operators with all; who acts is known from the operating system."""

from collections.abc import Sequence

from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_requests import QUESTIONS
from schedmate.history.live_rows import LiveRow, Request
from schedmate.history.trail import FACT
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.tools.accounts import groups_of, my_account

THROUGH = " via web ("
"""What follows an account where its word came through a page: whose token it was, and from where."""


def account_of(actor: str) -> str:
    """Give the account that is judged; only its own processes could say what follows."""
    return actor.partition(THROUGH)[0]


class Forbidden(SchedMateError):
    """Say that somebody asks for what is not his to ask."""


class Rights:
    """Judges by accounts; a group counts as it is now."""

    def __init__(self, operators: Sequence[str]) -> None:
        self.accounts = {name for name in operators if not name.startswith("@")} | {my_account()}
        self.groups = {name.removeprefix("@") for name in operators if name.startswith("@")}

    def is_operator(self, actor: str) -> bool:
        """Tell whether somebody may act on everybody's jobs: those who are named, and whose the loop is."""
        name = account_of(actor)
        return name in self.accounts or bool(self.groups and self.groups & groups_of(name))

    def owns(self, actor: str, row: LiveRow) -> bool:
        """Tell whether a job is somebody's own: he handed it in, or it was handed in for him."""
        return bool(actor) and account_of(actor) in (row.account or row.user, row.user)

    def require_own(self, actor: str, row: LiveRow, what: str) -> None:
        """Refuse what only the owner of a job and operators may do."""
        if not (self.owns(actor, row) or self.is_operator(actor)):
            raise Forbidden(
                f"{actor or 'nobody'} may not {what} job {row.job_id}: it is {row.user}'s",
                "its owner can, and so can operators (operators in policy.toml)",
            )

    def require_operator(self, actor: str, what: str) -> None:
        """Refuse what only operators may do."""
        if not self.is_operator(actor):
            raise Forbidden(f"{actor or 'nobody'} may not {what}", "operators can (operators in policy.toml)")

    def judge(self, request: Request, store: LiveStore) -> None:
        """Refuse what is another's to ask; a step that harms no node is its job's owner's affair, too."""
        if request.kind in QUESTIONS:
            return
        words = request.kind.replace("-", " the ")
        if request.kind in ("cancel", "release"):
            self.require_own(request.actor, store.job(request.target), words)
            return
        step = next((row for row in store.actions() if row.id == request.target and row.place != FACT), None)
        if step is not None and request.kind in ("approve", "reject", "undo") and STEPS[step.kind].radius != "node":
            self.require_own(request.actor, store.job(step.job), f"{words} what is done about")
            return
        self.require_operator(request.actor, f"{words} action {request.target}" if request.target else words)
