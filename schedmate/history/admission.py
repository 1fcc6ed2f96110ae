"""The Admission Analyzer: is this job a run of something that has run before? No model, a millisecond."""

from sqlite3 import Connection

from schedmate.history.database import plain_errors
from schedmate.history.jobs import SELECT
from schedmate.history.rows import from_row, run_key
from schedmate.schemas import Job, PastJob

RECENT_DAYS = 90.0
DAY_S = 86_400.0


def find_resubmissions(
    connection: Connection,
    job: Job,
    *,
    now_s: float | None = None,
    recent_days: float = RECENT_DAYS,
    limit: int = 10,
) -> list[PastJob]:
    """Give ended runs of the same thing, latest first: same user, directory, normalised command, branch and GPUs.

    `now_s` (else the job's submission, else no bound) keeps runs out that had not ended by then. A branch or a number
    of GPUs that is not known on one side does not speak against it.
    """
    key = run_key(job)
    if key is None:
        return []
    until_s = now_s if now_s is not None else job.submit_s
    bounds = (-1e18, 1e18) if until_s is None else (until_s - recent_days * DAY_S, until_s)
    question = (
        # The plus keeps SQLite from looking through all jobs of the user, which it thinks as good.
        f"{SELECT} WHERE run_key = ? AND known_s BETWEEN ? AND ? AND +user = ? AND job_id != ?"
        " AND (branch = ? OR branch = '' OR ? = '') AND (gpus = ? OR gpus = 0 OR ? = 0)"
        " ORDER BY known_s DESC LIMIT ?"
    )
    branch, gpus = job.git_branch, job.gpus
    values = (key, *bounds, job.user, job.job_id, branch, branch, gpus, gpus, limit)
    with plain_errors():
        return [from_row(row, row["facts"]) for row in connection.execute(question, values)]
