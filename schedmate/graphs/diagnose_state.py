"""What `diagnose` is asked, what its nodes hand on, and what it answers."""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated

from typing_extensions import TypedDict

from schedmate.choices import EngineChoice, Locator
from schedmate.graphs.state import OPENED, Fields, ReadingContext, Shaped
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.job_logs.folder_jobs import LogFolder
from schedmate.readers.failures.reading import FailureReading
from schedmate.schemas import Diagnosis
from schedmate.tools.logfile import LogFile


@dataclass(frozen=True)
class DiagnoseContext(ReadingContext):
    """How to read a dead job's log."""

    engine: EngineChoice = "auto"
    """auto, built-in or model"""
    locator: Locator = "hybrid"
    """hybrid, or paper: the one that the paper describes"""
    votes: int = 0
    """of how many answers of a model the majority counts; 0: as the settings say"""
    explain: bool = False
    """also tell how the first cause was found"""


class KnownOfDeath(TypedDict, total=False):
    """What may be known of a dead job beside its log."""

    repo: str
    """the job's source code, where it is at hand"""
    exited: str
    """how the job ended, where that is known: 137, 0:9, TIMEOUT ..."""
    files: list[str]
    """the job's logs, where the path stands for more than them"""
    one_job: bool
    """whether all logs of the directory are one job's; else several jobs' are refused"""


class DiagnoseInput(KnownOfDeath):
    """What `diagnose` is asked about."""

    path: str
    """the log, or the directory of a job's logs"""


class DiagnoseOutput(TypedDict):
    """What `diagnose` answers."""

    diagnosis: Annotated[Fields, Shaped(Diagnosis)]
    """why it died, and what to do"""


class DiagnoseState(KnownOfDeath, total=False):
    """What the nodes hand on."""

    path: str
    """the log, or the directory of a job's logs"""
    context: Annotated[DiagnoseContext, OPENED]
    """how to read"""
    opened: Annotated[ExitStack, OPENED]
    """closes the logs when the walk is over"""
    started_s: Annotated[float, OPENED]
    """when the walk began, by the monotonic clock"""
    logs: Annotated[list[LogFile], OPENED]
    """the opened logs, one a rank where a job has many"""
    folder: Annotated[tuple[str, LogFolder] | None, OPENED]
    """the folder that the logs lie in, and how its logs were sorted into jobs"""
    readings: Annotated[list[FailureReading], OPENED]
    """each log read: attempts, last progress, what is worth weighing"""
    verdict: Annotated[CauseVerdict, OPENED]
    """the first cause among everything weighed"""
    signs: Annotated[dict[str, float], OPENED]
    """how the built-in's answer is built: what makes it sure or doubtful"""
    found: Annotated[Diagnosis, OPENED]
    """the answer as it grows"""
    is_said: Annotated[bool, OPENED]
    """whether a person classed this failure before"""
    opinion: Annotated[object, OPENED]
    """the Opinion of a model, checked against the log; none where it failed"""
    diagnosis: Fields
    """the answer"""
