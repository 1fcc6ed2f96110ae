"""What is said to a model and what it says back, in words of our own: no server's types leave this room."""

import json
from typing import Any, Literal

from pydantic import BaseModel, Field, field_validator

from schedmate.schemas import Noun
from schedmate.tools.plain_text import encodable


class ToolCall(Noun):
    """One wish of a model to use a tool; where `problem` is not empty the call is not to be carried out."""

    id: str
    name: str
    arguments: dict[str, Any] = Field({})
    problem: str = ""

    def result(self, text: str) -> "Message":
        """Hand the tool's output, or what was wrong with the call, back to the model."""
        return Message(role="tool", content=text, tool_call_id=self.id)


class Message(Noun):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @field_validator("content")
    @classmethod
    def sendable(cls, text: str) -> str:
        """Replace lone surrogates, which a log's broken bytes leave in a text and no request can carry."""
        return encodable(text)


class Reply(Noun):
    """What a model said freely: text, tool calls, or both; `truncated` where the answer's room ran out."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    truncated: bool = False

    def message(self) -> Message:
        """Put the reply into the conversation."""
        return Message(role="assistant", content=self.text, tool_calls=self.tool_calls)


class Tool(Noun):
    """What a model is told of a tool; the caller carries the call out, and the arguments are already validated."""

    name: str
    description: str
    arguments: type[BaseModel]


class ModelFacts(Noun):
    """What a model is called, which weights it has, and how many tokens it can hold or is assumed to."""

    name: str
    identity: str
    context_tokens: int
    context_known: bool = True
    served: tuple[str, ...] = ()


def system(text: str) -> Message:
    """Say who the model is and what rules hold."""
    return Message(role="system", content=text)


def user(text: str) -> Message:
    """Ask, and show what was found."""
    return Message(role="user", content=text)


def as_openai(message: Message) -> dict[str, Any]:
    """Write a message as the API wants it; a call that was wrong is replayed without its broken arguments."""
    spoken: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        spoken["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if message.role == "tool":
        spoken["tool_call_id"] = message.tool_call_id
    return spoken
