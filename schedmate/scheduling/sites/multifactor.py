"""Slurm's multifactor priority: weights, and where they stand in slurm.conf."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.slurm_conf import conf_lines
from schedmate.errors import InputError
from schedmate.scheduling.sites.accounts import SiteAccounts
from schedmate.scheduling.sites.fair_share import FairShare

DAY_S = 86_400.0
MOST = 1e12
EXAMPLE = "as in: age=1000,fairshare=10000,half_life_d=7; or a slurm.conf"


@dataclass(frozen=True)
class Weights:
    """What counts how much; the defaults are those of the example in Slurm's manual."""

    age: float = 1000.0
    fairshare: float = 10_000.0
    size: float = 1000.0
    partition: float = 1000.0
    qos: float = 0.0
    max_age_d: float = 7.0
    half_life_d: float = 7.0
    """Days in which use fades to half; 0: it never does."""
    damping: float = 1.0
    favor_small: float = 0.0
    classic: float = 0.0
    """1: the older formula of fair share instead of Fair Tree."""
    partitions: Mapping[str, float] = field(default_factory=dict)
    """The partitions' own factors; where none is known they are all alike."""


SETTINGS = {
    "priorityweightage": "age",
    "priorityweightfairshare": "fairshare",
    "priorityweightjobsize": "size",
    "priorityweightpartition": "partition",
    "priorityweightqos": "qos",
    "prioritymaxage": "max_age_d",
    "prioritydecayhalflife": "half_life_d",
    "fairsharedampeningfactor": "damping",
    "priorityfavorsmall": "favor_small",
}
"""How slurm.conf calls them; it is not particular about capitals."""


def read_weights(text: str) -> Weights:
    """Read NAME=NUMBER pairs, or the words of a slurm.conf."""
    if text.endswith(".conf"):
        return weights_of_conf(Path(text))
    known = {one.name for one in fields(Weights)} - {"partitions"}
    found: dict[str, Any] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = pair.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if name not in known or not 0 <= number < MOST:
            raise InputError(
                f"priority '{pair[:80]}' is not NAME=NUMBER", f"{EXAMPLE}; names: {', '.join(sorted(known))}"
            )
        found[name] = number
    return check(replace(Weights(), **found))


def weights_of_conf(path: Path) -> Weights:
    """Take what a slurm.conf sets; what it does not set is 0, as in Slurm, and with priority/basic all is."""
    found: dict[str, Any] = {"age": 0.0, "fairshare": 0.0, "size": 0.0, "partition": 0.0, "qos": 0.0}
    partitions: dict[str, float] = {}
    basic = False
    for words in conf_lines(path):
        for word, name in SETTINGS.items():
            if word in words:
                found[name] = number_of(words[word], path, word)
        if "prioritytype" in words:
            basic = words["prioritytype"].lower().endswith("basic")
        if "NO_FAIR_TREE" in words.get("priorityflags", "").upper():
            found["classic"] = 1.0
        if "partitionname" in words and words["partitionname"].upper() != "DEFAULT":
            partitions[words["partitionname"]] = number_of(
                words.get("priorityjobfactor", "1"), path, "PriorityJobFactor"
            )
    if basic:
        found |= dict.fromkeys(("age", "fairshare", "size", "partition", "qos"), 0.0)
    return check(replace(Weights(), partitions=partitions, **found))


def number_of(text: str, path: Path, name: str) -> float:
    """Read a number, YES or NO, or a time as days-hours or days."""
    if text.upper() in {"YES", "NO"}:
        return float(text.upper() == "YES")
    days, dash, rest = text.partition("-")
    try:
        hours, minutes, seconds = ([*map(float, rest.split(":")), 0.0, 0.0, 0.0] if dash else [0.0] * 3)[:3]
        return float(days) + hours / 24 + minutes / 1440 + seconds / 86_400
    except ValueError as error:
        raise InputError(f"{path}: {name} is {text[:80]!r}, not a number or a time as 7-0", EXAMPLE) from error


def check(weights: Weights) -> Weights:
    """Refuse what would divide by nothing."""
    if not weights.max_age_d > 0 or not weights.damping > 0:
        raise InputError("max_age_d and damping must be above 0", EXAMPLE)
    return weights


class Priority:
    """Works out what a job's turn is worth."""

    def __init__(self, weights: Weights, site: SiteAccounts, shares: FairShare) -> None:
        self.weights, self.site, self.shares = weights, site, shares
        self.most_qos = max((one.priority for one in site.qos.values()), default=0.0)
        self.most_partition = max(weights.partitions.values(), default=0.0)

    def of(self, job: LiveJob, now_s: float, total_gpus: int, partition: str) -> float:
        """Add the factors, each from 0 to 1, by their weights."""
        by = self.weights
        age = min((now_s - job.submit_s) / (by.max_age_d * DAY_S), 1.0)
        size = min(job.gpus / max(total_gpus, 1), 1.0)
        worth = by.age * age + by.size * (1 - size if by.favor_small else size)
        if by.fairshare:
            worth += by.fairshare * self.shares.factor(job.account, job.user)
        if by.qos and self.most_qos and job.qos in self.site.qos:
            worth += by.qos * self.site.qos[job.qos].priority / self.most_qos
        if by.partition and self.most_partition:
            worth += by.partition * by.partitions.get(partition, 0.0) / self.most_partition
        return worth
