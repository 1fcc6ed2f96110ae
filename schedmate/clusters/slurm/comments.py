"""What SchedMate says of a job, in the job's comment; a user's own comment stays as it is."""

from schedmate.clusters.managed import Refused
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.records import JobRecord

SIGN = "schedmate:"
MOST_LETTERS = 200

OVER = "already finished"
"""What the controller says of a job that it keeps for a while; the accounting still takes a comment."""


def write_comment(commands: Commands, job: JobRecord, words: str) -> None:
    """Write a comment, or the administrator's comment where the user has one of his own."""
    plain = "".join(letter if letter.isprintable() else " " for letter in words)
    text = f"{SIGN} {' '.join(plain.split())}"[:MOST_LETTERS]
    kind = "Comment" if not job.comment or job.comment.startswith(SIGN) else "AdminComment"
    try:
        commands.run("scontrol", "update", f"JobId={job.name}", f"{kind}={text}")
    except Refused as error:
        if OVER not in error.message.lower() and "invalid job id" not in error.message.lower():
            raise
        accounted = text.replace("'", "").replace('"', "")
        commands.run("sacctmgr", "-i", "modify", "job", "where", f"JobId={job.raw}", "set", f"{kind}={accounted}")
