"""A report, put together out of the site's past."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.reports import recovering, replaying
from schedmate.reports.failures import Costs, day, ends, repeats, roots, weeks
from schedmate.reports.findings import Report
from schedmate.reports.forecasting import forecast
from schedmate.reports.nodes import nodes
from schedmate.reports.past import Past
from schedmate.reports.waits import gpus_asked, limits, memory_asked, typical, waits, waits_by_user
from schedmate.scheduling.policy_table import COMPARED

DAY_S = 86_400.0


@dataclass(frozen=True)
class ReportOptions:
    """What a report is to assume and to play."""

    saved_every_s: float = 1800.0
    nodes: str = ""
    """The cluster, as 16x8:a100; empty: as large as the records show."""
    policies: Sequence[str] = COMPARED
    """Empty: nothing is replayed."""


def make_report(
    past: Past,
    sources: Sequence[str],
    asked: ReportOptions,
    notes: Sequence[str] = (),
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Count, compare and replay."""
    if not len(past):
        raise InputError("there are no jobs to report on", "see: schedmate report --help; or a longer --since")
    costs = Costs(past, asked.saved_every_s)
    failed, over_s, came_s = costs.failed, past.over_s, past.came_s
    since_s, until_s = float(np.nanmin(came_s)), float(np.nanmax(over_s))
    played = None
    if asked.policies:
        played = replaying.what_if(past, asked.nodes, asked.policies, tell).model_copy(
            update={"recovery": recovering.recovery(past, costs)}
        )
    return Report(
        sources=tuple(sources),
        since=day(since_s),
        until=day(until_s),
        days=round((until_s - since_s) / DAY_S, 2),
        jobs=len(past),
        users=len(set(past.words["user"]) - {""}),
        gpu_hours=round(float(past.gpu_hours.sum()), 2),
        failures=int(failed.sum()),
        failed_gpu_hours=round(float(costs.gpu_hours[failed].sum()), 2),
        lost_gpu_hours=round(float(costs.lost_gpu_hours[failed].sum()), 2),
        saves_told=sum(bool(failed[place]) for place in past.lost_s),
        diagnosed=sum(bool(failed[place]) for place in past.found),
        typical=typical(past),
        ends=ends(past),
        by_class=costs.by_class(),
        by_failure=costs.by_failure(),
        by_user=costs.by("user"),
        by_queue=costs.by("vc"),
        weeks=weeks(past, costs),
        nodes=nodes(past, failed),
        roots=roots(past, costs),
        repeats=repeats(past, costs),
        waits=waits(past),
        waits_by_user=waits_by_user(past),
        gpus_asked=gpus_asked(past),
        memory_asked=memory_asked(past),
        limits=limits(past),
        forecast=forecast(past),
        what_if=played,
        assumptions=assumed(asked),
        notes=tuple(notes),
    )


def assumed(asked: ReportOptions) -> tuple[str, ...]:
    """Name what the figures rest on beside the records."""
    minutes = how_many(asked.saved_every_s / 60, "minute")
    always = (
        "a failure is a job that failed, lost its node or ran into its time limit; who cancels may have had what he "
        "wanted",
        "lost: from the last save that a failed run's log tells of to the end of that log; where none is told, half of "
        f"{minutes} of the run, all of it where it was shorter, as if jobs saved every {minutes} "
        "(--saved-every); at the most all that the failed runs took",
        "runs of the same thing: the same command, directory and user; where no command is known, the same name, "
        "directory, user and number of GPUs",
    )
    played = (*replaying.ASSUMED, *recovering.ASSUMED) if asked.policies else ()
    return (*always, *played)
