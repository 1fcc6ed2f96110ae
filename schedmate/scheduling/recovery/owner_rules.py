"""What recovery may do, as the owner of the machine writes it into policy.toml."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schedmate.bad_values import first_wrong
from schedmate.errors import InputError

FILE_NAME = "policy.toml"


class Table(BaseModel):
    """What all tables share: a misspelt key is an error, not a rule that silently does not hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RecoveryRules(Table):
    """How often, how far, how sure."""

    restarts: int = Field(3, ge=0, description="restarts that a job gets in all")
    same_root: int = Field(2, ge=0, description="restarts after the same failure without progress in between")
    least_confidence: float = Field(0.5, ge=0, le=1, description="surer than this, or the job is held")
    isolate_share: float = Field(0.25, ge=0, le=1, description="share of nodes that may be isolated within the window")
    window_s: float = Field(24 * 3600.0, gt=0, description="the window of the circuit breaker")
    cooldown_s: float = Field(
        3600.0, ge=0, description="after a person brought a node back, it is left alone for so long"
    )
    check_limit_s: float = Field(600.0, gt=0, description="time for one health check or communication test")


class ToolRules(Table):
    """Programs that checks run; they are never named by a log."""

    nccl_test: str = Field("all_reduce_perf", description="nccl-tests' program, a path or a name on the PATH")
    dcgmi: str = Field("dcgmi", description="NVIDIA's diagnostics")
    reach: str = Field(
        "", description='start of a command that runs another on a node, as "ssh -o BatchMode=yes"; empty: all are here'
    )


class NotifyRules(Table):
    """Who hears of failures, beside the console."""

    file: str = ""
    webhook: str = ""
    smtp: str = Field("", description="host or host:port")
    sender: str = "schedmate@localhost"
    smtp_user: str = Field("", description="to log in with, over TLS; the password is the setting smtp_password")
    operators: str = Field("", description="address for faults of the machine")
    limit_s: float = Field(20.0, gt=0, description="time that a channel has")


class PeopleRules(Table):
    """Who may do what to others' jobs, and where people are reached."""

    operators: tuple[str, ...] = Field(
        (),
        description='accounts, or groups as "@wheel", that act on all jobs; the loop\'s own account always does',
    )
    mail: dict[str, str] = Field({}, description="an account's address")
    mail_domain: str = Field(
        "", description="where accounts without an address get their mail; empty: on the mail server"
    )


class ReadingRules(Table):
    """How long the loop's readers may take."""

    model_limit_s: float = Field(90.0, gt=0, description="for a reading that may ask a model; then it does without")


class LimitRules(Table):
    """What no job may take too much of."""

    log_gib: float = Field(20.0, ge=0, description="what a run may write into its log; 0: as much as the disk holds")


class KeepRules(Table):
    """How many days after its end what is kept of a job; the history of jobs and the audit trail stay."""

    environment_days: float = Field(7.0, ge=0, description="its variables; after that it cannot be released any more")
    log_days: float = Field(90.0, ge=0, description="what it wrote")
    folder_days: float = Field(365.0, ge=0, description="the folders of its runs, and what was read of it")


class Rules(Table):
    """The whole file."""

    recovery: RecoveryRules = RecoveryRules()
    tools: ToolRules = ToolRules()
    notify: NotifyRules = NotifyRules()
    people: PeopleRules = PeopleRules()
    reading: ReadingRules = ReadingRules()
    limits: LimitRules = LimitRules()
    keep: KeepRules = KeepRules()


def read_rules(path: Path, required: bool = False) -> Rules:
    """Read the file; where there is none, the defaults hold."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):  # a data directory that is none is refused as such
        if required:
            raise InputError(f"there is no file {path}", "name the policy.toml that is meant") from None
        return Rules()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", "it must be a text file in TOML") from error
    try:
        held: dict[str, Any] = tomllib.loads(text)
        return Rules.model_validate(held)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}", "it must be a text file in TOML") from error
    except ValidationError as error:
        name, wrong = first_wrong(error, Rules)
        raise InputError(f"{path}: {name}: {wrong}", "docs/recovery.md lists what there is") from error
