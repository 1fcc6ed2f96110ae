"""The seam between agents and language models: ask for an answer of a given form, or chat with tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from schedmate.errors import SettingsError
from schedmate.models.messages import Message, ModelFacts, Reply, Tool, ToolCall, system, user

if TYPE_CHECKING:
    from schedmate.models.patience import PatienceClock
    from schedmate.settings import Settings

__all__ = ["LanguageModel", "Message", "ModelFacts", "Reply", "Tool", "ToolCall", "open_model", "system", "user"]

Answer = TypeVar("Answer", bound=BaseModel)


class LanguageModel(Protocol):
    """A model that can be asked. Every method raises ModelFailed and nothing else; the built-in answer then stands.

    Write bounds into schemas (`Field(max_length=200)`, `ge` and `le`, literals): they are held to while decoding. A
    bounded string cannot hold a double quote or a backslash there, so ask for line numbers, and quote by code.
    """

    @property
    def name(self) -> str:
        """Name the model, as far as it is known without asking anyone."""

    async def facts(self) -> ModelFacts:
        """Say which model answers and how many tokens it can hold."""

    async def count_tokens(self, text: str) -> int:
        """Count the tokens of a text: exactly where the model's tokenizer can be asked, else rather too many."""

    async def fit(self, messages: Sequence[Message], answer_tokens: int = ...) -> tuple[Message, ...]:
        """Cut the longest messages to what the model can hold; `answer` and `chat` do this by themselves."""

    async def answer(self, messages: Sequence[Message], schema: type[Answer], *, answer_tokens: int = ...) -> Answer:
        """Ask for an answer that is valid under the schema; what it says is still only a claim."""

    async def chat(self, messages: Sequence[Message], tools: Sequence[Tool] = (), *, answer_tokens: int = ...) -> Reply:
        """Let the model speak freely or call tools; carry out no call that has a `problem`, send that back instead."""


def open_model(settings: "Settings", clock: "PatienceClock | None" = None) -> LanguageModel | None:
    """Open the model that the settings name; None where they name none. Nothing is asked or loaded yet."""
    if not settings.llm and not settings.llm_url:
        return None
    from schedmate.models.cache import AnswerCache
    from schedmate.models.gateway import Gateway

    cache = AnswerCache(settings.cache_dir) if settings.llm_cache else None
    if settings.llm:
        from schedmate.models.in_process import InProcessBackend

        return Gateway(InProcessBackend(weights_path(settings.llm), settings), cache, settings.llm_votes)
    from schedmate.models.server import ServerBackend

    return Gateway(ServerBackend(settings, clock), cache, settings.llm_votes)


def model_for(is_wanted: bool, votes: int = 0) -> LanguageModel | None:
    """Open the model that the settings name, and insist on one where the user wants it asked."""
    from schedmate.settings import get_settings

    settings = get_settings()
    model = open_model(settings.model_copy(update={"llm_votes": votes}) if votes else settings)
    if model is None and is_wanted:
        raise SettingsError("there is no model to ask", "set SCHEDMATE_LLM_URL, or leave --engine at auto")
    return model


def weights_path(setting: str) -> Path:
    """Read `outlines:/path/to/weights`."""
    kind, colon, place = setting.partition(":")
    path = Path(place).expanduser()
    if kind != "outlines" or not colon or not place:
        raise SettingsError(f"llm {setting!r} names no in-process model", "write it as outlines:/path/to/weights")
    if not (path / "config.json").is_file():
        raise SettingsError(
            f"llm: {path} holds no model", "it must be a directory with config.json, weights and tokenizer"
        )
    return path
