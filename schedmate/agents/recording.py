"""Record what a model says during an exploration, and let a recording speak in the model's place."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from schedmate.errors import InputError, ModelFailed
from schedmate.models.llm import LanguageModel, Message, ModelFacts, Reply, Tool

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass
class ModelRecorder:
    """A LanguageModel that hands on to another one and keeps its replies."""

    model: LanguageModel
    replies: list[dict[str, Any]] = field(default_factory=list)
    known: ModelFacts | None = None

    @property
    def name(self) -> str:
        """Name the model."""
        return self.model.name

    async def facts(self) -> ModelFacts:
        """Say which model answers."""
        self.known = await self.model.facts()
        return self.known

    async def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""
        return await self.model.count_tokens(text)

    async def fit(self, messages: Sequence[Message], answer_tokens: int = 1024) -> tuple[Message, ...]:
        """Cut messages to what the model can hold."""
        return await self.model.fit(messages, answer_tokens)

    async def answer(self, messages: Sequence[Message], schema: type[Answer], *, answer_tokens: int = 1024) -> Answer:
        """Ask, and keep the answer."""
        found = await self.model.answer(messages, schema, answer_tokens=answer_tokens)
        self.replies.append({"kind": "answer", "content": found.model_dump(mode="json")})
        return found

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), *, answer_tokens: int = 1024
    ) -> Reply:
        """Talk, and keep the reply."""
        reply = await self.model.chat(messages, tools, answer_tokens=answer_tokens)
        self.replies.append({"kind": "chat", "content": reply.model_dump(mode="json")})
        return reply


@dataclass
class Recorded:
    """A LanguageModel that says again what a recording holds; no server is asked."""

    replies: list[dict[str, Any]]
    facts_known: ModelFacts
    place: int = 0

    @property
    def name(self) -> str:
        """Name the model that was recorded."""
        return self.facts_known.name

    async def facts(self) -> ModelFacts:
        """Say which model was recorded."""
        return self.facts_known

    async def count_tokens(self, text: str) -> int:
        """Estimate the tokens of a text."""
        return -(-len(text) // 4)

    async def fit(self, messages: Sequence[Message], answer_tokens: int = 1024) -> tuple[Message, ...]:
        """Leave the messages as they are."""
        return tuple(messages)

    async def answer(self, messages: Sequence[Message], schema: type[Answer], *, answer_tokens: int = 1024) -> Answer:
        """Give the next recorded answer."""
        try:
            return schema.model_validate(self.following("answer"))
        except ValidationError as error:
            raise ModelFailed("the recording holds an answer of another form", reason="invalid") from error

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), *, answer_tokens: int = 1024
    ) -> Reply:
        """Give the next recorded reply."""
        try:
            return Reply.model_validate(self.following("chat"))
        except ValidationError as error:
            raise ModelFailed("the recording holds a reply of another form", reason="invalid") from error

    def following(self, kind: str) -> Any:
        """Take the next entry."""
        if self.place >= len(self.replies) or self.replies[self.place].get("kind") != kind:
            raise ModelFailed("the recording ends here", reason="invalid")
        self.place += 1
        return self.replies[self.place - 1].get("content")


def read_recording(path: Path) -> Recorded:
    """Read what `--save-trace` wrote."""
    try:
        data = json.loads(path.read_text("utf-8"))
        model = data["model"]
        return Recorded(list(model["replies"]), ModelFacts.model_validate(model["facts"]))
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(
            f"{path} holds no recorded exploration", "write one with --save-trace while a model answers"
        ) from error
