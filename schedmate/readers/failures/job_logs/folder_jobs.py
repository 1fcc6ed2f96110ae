"""Tell the logs of one job's ranks from the logs of many jobs, where both may lie in one folder."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, takewhile
from pathlib import PurePath
from typing import Literal, NamedTuple

import re2

from schedmate.counts import how_many
from schedmate.readers.failures.job_logs.head_and_tail import Glance, glance
from schedmate.readers.failures.job_logs.log_files import find_logs
from schedmate.readers.failures.job_logs.log_names import MOST_RANKS_A_LOG, LogName, read_name

Taken = Literal["auto", "one job", "each"]

TOGETHER_S = 600.0
"""Ranks of one job begin within some minutes of each other, however slow their nodes are."""


class JobLogs(NamedTuple):
    """The logs of one job, and what they are called together."""

    name: str
    paths: tuple[str, ...]


class LogFolder(NamedTuple):
    """The jobs whose logs lie in a folder, what told them apart, and whether that was a guess."""

    jobs: tuple[JobLogs, ...]
    told_by: str = ""
    is_sure: bool = True

    def note(self, path: str) -> str:
        """Say to a person how the logs were sorted; nothing where there was nothing to sort."""
        count, logs = len(self.jobs), sum(len(job.paths) for job in self.jobs)
        if count > 1 and self.is_sure:
            return f"one of {how_many(count, 'job')} whose logs lie in {path}, by {self.told_by}"
        if count > 1:
            guess = f"a guess by {self.told_by or 'their names'}"
            said = f"one of {how_many(count, 'job')} whose logs lie in {path}: {guess}"
            return f"{said}; --one-job reads them all ({how_many(logs, 'log')}) as one job's"
        if logs > 1 and not self.is_sure:
            taken = f"taken for one job's by {self.told_by}; --each takes each alone"
            return f"{path} holds {how_many(logs, 'log')}, {taken}"
        return ""


@dataclass(slots=True)
class LogGroup:
    """Logs taken for one job's, while that is being found out."""

    logs: list[Glance]
    job: str = ""
    is_labelled: bool = False
    family: str = ""
    """what all logs that were told from these by more than their names share with them"""


def jobs_in(path: str, taken_as: Taken = "auto") -> LogFolder:
    """Say which jobs' logs a path stands for; a person may have said that they are one job's, or one job each."""
    paths = find_logs(path)
    if taken_as == "each":
        return LogFolder(tuple(JobLogs(one, (one,)) for one in paths), "what was asked for")
    if taken_as == "one job" or not os.path.isdir(path):
        return LogFolder((JobLogs(path, tuple(paths)),), "what was asked for")
    return jobs_of(path, paths)


def jobs_of(path: str, paths: Sequence[str]) -> LogFolder:
    """Sort the logs that were found under a path into jobs: by ids, names, times, and by numbers last of all."""
    names = [read_name(one, path) for one in paths]
    if len(paths) < 2 or (all(name.is_labelled and not name.job for name in names) and len(families(names)) == 1):
        return LogFolder((JobLogs(path, tuple(paths)),))
    logs = [glance(name) for name in names]
    machines = [log for log in logs if log.name.is_machines]
    groups, told_by, is_sure = by_ids_and_names([log for log in logs if not log.name.is_machines])
    groups = with_launcher(groups)
    if machines and len(groups) == 1:
        groups[0].logs += machines
    else:
        groups += [LogGroup([log]) for log in machines]
    if len(groups) == 1:
        return LogFolder((JobLogs(path, tuple(log.name.path for log in groups[0].logs)),), told_by, is_sure)
    apart = all(are_apart(one, other) for one, other in combinations(groups, 2))
    jobs = (JobLogs(name, tuple(files_of(group))) for name, group in zip(names_of(groups, path), groups, strict=True))
    return LogFolder(
        tuple(sorted(jobs, key=lambda job: natural(job.name))), told_by, is_sure and (apart or told(groups))
    )


def families(names: Iterable[LogName]) -> set[str]:
    """List what the names have in common but for their ranks."""
    return {name.family for name in names}


def by_ids_and_names(logs: Sequence[Glance]) -> tuple[list[LogGroup], str, bool]:
    """Put logs together that name or state one job, then those that only their rank tells apart."""
    named, rest = collected(logs, lambda log: log.name.job)
    groups = [LogGroup(members, job) for job, members in named.items()]
    reasons = ["their job ids"] if named else []
    is_sure = True
    for members in collected(rest, lambda log: log.name.family)[0].values():
        jobs, unstated = collected(members, lambda log: log.job)
        labelled = any(log.name.is_labelled for log in members)
        if len(jobs) > 1:
            groups += [LogGroup(of_job, job) for job, of_job in jobs.items()] + [LogGroup([log]) for log in unstated]
            together, reason, sure = False, "their job ids", not unstated
        else:
            together, reason, sure = (True, "their names", True) if labelled else one_job(members)
            parts = [members] if together else by_number(members)
            family = members[0].name.family
            groups += [
                LogGroup(part, next((log.job for log in part if log.job), ""), labelled, family) for part in parts
            ]
        reasons += [reason] if reason not in reasons else []
        is_sure = is_sure and sure
    return merged(groups), " and ".join(reasons), is_sure


def by_number(logs: Iterable[Glance]) -> list[list[Glance]]:
    """Put logs of one number together: a job's output and its errors."""
    groups: dict[int | None, list[Glance]] = {}
    for log in logs:
        groups.setdefault(log.name.rank, []).append(log)
    return list(groups.values())


