"""What a kind of model has to be able to do; everything else (fitting, keeping, checking) is done once, above it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from schedmate.errors import ModelFailed
from schedmate.models.messages import Message, ModelFacts


@dataclass(frozen=True)
class ModelRequest:
    """One call: at most one of `schema` (the answer obeys it) and `tools` (the model may call them) is given.

    A server that refuses schemas is given the schema in the prompt instead, unless that is forbidden.
    """

    messages: tuple[Message, ...]
    answer_tokens: int
    schema: dict[str, Any] | None = None
    tools: tuple[dict[str, Any], ...] = ()
    schema_in_prompt: bool = True
    sample: int = 0
    """0: greedy; else the seed of one of several answers to the same question."""


@dataclass(frozen=True)
class WrittenCall:
    """A tool call as the model wrote it, believed by nobody yet."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class ModelReply:
    """What a model gave back before anyone looked at it; `problem` where it had no form at all."""

    text: str
    calls: tuple[WrittenCall, ...] = ()
    truncated: bool = False
    spoken_tokens: int = 0
    heard_tokens: int = 0
    """Of the prompt, as the server counts them; 0 where it does not."""
    problem: str = ""


class PromptTooLong(ModelFailed):
    """Say that the server counted more tokens than it can hold; the gateway then cuts more off and asks once again."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "set SCHEDMATE_LLM_CONTEXT_TOKENS to what the server can hold", reason="refused")


class NotUnderstood(ModelFailed):
    """Say that the form of a request was refused: a server may know no json_schema, or have no tool parser."""

    def __init__(self, message: str, *, by_server: bool = True) -> None:
        super().__init__(message, "see `schedmate selftest`", reason="refused")
        self.by_server = by_server


class NotThere(ModelFailed):
    """Say that the server knows no such path or model."""

    def __init__(self, message: str) -> None:
        hint = "check SCHEDMATE_LLM_MODEL, and that SCHEDMATE_LLM_URL ends as the server's API does (/v1)"
        super().__init__(message, hint, reason="refused")


class ServerBroke(ModelFailed):
    """Say that a server fails (HTTP 500) at a request each time: it may be the schema that breaks it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "look at the server's log", reason="busy")


class Backend(Protocol):
    """A way to reach a model. Every failure is a ModelFailed, raised after this backend's own tries."""

    @property
    def name(self) -> str:
        """Name the model, as far as it is known without asking anyone."""

    async def facts(self) -> ModelFacts:
        """Say which model answers and how much it can hold; ask once, then remember."""

    async def count(self, messages: Sequence[Message]) -> int:
        """Count the tokens of a conversation: exactly where the model's tokenizer can be asked, else too many."""

    async def speak(self, request: ModelRequest) -> ModelReply:
        """Let the model answer once."""
