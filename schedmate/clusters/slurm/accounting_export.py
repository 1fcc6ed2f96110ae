"""Slurm's accounting as the table that the history's importer reads, asked for a week at a time."""

from collections.abc import Callable
from typing import IO

from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.versions import known_of

FIELDS = (
    "JobID", "JobName", "User", "Partition", "State", "Submit", "Start", "End", "ElapsedRaw", "AllocTRES", "ReqTRES",
    "NNodes", "NodeList", "TimelimitRaw", "TRESUsageInMax", "TRESUsageInAve", "TRESUsageInTot", "WorkDir", "SubmitLine",
)  # fmt: skip
WEEK_S = 7 * 86_400.0
LIMIT_S = 600.0


def write_table(
    file: IO[str], since_s: float, until_s: float, advance: Callable[[int, int], None], commands: Commands | None = None
) -> None:
    """Write all jobs that waited, ran or ended in a span of time, one a line whatever they are called.

    One that spans two weeks stands there twice; the importer knows it again.
    """
    asked = commands or Commands(LIMIT_S)
    weeks = max(1, -int(-(until_s - since_s) // WEEK_S))
    fields = known_of(FIELDS)
    file.write("|".join(fields) + "\n")
    for week in range(weeks):
        start_s, end_s = since_s + week * WEEK_S, min(until_s, since_s + (week + 1) * WEEK_S)
        span = (f"--starttime={stamp(start_s)}", f"--endtime={stamp(end_s)}")
        for row in asked.table("sacct", fields, "-a", "-n", *span, letters=True):
            file.write("|".join(" ".join(value.replace("|", " ").split()) for value in row) + "\n")
        advance(week + 1, weeks)


def stamp(moment_s: float) -> str:
    """Write a moment as every version of Slurm takes it, in whatever zone, in the night too in which clocks go back."""
    return f"uts{max(moment_s, 1e6):.0f}"
