"""Try the configured language model the way the agents use it, and name the server's flag that is missing."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator

from pydantic import BaseModel, Field

from schedmate.counts import how_many
from schedmate.errors import ModelFailed, SchedMateError
from schedmate.models.backend import Backend, ModelReply, ModelRequest, NotUnderstood
from schedmate.models.gateway import as_function
from schedmate.models.messages import ModelFacts, Tool, user
from schedmate.models.replies import calls_in_text, json_values, read_calls
from schedmate.schemas import Check
from schedmate.settings import Settings

TOOL_PARSERS = (
    ("gpt-oss", "openai"),
    ("qwen3-coder", "qwen3_coder"),
    ("deepseek-v3.1", "deepseek_v31"),
    ("deepseek-v3", "deepseek_v3"),
    ("glm-4", "glm45"),
    ("kimi-k2", "kimi_k2"),
    ("llama-4", "llama4_pythonic"),
    ("llama", "llama3_json"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("granite", "granite"),
    ("phi-4", "phi4_mini_json"),
    ("internlm", "internlm"),
)
"""vLLM's parser by what stands in the model's name; the first that fits counts, and hermes fits many others."""

JSON_FLAG = '--structured-outputs-config \'{"backend": "xgrammar", "disable_any_whitespace": true}\''
SMALLEST_USEFUL_TOKENS = 4096
SPEED_TOKENS = 64


class Ready(BaseModel):
    """Arguments of the tool that the probe wants to see called."""

    word: str = Field(max_length=20)


READY = Tool(name="report_ready", description="Report that you are ready.", arguments=Ready)


def check_model(settings: Settings) -> list[Check]:
    """Probe the model that the settings name; each probe stands for itself, but nothing follows a dead server."""
    if not settings.llm and not settings.llm_url:
        remedy = "vllm serve MODEL " + tool_flags("") + f" {JSON_FLAG}, then set SCHEDMATE_LLM_URL=http://HOST:8000/v1"
        return [Check(name="language model", status="absent", detail="none configured", remedy=remedy)]

    async def collected() -> list[Check]:
        return [check async for check in probes(open_backend(settings))]

    try:
        return asyncio.run(collected())
    except SchedMateError as error:
        return [Check(name="language model", status="failed", detail=error.message, remedy=error.hint)]


def open_backend(settings: Settings) -> Backend:
    """Open the model without cache and without patience: a probe wants to know what holds now."""
    from schedmate.models.llm import weights_path

    if settings.llm:
        from schedmate.models.in_process import InProcessBackend

        return InProcessBackend(weights_path(settings.llm), settings)
    from schedmate.models.server import ServerBackend

    return ServerBackend(settings.model_copy(update={"llm_attempts": 1}))


async def probes(backend: Backend) -> AsyncIterator[Check]:
    """Run the probes in the order in which they build upon each other."""
    facts = await backend.facts()
    if facts.served and not {facts.name, f"{facts.name}:latest"} & set(facts.served):
        detail = f"{facts.name} is not served; there are: {', '.join(facts.served[:10])}"
        remedy = f"set SCHEDMATE_LLM_MODEL={facts.served[0]}, or leave it empty"
        yield Check(name="language model", status="failed", detail=detail, remedy=remedy)
        return
    yield Check(name="language model", status="ok", detail=facts.name)
    yield context(facts)
    for name, probe in (("json_schema", json_schema), ("tool calling", tool_calling), ("model speed", speed)):
        try:
            yield await probe(backend, facts)
        except ModelFailed as failure:
            yield Check(name=name, status="failed", detail=failure.message, remedy=failure.hint)


def context(facts: ModelFacts) -> Check:
    """Judge whether an excerpt of a log and an answer have room together."""
    tokens = facts.context_tokens
    if not facts.context_known:
        remedy = "set SCHEDMATE_LLM_CONTEXT_TOKENS to what the server can hold"
        return Check(name="context length", status="ok", detail=f"not reported; {tokens} assumed", remedy=remedy)
    if tokens < SMALLEST_USEFUL_TOKENS:
        remedy = "start vLLM with --max-model-len 16384 or more, or with a model that can hold as much"
        return Check(
            name="context length",
            status="failed",
            detail=f"only {how_many(tokens, 'token')}, which is too few",
            remedy=remedy,
        )
    return Check(name="context length", status="ok", detail=f"{how_many(tokens, 'token')}")


async def json_schema(backend: Backend, facts: ModelFacts) -> Check:
    """Ask for a greeting under a schema that only a decoder that is held to it can meet: a word never mentioned."""
    seal = f"seal-{secrets.token_hex(6)}"
    properties = {"seal": {"type": "string", "enum": [seal]}}
    schema = {"type": "object", "properties": properties, "required": ["seal"], "additionalProperties": False}
    remedy = f"start vLLM with {JSON_FLAG}"
    try:
        words = await backend.speak(ModelRequest((user("Say hello."),), 200, schema, schema_in_prompt=False))
    except NotUnderstood as refusal:
        detail = f"{refusal.message}; until then the schema is asked for in words"
        return Check(name="json_schema", status="failed", detail=detail, remedy=f"use a server that knows it: {remedy}")
    if any(seal in value for value in json_values(words.text)):
        return Check(name="json_schema", status="ok", detail="enforced while decoding")
    if words.truncated and seal not in words.text:
        detail = "the model pads with white space until its room runs out"
    else:
        detail = "the server ignores response_format: answers are checked here, and fail more often"
    return Check(name="json_schema", status="failed", detail=detail, remedy=remedy)


async def tool_calling(backend: Backend, facts: ModelFacts) -> Check:
    """Ask for one tool call and see in which form it arrives."""
    asked = user(f"Call the tool {READY.name} now, with the word 'ready'. Do not answer with text.")
    instead = "; until then tools are offered through json_schema"
    remedy = "start vLLM with " + tool_flags(facts.name)
    try:
        words = await backend.speak(ModelRequest((asked,), 300, tools=(as_function(READY),)))
    except NotUnderstood as refusal:
        if not refusal.by_server:
            return Check(name="tool calling", status="ok", detail="through json_schema, as for all in-process models")
        return Check(name="tool calling", status="failed", detail=refusal.message + instead, remedy=remedy)
    return judged(words, remedy)


def judged(words: ModelReply, remedy: str) -> Check:
    """Tell a call that was parsed from one that came as text, and both from a model that calls nothing."""
    if words.problem:
        return Check(name="tool calling", status="failed", detail=words.problem, remedy=remedy)
    calls = read_calls(words.calls, {READY.name: READY})
    if any(not call.problem for call in calls):
        return Check(name="tool calling", status="ok", detail="a call came through, its arguments are valid")
    if calls:
        return Check(name="tool calling", status="failed", detail=f"a bad call: {calls[0].problem}", remedy=remedy)
    if calls_in_text(words.text)[1] or READY.name in "".join(json_values(words.text)):
        detail = "the call came as text: the server's tool parser is not this model's"
        return Check(name="tool calling", status="failed", detail=detail, remedy=remedy)
    detail = "the server takes tools, but the model called none when asked to"
    return Check(
        name="tool calling", status="skipped", detail=detail, remedy="try a model that was trained to use tools"
    )


async def speed(backend: Backend, facts: ModelFacts) -> Check:
    """Time one free answer; a model that thinks aloud is named, for its thoughts cost time in every call."""
    started_s = time.monotonic()
    words = await backend.speak(ModelRequest((user("Count from 1 to 100, in words."),), SPEED_TOKENS))
    tokens_per_s = words.spoken_tokens / max(time.monotonic() - started_s, 1e-9)
    detail = f"{tokens_per_s:.0f} tokens/s in one call" if words.spoken_tokens else "the server counts no tokens"
    if "<think>" in words.text:
        remedy = "start vLLM with --reasoning-parser " + ("qwen3" if "qwen" in facts.name.lower() else "deepseek_r1")
        return Check(name="model speed", status="ok", detail=detail + "; it thinks inside its answer", remedy=remedy)
    return Check(name="model speed", status="ok", detail=detail)


def tool_flags(model_name: str) -> str:
    """Write the flags that switch tool calling on for a model."""
    name = model_name.lower()
    parser = next((parser for part, parser in TOOL_PARSERS if part in name), "hermes")
    return f"--enable-auto-tool-choice --tool-call-parser {parser}"
