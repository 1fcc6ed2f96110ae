"""When something is wrong with a job that still may run: rules over what was read, each a plain function."""

import math
from collections.abc import Iterator, Sequence
from statistics import median

from schedmate.tools.time_spans import span
from schedmate.watching.events import Kind
from schedmate.watching.job import Log, WatchedJob

STALL_GAPS = 10.0
"""So many times the usual time between two reports without one is no pause any more."""
LONGER = 1.5
"""So much longer than a pause that a job has come through is none any more."""
MOST_PATIENCE_S = 1800.0

PAUSES = 2.0
"""A job that evaluates or saves may take so much longer."""
DIVERGED_LAST, DIVERGED_BEFORE, DIVERGED_RATIO = 8, 24, 3.0
SLOWER_RATIO = 1.5
BEHIND_REPORTS = 3
NEAR_END = 0.995


def patience_s(log: Log, least_s: float) -> float | None:
    """Give how long this log may stand still; None while nothing is known of its pace."""
    usual_s = log.usual_s
    if usual_s is None or not log.step[0]:
        return None
    pause = PAUSES if log.metrics.phase in {"eval", "checkpoint"} else 1.0
    return pause * max(least_s, STALL_GAPS * usual_s, min(LONGER * log.pause_s, MOST_PATIENCE_S))


def stands_still(job: WatchedJob, now_s: float, least_s: float) -> bool:
    """Tell whether no log of a job has moved on for much longer than is usual; other output is a sign of life."""
    log = job.leader
    limit_s = patience_s(log, least_s)
    if limit_s is None or now_s - log.moved_s <= limit_s:
        return False
    return now_s - job.grew_s > limit_s or job.trouble


def may_go_on(job: WatchedJob, now_s: float, least_s: float) -> bool:
    """Tell whether a job has reported steps, and the next is not late yet."""
    limit_s = patience_s(job.leader, least_s)
    return limit_s is not None and now_s - job.leader.moved_s <= limit_s


def is_at_its_end(log: Log) -> bool:
    """Tell whether the counter has come to the end that it names."""
    metrics = log.metrics
    if metrics.phase == "done":
        return True
    ends = ((metrics.step, metrics.total_steps), (metrics.epoch, metrics.total_epochs))
    return any(at is not None and total and at >= NEAR_END * total for at, total in ends)


def is_unfinished(log: Log) -> bool:
    """Tell whether the log names an end that is still far."""
    metrics = log.metrics
    return bool(metrics.total_steps or metrics.total_epochs) and not is_at_its_end(log)


def odd_loss(log: Log) -> str:
    """Say that the loss is no number, where it is none."""
    return next((note for note in log.metrics.notes if note.startswith("loss is ")), "")


def divergence(losses: Sequence[float]) -> str:
    """Say that the loss has gone up for good; a single peak is none, and a loss below zero has no ratio."""
    if len(losses) < DIVERGED_LAST + DIVERGED_BEFORE or min(losses) <= 0:
        return ""
    late, before = [*losses][-DIVERGED_LAST:], [*losses][:-DIVERGED_LAST]
    was = median(before)
    if min(late) < DIVERGED_RATIO * was or not math.isfinite(median(late)):
        return ""
    return f"loss {median(late):.4g} over the last {DIVERGED_LAST} reports, {was:.4g} before"


def slowdown(log: Log, least_s: float) -> str:
    """Say that steps take much longer than they did, and not for a moment only: storage may be slow for one."""
    change = log.watched.slowdown()
    if change is None or not change.is_slower or change.ratio < SLOWER_RATIO:
        return ""
    if not log.tracker.pace.speed.stays_slower(change, SLOWER_RATIO, least_s):
        return ""
    return f"a step takes {change.ratio:.2g} times what it took ({1 / change.before_per_s:.3g} s)"


def behind(job: WatchedJob, now_s: float, least_s: float) -> str:
    """Say which log of a job stands still while the others go on."""
    logs = [furthest for furthest, *_ in job.ranks.values() if furthest.step[0]]
    leader = job.leader
    gap_s, pace_s = leader.usual_s, patience_s(leader, least_s)
    if len(logs) < 2 or gap_s is None or pace_s is None or now_s - leader.moved_s > pace_s / 2:
        return ""
    for log in logs:
        stood_s = now_s - log.moved_s
        if stood_s > pace_s and leader.moved_s - log.moved_s > BEHIND_REPORTS * gap_s:
            at, others = log.step[1], leader.step[1]
            return f"{log.path} fell behind: at step {at:g} for {span(stood_s)}, the others are at {others:g}"
    return ""


def troubles(job: WatchedJob, now_s: float, least_s: float) -> Iterator[tuple[Kind, str]]:
    """Give what is wrong with a job that runs, in words."""
    log = job.leader
    found: tuple[tuple[Kind, str], ...] = (
        ("not_a_number", odd_loss(log)),
        ("diverged", divergence(log.losses)),
        ("slower", slowdown(log, least_s)),
    )
    yield from ((kind, f"{log.path}: {words}") for kind, words in found if words)
    if words := behind(job, now_s, least_s):
        yield "behind", words
