"""Failures by class, user, queue and week, and what they cost."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from schedmate.knowledge.own_limits import is_own_limit
from schedmate.reports.findings import Ended, Group, Repeat, Root, Week
from schedmate.reports.past import Floats, Ints, Mask, Past

WEEK_S, DAY_S = 7 * 86_400.0, 86_400.0

FIRST_MONDAY_S = 4 * DAY_S
"""Weeks begin on Mondays; the first of 1970 was the fifth of January."""
EPOCHAL_S = 1e8
NOT_READ, ONE, BY_NODE = "not diagnosed", "out of memory", "node lost"
BY_LIMIT, UNKNOWN = "time limit", "unknown"
MOST = 20
LEAST_REPEATS = 3


class Costs:
    """What each failure cost, and how its class is known."""

    def __init__(self, past: Past, saved_every_s: float) -> None:
        self.past = past
        self.failed: Mask = past.failed
        self.gpu_hours = past.gpu_hours
        ran_s = np.nan_to_num(past["ran_s"])
        lost_s = np.where(ran_s > saved_every_s, saved_every_s / 2, ran_s)
        for place, told_s in past.lost_s.items():
            lost_s[place] = min(told_s, ran_s[place])
        self.lost_gpu_hours: Floats = past.held * lost_s / 3600
        self.away_hours, self.idle_hours = away_hours(past, self.failed)
        self.classes, self.names = classes(past, self.failed)

    def groups(self, codes: Ints, names: Sequence[str], most: int = MOST) -> tuple[Group, ...]:
        """Add up by group, the dearest first."""
        count = len(names)
        failed = self.failed
        picked = codes[failed]
        failures = np.bincount(picked, minlength=count)
        jobs = np.bincount(codes, minlength=count)
        hours = np.bincount(picked, self.gpu_hours[failed], count)
        lost = np.bincount(picked, self.lost_gpu_hours[failed], count)
        away = np.bincount(picked, self.away_hours[failed], count)
        order = sorted(np.flatnonzero(failures).tolist(), key=lambda g: (-hours[g], -failures[g], names[g]))
        return tuple(
            Group(
                name=names[g] or UNKNOWN,
                failures=int(failures[g]),
                jobs=int(jobs[g]),
                gpu_hours=round(float(hours[g]), 2),
                lost_gpu_hours=round(float(lost[g]), 2),
                away_hours=round(float(away[g]), 2),
            )
            for g in order[:most]
        )

    def by(self, name: str) -> tuple[Group, ...]:
        """Add up by a word of the jobs."""
        return self.groups(self.past.codes[name].astype(np.int64), self.past.words[name])

    def by_class(self) -> tuple[Group, ...]:
        """Add up by class; jobs that ended well are of none."""
        groups = self.groups(np.where(self.classes < 0, len(self.names), self.classes), [*self.names, ""])
        return tuple(group.model_copy(update={"jobs": group.failures}) for group in groups)

    def by_failure(self) -> tuple[Group, ...]:
        """Add up by failure, where logs were read."""
        ids = sorted({found.failure_id for found in self.past.found.values() if found.failure_id})
        if not ids:
            return ()
        numbers = {name: place for place, name in enumerate(ids)}
        codes = np.full(len(self.past), len(ids), np.int64)
        for place, found in self.past.found.items():
            codes[place] = numbers.get(found.failure_id, len(ids))
        told = self.groups(codes, [*ids, UNKNOWN])
        return tuple(group for group in told if group.name != UNKNOWN)


def classes(past: Past, failed: Mask) -> tuple[Ints, list[str]]:
    """Class each failure: by its diagnosis, else by what the scheduler itself knows, else not at all."""
    names = ["infrastructure", "framework", "script", "other", BY_NODE, ONE, BY_LIMIT, NOT_READ]
    told = np.full(len(past), -1, np.int64)
    told[failed] = names.index(NOT_READ)
    told[failed & past.having("status", "timeout")] = names.index(BY_LIMIT)
    told[failed & past.having("state", "OUT_OF_MEMORY", "OOMKilled")] = names.index(ONE)
    told[failed & past.having("status", "node_fail")] = names.index(BY_NODE)
    for place, found in past.found.items():
        if failed[place] and found.category in names:
            own = found.category == "infrastructure" and is_own_limit(found.failure_id)
            told[place] = names.index(ONE if own else found.category)
    return told, names


def away_hours(past: Past, failed: Mask) -> tuple[Floats, Floats]:
    """Give the hours from each failure until the same thing started again, and until it was handed in again.

    Both are 0 where it did not start within a week.
    """
    away, idle = np.zeros(len(past)), np.zeros(len(past))
    start_s, over_s = past["start_s"], past.over_s
    usable = (past.thing != 0) & ~np.isnan(start_s)
    if not usable.any():
        return away, idle
    _, things = np.unique(past.thing[usable], return_inverse=True)
    least_s = float(np.nanmin(start_s))
    span_s = float(np.nanmax(over_s)) - least_s + 2 * WEEK_S
    line = things * span_s + (start_s[usable] - least_s)
    order = np.argsort(line)
    asked = failed[usable] & ~np.isnan(over_s[usable])
    at = (things * span_s + (over_s[usable] - least_s))[asked]
    following = np.searchsorted(line, at, side="left", sorter=order)
    comes = following < len(order)
    chosen = order[np.minimum(following, len(order) - 1)]
    gap_s = np.where(comes, line[chosen] - at, np.inf)
    wait_s = np.nan_to_num((start_s - past["submit_s"])[usable][chosen])
    again = gap_s <= WEEK_S
    places = np.flatnonzero(usable)[asked]
    away[places] = np.where(again, gap_s, 0.0) / 3600
    idle[places] = np.where(again, np.maximum(gap_s - np.maximum(wait_s, 0.0), 0.0), 0.0) / 3600
    return away, idle


def ends(past: Past) -> tuple[Ended, ...]:
    """Count how jobs ended, with what they took."""
    codes, words = past.codes["status"], past.words["status"]
    jobs, hours = np.bincount(codes, minlength=len(words)), np.bincount(codes, past.gpu_hours, len(words))
    every, all_hours = max(int(jobs.sum()), 1), max(float(hours.sum()), 1e-9)
    return tuple(
        Ended(
            status=words[g],
            jobs=int(jobs[g]),
            share=round(int(jobs[g]) / every, 4),
            gpu_hours=round(float(hours[g]), 2),
            gpu_hours_share=round(float(hours[g]) / all_hours, 4),
        )
        for g in sorted(range(len(words)), key=lambda g: -jobs[g])
        if jobs[g]
    )


def weeks(past: Past, costs: Costs) -> tuple[Week, ...]:
    """Follow the site over time, by the week in which each job ended."""
    over_s = past.over_s
    known = ~np.isnan(over_s)
    if not known.any():
        return ()
    shift_s = FIRST_MONDAY_S if float(np.nanmin(over_s)) > EPOCHAL_S else 0.0
    number = np.where(known, np.floor((np.nan_to_num(over_s) - shift_s) / WEEK_S), 0).astype(np.int64)
    first = int(number[known].min())
    number -= first
    count = int(number[known].max()) + 1
    waited_s = past["start_s"] - past["submit_s"]
    waits = known & (waited_s >= 0)
    waiting, sums = np.bincount(number[waits], minlength=count), np.bincount(number[waits], waited_s[waits], count)
    jobs = np.bincount(number[known], minlength=count)
    hours = np.bincount(number[known], past.gpu_hours[known], count)
    failed = known & costs.failed
    failures = np.bincount(number[failed], minlength=count)
    dear = {
        name: np.bincount(number[one], costs.gpu_hours[one], count)
        for place, name in enumerate(costs.names)
        if (one := failed & (costs.classes == place)).any()
    }
    return tuple(
        Week(
            begins=day((first + week) * WEEK_S + shift_s),
            jobs=int(jobs[week]),
            gpu_hours=round(float(hours[week]), 2),
            failures=int(failures[week]),
            failed_gpu_hours={name: round(float(values[week]), 2) for name, values in dear.items()},
            mean_wait_s=round(float(sums[week] / waiting[week]), 1) if waiting[week] else None,
        )
        for week in range(count)
    )


def day(moment_s: float) -> str:
    """Write a date; where times count from a trace's own beginning, the day's number."""
    if moment_s != moment_s:
        return ""
    if abs(moment_s) < EPOCHAL_S:
        return f"day {moment_s / DAY_S:.0f}"
    return f"{datetime.fromtimestamp(moment_s, UTC):%Y-%m-%d}"


def roots(past: Past, costs: Costs) -> tuple[Root, ...]:
    """Group failures by what their logs say came first."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, found in past.found.items():
        if costs.failed[place] and (found.failure_id or found.root):
            key = (found.failure_id, "" if found.failure_id else found.root)
            groups.setdefault(key, []).append(place)
    told = []
    for (failure_id, _), places in groups.items():
        over_s = [float(past.over_s[place]) for place in places] if len(places) < 2 else past.over_s[places].tolist()
        first = past.found[places[0]]
        told.append(
            Root(
                failure_id=failure_id,
                category=first.category,
                quote=first.quote,
                failures=len(places),
                users=len({past.word("user", place) for place in places}),
                nodes=len({past.word("nodes", place) for place in places} - {""}),
                gpu_hours=round(float(costs.gpu_hours[places].sum()), 2),
                first=day(min(over_s)),
                last=day(max(over_s)),
                example=past.ids[places[0]],
            )
        )
    return tuple(sorted(told, key=lambda one: (-one.failures, -one.gpu_hours, one.quote))[:MOST])


