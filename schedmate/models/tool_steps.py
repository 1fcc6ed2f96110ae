"""Tool use for models that have no tool calling of their own: each step is an answer that obeys a schema."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from schedmate.models.backend import ModelReply, WrittenCall
from schedmate.models.json_schema import as_text, tool_schema
from schedmate.models.messages import Message, Tool
from schedmate.models.replies import as_object, json_values, without_thoughts

FINISH = "finish"


def step_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """Allow exactly one step: one of the tools with its arguments, or the final words."""
    words = {"type": "string"}
    return {
        "anyOf": [one_step(tool.name, "arguments", tool_schema(tool.arguments)) for tool in tools]
        + [one_step(FINISH, "text", words)]
    }


def one_step(name: str, field: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Describe one kind of step."""
    properties = {"tool": {"type": "string", "const": name}, field: schema}
    return {"type": "object", "properties": properties, "required": ["tool", field], "additionalProperties": False}


def step_messages(messages: Sequence[Message], tools: Sequence[Tool]) -> tuple[Message, ...]:
    """Retell the conversation, and say how to take the next step."""
    lines = [f"- {tool.name}: {tool.description} Arguments: {as_text(tool_schema(tool.arguments))}" for tool in tools]
    manual = (
        "You work in steps. Each of your replies is one JSON object and nothing else: either\n"
        '{"tool": NAME, "arguments": {...}} to use a tool, or\n'
        f'{{"tool": "{FINISH}", "text": "..."}} when you are done. The tools:\n' + "\n".join(lines)
    )
    return (*without_tool_roles(messages), Message(role="user", content=manual))


def without_tool_roles(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Write a conversation so that every chat template can, whatever was said in it."""
    asked = {call.id: call.name for message in messages for call in message.tool_calls}
    return tuple(retold(message, asked) for message in messages)


def retold(message: Message, asked: dict[str, str]) -> Message:
    """Write calls and results as plain text."""
    if message.role == "tool":
        name = asked.get(message.tool_call_id, "a tool")
        return Message(role="user", content=f"Result of {name}:\n{message.content}")
    if message.tool_calls:
        calls = [{"tool": call.name, "arguments": call.arguments} for call in message.tool_calls]
        written = "\n".join(json.dumps(call) for call in calls)
        return Message(role="assistant", content=f"{message.content}\n{written}".strip())
    return message


def read_step(words: ModelReply, turn: int) -> ModelReply:
    """Turn a step back into text or a tool call; whole words that are no step are plain text."""
    text = without_thoughts(words.text)
    for value in json_values(text):
        step = as_object(value)
        name = step.get("tool")
        if name == FINISH:
            return ModelReply(str(step.get("text", "")), truncated=words.truncated)
        if isinstance(name, str):
            call = WrittenCall(f"step-{turn}", name, json.dumps(step.get("arguments") or {}))
            return ModelReply("", (call,), words.truncated)
    return replace(words, text=text, problem="the reply was cut off" if words.truncated else "")
