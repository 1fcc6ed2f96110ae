"""Who may use how much, and whose share is how large: the tables of `sacctmgr --parsable2 show assoc` and `show qos`.

Account|User|Share|GrpTRES|MaxJobs          Name|Priority|MaxTRESPU|MaxJobsPU
vision||2|gres/gpu=64|                      normal|0|gres/gpu=16|4
vision|ada|1||4                             urgent|1000||1
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from schedmate.errors import InputError
from schedmate.traces.formats.table import Fields, named_rows
from schedmate.traces.rows import BadRow

GPUS = re.compile(r"(?:^|,)gres/gpu=([0-9]{1,7})(?:,|$)")
PLAYED = {"GrpTRES", "GrpJobs", "MaxTRES", "MaxJobs", "MaxTRESPU", "MaxJobsPU", "MaxTRESPA", "MaxJobsPA"}
LIMITING = re.compile(r"^(?:Grp|Max|Min)\w{1,30}$")
EXAMPLE = "give what sacctmgr --parsable2 show assoc (or show qos) prints, with its header line"
MOST_ROWS = 1_000_000
ROOT = "root"


class Cap(NamedTuple):
    """How many jobs, and GPUs, may be in use at once; None: as many as there are."""

    jobs: int | None = None
    gpus: int | None = None

    def allows(self, jobs: int, gpus: float) -> bool:
        """Tell whether so much is within it."""
        return (self.jobs is None or jobs <= self.jobs) and (self.gpus is None or gpus <= self.gpus)


FREE = Cap()


class Association(NamedTuple):
    """An account, or a user in one."""

    account: str
    user: str
    parent: str
    share: float
    together: Cap = FREE
    """What all jobs of it may have."""
    each: Cap = FREE
    """How many jobs each user of it may run, and how many GPUs one job may have."""


class Qos(NamedTuple):
    """A quality of service."""

    priority: float
    together: Cap = FREE
    a_user: Cap = FREE
    an_account: Cap = FREE
    a_job: Cap = FREE


@dataclass(frozen=True)
class SiteAccounts:
    """What a site's tables say."""

    accounts: dict[str, Association] = field(default_factory=dict)
    users: dict[tuple[str, str], Association] = field(default_factory=dict)
    """By account and user."""
    qos: dict[str, Qos] = field(default_factory=dict)
    unplayed: tuple[str, ...] = ()
    """Limits that stand there and that no simulation keeps."""

    def is_limiting(self) -> bool:
        """Tell whether anybody is limited at all."""
        rows = [cap for one in (*self.accounts.values(), *self.users.values()) for cap in (one.together, one.each)]
        rows += [cap for one in self.qos.values() for cap in one[1:] if isinstance(cap, Cap)]
        return any(cap != FREE for cap in rows)

    def account_of(self, user: str, account: str) -> str:
        """Give the account that a job counts for: the first of its user's where it names none."""
        if account:
            return account
        return next((place for place, who in self.users if who == user), "")


def read_accounts(text: str) -> SiteAccounts:
    """Read one table or several, with commas between their files."""
    accounts: dict[str, Association] = {}
    users: dict[tuple[str, str], Association] = {}
    qos: dict[str, Qos] = {}
    unplayed: dict[str, None] = {}
    for name in filter(None, (part.strip() for part in text.split(","))):
        for row in table(Path(name)):
            unplayed.update((word, None) for word in not_played(row))
            if "Account" not in row:
                qos[row["Name"]] = read_qos(row)
            elif row["User"]:
                users[row["Account"], row["User"]] = association(row)
            else:
                accounts[row["Account"]] = association(row)
    return SiteAccounts(accounts, users, qos, tuple(unplayed))


def table(path: Path) -> list[Fields]:
    """Read a table with a header line."""
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as stream:
            rows = []
            for row in named_rows(stream, (), delimiter="|"):
                if isinstance(row, BadRow):
                    raise InputError(f"line {row.line}: {row.reason}", EXAMPLE)
                rows.append(row)
                if len(rows) > MOST_ROWS:
                    raise InputError(f"more than {MOST_ROWS:,} rows", EXAMPLE)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", EXAMPLE) from error
    except InputError as error:
        raise InputError(f"{path}: {error.message}", EXAMPLE) from error
    if not rows or not {"Account", "Name"} & set(rows[0]):
        raise InputError(f"{path} has no column Account and no column Name", EXAMPLE)
    return rows


def association(row: Fields) -> Association:
    """Read a row of an account, or of a user in it."""
    share = row["Share"] or row["Fairshare"] or "1"
    parent = "" if row["Account"] == ROOT else row["ParentName"] or ROOT
    each = Cap(count(row, "MaxJobs"), gpus(row, "MaxTRES"))
    together = Cap(count(row, "GrpJobs"), gpus(row, "GrpTRES"))
    # `parent` shares with the account itself, which one share of it comes nearest to.
    return Association(row["Account"], row["User"], parent, float(share) if is_number(share) else 1.0, together, each)


def read_qos(row: Fields) -> Qos:
    """Read a row of a quality of service."""
    priority = float(row["Priority"]) if is_number(row["Priority"]) else 0.0
    return Qos(
        priority,
        Cap(count(row, "GrpJobs"), gpus(row, "GrpTRES")),
        Cap(count(row, "MaxJobsPU"), gpus(row, "MaxTRESPU")),
        Cap(count(row, "MaxJobsPA"), gpus(row, "MaxTRESPA")),
        Cap(None, gpus(row, "MaxTRES")),
    )


def is_number(text: str) -> bool:
    """Tell whether it is a whole number of a sane size."""
    return text.isdecimal() and len(text) < 13


def count(row: Fields, name: str) -> int | None:
    """Read a number of jobs; none is empty or -1."""
    return int(row[name]) if is_number(row[name]) else None


def gpus(row: Fields, name: str) -> int | None:
    """Read the GPUs out of a list of resources."""
    found = GPUS.search(row[name])
    return int(found[1]) if found else None


def not_played(row: Fields) -> list[str]:
    """Name the limits of a row that nobody keeps: of CPUs, of time, of kinds of GPU."""
    said = [name for name, value in row.items() if LIMITING.match(name) and value not in {"", "-1"}]
    return [name for name in said if name not in PLAYED or ("TRES" in name and gpus(row, name) is None)]
