"""What a log's path tells: which job it is of, which rank, and which logs differ in nothing but their rank."""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from schedmate.tools.late_patterns import late

TORCHRUN = late(r"(?P<launch>(?:^|.*/)[^/]*?)(?:_[a-z0-9_]{8})?/attempt_\d+/(?P<rank>\d{1,6})/std(?:out|err)\.log$")
"""RUN_ab12cd34/attempt_0/3/stderr.log: the letters behind the run's id are drawn by each node."""
NAMES_A_JOB = (
    late(r"(?:^|/)slurm-(?P<job>\d{1,12})(?:_(?P<task>\d{1,7}))?(?!\d)"),
    late(r"(?:^|[/_.-])(?:job_?id|job|jid)[_.=-]?(?P<job>\d{2,12})(?:_(?P<task>\d{1,7}))?(?!\d)", re.I),
    late(r"\.p?[oe](?P<job>\d{1,12})(?:[-.](?P<task>\d{1,7}))?$"),
    late(r"(?:^|[/_-])(?P<job>raysubmit_\w{8,})"),
    late(r"(?:^|/)(?:java-|python-core-)?worker-[0-9a-f]{20,}-(?P<job>(?!f{8})[0-9a-f]{8})[-_]\d+(?!\d)"),
)
"""Slurm's own names, arrays included; labels; PBS' and Grid Engine's NAME.o4711; Ray's submissions and workers."""
RANK = late(r"(?:^|[/_.-])(?:global_?|local_?)?(?:rank|proc|process)[_.=-]?(?P<rank>\d{1,6})(?!\d)", re.I)
ROLE = late(
    r"(?:^|(?<=[/_.-]))(?:worker|master|launcher|head|chief|ps|driver|server|trainer)(?:[_.=-]?(?P<rank>\d{1,6}))?(?![\da-z])",
    re.I,
)
PART = late(r"(?:^|[/_.-])(?:task|node|host|gpu)[_.=-]?(?P<rank>\d{1,6})(?!\d)", re.I)
NUMBER = late(r"(?<![0-9])(?P<rank>\d{1,12})$")

EXPERIMENT = late(
    r"(?:^|[/_.-])(?:seed|fold|trial|exp|experiment|run|sweep|lr|bs|ver|version|config|cfg|ablation|[sv])[_.=-]?\d{1,12}$",
    re.I,
)
"""Numbers that tell experiments apart, not the parts of one."""
STREAM = late(r"(?:^|[/_.-])(?:std)?(?:out|err|output|error)$", re.I)
SUFFIX = late(r"\.(?:gz|zst|xz|bz2|log|txt|out|err|stdout|stderr)$", re.I)

MACHINES = late(
    r"(?:dmesg|kern(?:el)?|syslog|messages|journal|fabric-?manager|nvidia-smi|slurmd|slurmctld|kubelet|opensm"
    r"|raylet|gcs_server|dashboard\w*|monitor|log_monitor|runtime_env\w*)(?:[_.-].*)?",
    re.I,
)
"""Logs of a machine or of a cluster's own services, which belong to whatever ran there."""
MOST_RANKS_A_LOG = 8
"""A number alone may be a rank where about as many logs lie beside it: launchers keep one log a node or a process."""


class LogName(NamedTuple):
    """A path taken apart; `family` is what is left of it without job, rank and stream."""

    path: str
    job: str = ""
    rank: int | None = None
    is_labelled: bool = False
    """whether the name says that the number is a rank"""
    is_experiment: bool = False
    is_machines: bool = False
    family: str = ""


def read_name(path: str, folder: str = "") -> LogName:
    """Take a log's path apart, from the folder on that it was found in."""
    inside = os.path.relpath(path, folder) if folder else path
    if match := TORCHRUN.search(inside):
        return LogName(path, rank=int(match["rank"]), is_labelled=True, family=match["launch"])
    job, rest = job_in(inside)
    while SUFFIX.search(rest):
        rest = SUFFIX.sub("", rest)
    rest = STREAM.sub("", rest)
    is_machines = bool(MACHINES.fullmatch(os.path.basename(inside)))
    found: list[int] = []
    is_labelled, is_experiment = False, bool(EXPERIMENT.search(rest))
    for pattern in (RANK, ROLE, PART):
        for match in pattern.finditer(rest):
            found += [int(match["rank"])] if match["rank"] else []
            is_labelled = is_labelled or pattern is not PART
        rest = pattern.sub("#", rest)
    if match := NUMBER.search(rest):
        found += [int(match["rank"])]
        rest = NUMBER.sub("#", rest)
    return LogName(path, job, found[0] if found else None, is_labelled, is_experiment, is_machines, rest)


def job_in(inside: str) -> tuple[str, str]:
    """Give the job that a path names, a task of an array as one of its own, and what is left of the path."""
    for pattern in NAMES_A_JOB:
        if match := pattern.search(inside):
            task = match.groupdict().get("task")
            return match["job"] + (f"_{task}" if task else ""), inside[: match.start()] + inside[match.end() :]
    return "", inside


def ranks_of(paths: Sequence[str]) -> list[int | None]:
    """Give the rank of each log of one job; a number that no label explains counts where it can be a rank."""
    if len(paths) < 2:
        return [None] * len(paths)
    names = [read_name(path, os.path.commonpath([os.path.dirname(one) or "." for one in paths])) for path in paths]
    numbers = {name.rank for name in names if not name.is_labelled and name.rank is not None}
    plausible = len(numbers) > 1 and max(numbers) < MOST_RANKS_A_LOG * len(paths)
    return [name.rank if name.is_labelled or plausible else None for name in names]
