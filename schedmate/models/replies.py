"""Find in a model's words what was asked for. Pure functions; the words are hostile input."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from schedmate.models.backend import WrittenCall
from schedmate.models.messages import Tool, ToolCall

MAX_CHARS = 1_000_000

MAX_STARTS = 64
"""Places where a JSON value may begin that are tried before a reply is given up: keeps a hostile one linear."""

MAX_PROBLEMS = 5

Answer = TypeVar("Answer", bound=BaseModel)


class Unusable(Exception):
    """Say in words a model can act on why its reply is not what was asked for."""


def without_thoughts(text: str) -> str:
    """Drop what stands between <think> and </think>; some servers leave out the opening tag, some the closing one."""
    text = text[:MAX_CHARS]
    _, closed, after = text.rpartition("</think>")
    if closed:
        return after.strip()
    before, opened, _ = text.partition("<think>")
    return before.strip() if opened else text.strip()


def json_values(text: str) -> Iterator[str]:
    """Give the JSON objects found in prose or fences, in their order; values inside a given one are not given again."""
    decoder = json.JSONDecoder()
    position = 0
    for _ in range(MAX_STARTS):
        position = text.find("{", position)
        if position < 0:
            return
        try:
            _, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        yield text[position:end]
        position = end


def read_answer(text: str, schema: type[Answer]) -> Answer:
    """Validate the first JSON object that fits the schema; raise Unusable with what is wrong with the best try."""
    text = without_thoughts(text)
    problem = ""
    for candidate in json_values(text):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError as error:
            problem = problem or describe(error)
    if problem:
        raise Unusable(problem)
    raise Unusable("there is no complete JSON object in the reply" if text else "the reply is empty")


def describe(error: ValidationError) -> str:
    """List what is wrong without repeating the input, which may be long and is not to be trusted."""
    problems = [
        f"{'.'.join(str(part) for part in item['loc']) or 'the object'}: {item['msg']}"
        for item in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    more = len(problems) - MAX_PROBLEMS
    return "; ".join(problems[:MAX_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")


def read_calls(calls: tuple[WrittenCall, ...], tools: Mapping[str, Tool]) -> tuple[ToolCall, ...]:
    """Check each call against the tools; a wrong one is kept, with its problem, so that the model can be told."""
    return tuple(read_call(call, tools) for call in calls)


def read_call(call: WrittenCall, tools: Mapping[str, Tool]) -> ToolCall:
    """Check one call: the tool exists and its arguments are what it takes."""
    tool = tools.get(call.name)
    if tool is None:
        problem = f"there is no tool {call.name[:80]!r}; there are: {', '.join(sorted(tools))}"
        return ToolCall(id=call.id, name=call.name[:80], problem=problem)
    try:
        arguments = tool.arguments.model_validate_json(call.arguments or "{}")
    except ValidationError as error:
        return ToolCall(id=call.id, name=call.name, problem=f"wrong arguments: {describe(error)}")
    return ToolCall(id=call.id, name=call.name, arguments=arguments.model_dump(mode="json"))


def calls_in_text(text: str) -> tuple[str, tuple[WrittenCall, ...]]:
    """Split off calls that a model wrote into its text, as it does where the server's tool parser is not its own."""
    rest: list[str] = []
    found: list[WrittenCall] = []
    while True:
        before, opened, after = text.partition("<tool_call>")
        inside, closed, after = after.partition("</tool_call>")
        if not closed:
            return "".join([*rest, text]).strip(), tuple(found)
        call = as_object(inside)
        rest.append(before)
        if isinstance(call.get("name"), str):
            found.append(WrittenCall(f"call-{len(found)}", call["name"], json.dumps(call.get("arguments") or {})))
        else:
            rest.append(opened + inside + closed)
        text = after


def as_object(text: str) -> dict[str, Any]:
    """Read one JSON object; empty where there is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