def repeats(past: Past, costs: Costs) -> tuple[Repeat, ...]:
    """Find what was run again and again and failed each time, the dearest first."""
    usable = np.flatnonzero((past.thing != 0) & ~np.isnan(past.over_s))
    order = usable[np.lexsort((past.over_s[usable], past.thing[usable]))]
    if not len(order):
        return ()
    thing, failed = past.thing[order], costs.failed[order]
    completed = past.having("status", "completed")[order]
    hours = costs.gpu_hours[order]
    edges = [0, *(np.flatnonzero(np.diff(thing)) + 1).tolist(), len(order)]
    failures = np.add.reduceat(failed.astype(np.int64), edges[:-1])
    told = []
    for group in np.flatnonzero(failures >= LEAST_REPEATS).tolist():
        begin, end = edges[group], edges[group + 1]
        length, at = longest(failed[begin:end].tolist(), completed[begin:end].tolist())
        if length < LEAST_REPEATS:
            continue
        place = int(order[begin + at])
        told.append(
            Repeat(
                user=past.word("user", place),
                name=past.word("name", place),
                failures=length,
                gpu_hours=round(float(hours[begin:end][failed[begin:end]].sum()), 2),
                completed=int(completed[begin:end].sum()),
                example=past.ids[place],
            )
        )
    return tuple(sorted(told, key=lambda one: (-one.gpu_hours, -one.failures, one.user, one.name))[:MOST])


def longest(failed: list[bool], completed: list[bool]) -> tuple[int, int]:
    """Give the most failures between two runs that completed, and where the last of them stands."""
    best = run = at = 0
    for place, (bad, good) in enumerate(zip(failed, completed, strict=True)):
        run = 0 if good else run + bad
        if run > best:
            best, at = run, place
    return best, at
