"""What `extract` is asked, what its nodes hand on, and what it answers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from typing_extensions import TypedDict

from schedmate.agents.claim_merge import Dispute
from schedmate.agents.claims import Claims
from schedmate.agents.explorer import Budget, Journey
from schedmate.graphs.state import OPENED, SAID, Fields, ReadingContext, Shaped
from schedmate.models.llm import LanguageModel
from schedmate.readers.code.reader import CodeReading
from schedmate.schemas import Engine, Extraction, Workload
from schedmate.tools.reading_trace import ReadingTrace
from schedmate.tools.repository import Repository


@dataclass(frozen=True)
class ExtractContext(ReadingContext):
    """How to read source code."""


@dataclass(frozen=True)
class SpokenFor(ExtractContext):
    """The same with a model that the caller has opened: a recorder, or a recording."""

    speaker: LanguageModel | None = None

    @cached_property
    def model(self) -> LanguageModel | None:
        """Let the speaker answer where a model may be asked at all."""
        return super().model if self.speaker is None or self.engine == "built-in" else self.speaker


class JobStart(TypedDict, total=False):
    """What may be told of how a job is started, beside the folder that holds its source code."""

    command: str
    """what starts the job; without it the likeliest script is taken"""
    workdir: str
    """where it is started, relative to the folder"""


class ExtractInput(JobStart):
    """What `extract` is asked about."""

    repo: str
    """the folder that holds the source code"""


class ExtractOutput(TypedDict):
    """What `extract` answers."""

    extraction: Annotated[Fields, Shaped(Extraction)]
    """what the job is"""


class ExtractState(JobStart, total=False):
    """What the nodes hand on."""

    repo: str
    """the folder that holds the source code"""
    context: Annotated[ExtractContext, OPENED]
    """how to read"""
    trace: Annotated[ReadingTrace | None, OPENED]
    """who hears of each step"""
    budget: Annotated[Budget, OPENED]
    """how far a model may explore"""
    started_s: Annotated[float, OPENED]
    """when the walk began, by the monotonic clock"""
    repository: Annotated[Repository, OPENED]
    """the folder, opened for reading only"""
    candidates: Annotated[tuple[str, ...], OPENED]
    """likely commands, where none was given"""
    reading: Annotated[CodeReading, OPENED]
    """what following the command showed"""
    journey: Annotated[Journey | None, OPENED]
    """the model's exploration so far; none where no model was asked or it failed"""
    messages: Annotated[list[Any], SAID]  # Any: OpenAI's form of a message, or LangGraph's own object of it
    """what was said in it: questions, thoughts, calls of tools, and what these showed"""
    claims: Annotated[Claims | None, OPENED]
    """what the model claims, not yet checked"""
    claimed: Annotated[Workload, OPENED]
    """what of it the files bear out"""
    disputes: Annotated[list[Dispute], OPENED]
    """where that and the built-in differ"""
    right: Annotated[set[str], OPENED]
    """the disputed fields in which the model stood by what it said"""
    workload: Annotated[Workload, OPENED]
    """the answer as it grows"""
    engine: Annotated[Engine, OPENED]
    """who answered"""
    model_calls: Annotated[int, OPENED]
    """how often the model was asked, also where it failed in the end"""
    notes: Annotated[tuple[str, ...], OPENED]
    """what the user should know of the answer"""
    extraction: Fields
    """the answer"""