def merged(groups: Iterable[LogGroup]) -> list[LogGroup]:
    """Put groups together that are known to be of one job."""
    known: dict[str, LogGroup] = {}
    rest = []
    for group in groups:
        if group.job in known:
            known[group.job].logs += group.logs
            known[group.job].is_labelled |= group.is_labelled
        elif group.job:
            known[group.job] = group
        else:
            rest.append(group)
    return [*known.values(), *rest]


def collected(logs: Iterable[Glance], key: Callable[[Glance], str]) -> tuple[dict[str, list[Glance]], list[Glance]]:
    """Group logs by a key; those without one are given beside."""
    groups: dict[str, list[Glance]] = {}
    rest = []
    for log in logs:
        if value := key(log):
            groups.setdefault(value, []).append(log)
        else:
            rest.append(log)
    return groups, rest


def one_job(logs: Sequence[Glance]) -> tuple[bool, str, bool]:
    """Tell whether logs whose names differ in one number are ranks of a job: by their ranks, times, numbers."""
    numbers = {log.name.rank for log in logs}
    if len(numbers) < 2:  # a job's output and its errors, or a log by itself
        return True, "their names", True
    if all(log.name.is_experiment for log in logs):
        return False, "their names", all(ended_before(one, other) for one, other in pairwise(logs))
    ranked = [log for log in logs if log.ranks]
    if any(one.ranks & other.ranks for one, other in combinations(ranked[:50], 2) if one.name.rank != other.name.rank):
        return False, "the ranks in them", True
    starts = [log.first_s for log in logs if log.first_s is not None]
    if len(starts) > 1:
        together = max(starts) - min(starts) <= TOGETHER_S and not any(
            ended_before(one, other) for one, other in combinations(logs[:50], 2)
        )
        return together, "their times", not together and len(starts) == len(logs)
    counted = [number or 0 for number in numbers]
    likely = min(counted) <= 1 and max(counted) < MOST_RANKS_A_LOG * len(counted)  # ranks and nodes count from 0 or 1
    return likely, "their numbers alone", False


def with_launcher(groups: list[LogGroup]) -> list[LogGroup]:
    """Put a job's own output, which alone bears its id, and the logs of its ranks together."""
    known = [group for group in groups if group.job]
    ranks = [group for group in groups if group.is_labelled and not group.job]
    if len(known) == 1 == len(ranks) and len(groups) == 2 and not are_apart(known[0], ranks[0]):
        return [LogGroup(known[0].logs + ranks[0].logs, known[0].job, True)]
    return groups


def files_of(group: LogGroup) -> list[str]:
    """List a group's logs in the order of their names."""
    return sorted((log.name.path for log in group.logs), key=natural)


def told(groups: Sequence[LogGroup]) -> bool:
    """Tell whether every group but one is known by a job's id."""
    return sum(not group.job for group in groups) <= 1


def are_apart(one: LogGroup, other: LogGroup) -> bool:
    """Tell whether two groups cannot be one job's: by their ids, by what was settled before, or by their times."""
    if (one.job and other.job) or (one.family and one.family == other.family):
        return True
    pairs = [(a, b) for a in one.logs[:20] for b in other.logs[:20]]
    return bool(pairs) and all(ended_before(a, b) for a, b in pairs)


def ended_before(one: Glance, other: Glance) -> bool:
    """Tell whether either log had ended when the other began."""
    return any(
        a.last_s is not None and b.first_s is not None and a.last_s < b.first_s for a, b in ((one, other), (other, one))
    )


def names_of(groups: Sequence[LogGroup], folder: str) -> list[str]:
    """Name each job so that nobody takes it for another: by its log, its folder, its id, what its logs begin with."""
    files = [files_of(group) for group in groups]
    holders = Counter(place for paths in files for place in {above for path in paths for above in folders_of(path)})
    names = []
    for group, paths in zip(groups, files, strict=True):
        name = called(paths, folder)
        if len(paths) > 1 and holders[name] > 1:  # others' logs lie in that folder, too
            name = stem_of(paths)
        if len(paths) > 1 and group.job and group.job not in os.path.basename(name):
            place = os.path.join(os.path.dirname(name), "*") if name.endswith("*") else name
            name = f"{place} (job {group.job})"
        names.append(name)
    alike = Counter(names)
    return [
        f"{paths[0]} and {len(paths) - 1} more" if alike[name] > 1 or name == f"{os.path.join(folder, '')}*" else name
        for name, paths in zip(names, files, strict=True)
    ]


def folders_of(path: str) -> list[str]:
    """List the folders that a log lies in, up to the first."""
    return [str(one) for one in PurePath(path).parents]


def called(paths: Sequence[str], folder: str = "") -> str:
    """Name a job by its log, by the folder that holds all of them, or by what their paths begin with."""
    if len(paths) == 1:
        return paths[0]
    shared = os.path.commonpath(paths)
    inside = folder and shared != os.path.normpath(folder)
    return shared if inside else stem_of(paths)


def stem_of(paths: Sequence[str]) -> str:
    """Write what paths begin with."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*paths, strict=False))
    return "".join(letters[0] for letters in alike) + "*"


def natural(name: str) -> list[tuple[int, str]]:
    """Order names as people do, 9 before 10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re2.split(r"(\d+)", name) if part]
