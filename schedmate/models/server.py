"""A model on an OpenAI-compatible server; vLLM first, anything that speaks the same second."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from schedmate.errors import ModelFailed, SettingsError, without_passwords
from schedmate.models.backend import ModelReply, ModelRequest, NotThere, NotUnderstood, ServerBroke, WrittenCall
from schedmate.models.bounded import PLAIN, bound
from schedmate.models.failures import translated
from schedmate.models.fitting import estimate_all
from schedmate.models.json_schema import as_text, instruction
from schedmate.models.messages import Message, ModelFacts, as_openai
from schedmate.models.patience import Patience, PatienceClock, SystemClock
from schedmate.models.slots import Slots
from schedmate.models.voting import TEMPERATURE
from schedmate.settings import Settings

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI
    from openai import AsyncOpenAI

ASSUMED_CONTEXT_TOKENS = 8192
"""Where neither the server nor the user says: small enough for any model that is of use here."""

CONNECT_LIMIT_S = 10.0
"""A host that takes longer to answer the door is not there."""

Result = TypeVar("Result")


class ServerBackend:
    """Speak to one server. Connections are not kept, so one instance serves any number of event loops."""

    def __init__(self, settings: Settings, clock: PatienceClock | None = None) -> None:
        self.url = api_url(settings.llm_url)
        self.settings = settings
        self.patience = Patience(settings.llm_attempts, clock or SystemClock())
        self.known: ModelFacts | None = None
        self.not_enforced: set[str] = set()
        self.counts_tokens = True
        self.slots = Slots(settings.cache_dir, self.url, settings.llm_concurrency)

    @property
    def name(self) -> str:
        """Name the model, as far as it is known without asking anyone."""
        return self.known.name if self.known else self.settings.llm_model or without_passwords(self.url)

    @cached_property
    def client(self) -> "AsyncOpenAI":
        """Open the HTTP client; it tries once, for patience is kept in one place."""
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

        limit_s = self.settings.llm_timeout_s
        return AsyncOpenAI(
            base_url=self.url,
            # Never the user's OPENAI_API_KEY: it belongs to another server than this one.
            api_key=self.settings.llm_key.get_secret_value() or "none",
            max_retries=0,
            timeout=Timeout(limit_s, connect=min(limit_s, CONNECT_LIMIT_S)),
            default_headers={"Connection": "close", **PLAIN},
            # A server that sends us elsewhere would send the prompt there, too.
            http_client=DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [bound]}),
        )

    @cached_property
    def chat(self) -> "ChatOpenAI":
        """Wrap the same client for chats; greedy, because a reading of a text has one right answer."""
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(
            model=self.name,
            api_key=self.client.api_key,
            base_url=self.url,
            root_async_client=self.client,
            async_client=self.client.chat.completions,
            # Never used, but where they are missing a second client is built, with 80 ms of certificates.
            root_client=self.client,
            client=self.client.chat.completions,
            temperature=0,
            use_responses_api=False,
            cache=False,
            disable_streaming=True,
        )

    async def facts(self) -> ModelFacts:
        """Ask the server what it serves; a server without a model list serves what the settings name."""
        if self.known is None:
            client = self.client
            try:
                served = await self.ask(lambda: client.get("/models", cast_to=object))
            except NotThere:
                served = {}
            self.known = choose(served, self.settings)
        return self.known

    async def count(self, messages: Sequence[Message]) -> int:
        """Let vLLM's tokenizer count, chat template and all; guess where the server has no /tokenize."""
        if self.counts_tokens:
            body = {"model": self.name, "messages": [as_openai(message) for message in messages]}
            try:
                url = self.url.removesuffix("/v1") + "/tokenize"
                answer = await self.ask(lambda: self.client.post(url, cast_to=object, body=body))
                if isinstance(answer, dict) and isinstance(answer.get("count"), int):
                    return int(answer["count"])
            except NotThere:
                self.counts_tokens = False
            except ModelFailed:
                pass
        return estimate_all(messages)

    async def speak(self, request: ModelRequest) -> ModelReply:
        """Ask once, with the schema enforced while decoding; where the server cannot, with the schema in the prompt."""
        await self.facts()
        if request.schema is None:
            return await self.complete(request, request.messages, {"tools": list(request.tools)})
        key = as_text(request.schema)
        if key not in self.not_enforced:
            form = {"name": "answer", "schema": request.schema, "strict": True}
            wanted = {"response_format": {"type": "json_schema", "json_schema": form}}
            try:
                return await self.complete(request, request.messages, wanted)
            except (NotUnderstood, ServerBroke):
                if not request.schema_in_prompt:
                    raise
        asked = (*request.messages, Message(role="user", content=instruction(request.schema)))
        words = await self.complete(request, asked, {})
        self.not_enforced.add(key)
        return words

    async def complete(self, request: ModelRequest, messages: Sequence[Message], wanted: dict[str, Any]) -> ModelReply:
        """Make one chat completion and take from it what was said."""
        import openai

        chat = self.chat  # made here: to import it takes two seconds, which are not the server's
        spoken = [as_openai(message) for message in messages]
        wanted = {name: value for name, value in wanted.items() if value}
        if request.sample:
            wanted |= {"temperature": TEMPERATURE, "seed": request.sample}
        try:
            answer = await self.ask(lambda: chat.ainvoke(spoken, max_tokens=request.answer_tokens, **wanted))
        except openai.LengthFinishReasonError as error:
            message = error.completion.choices[0].message
            return ModelReply(message.content or "", truncated=True)
        except ValidationError:
            # langchain takes no tool call whose arguments are JSON but no object.
            return ModelReply("", problem="the arguments of a tool call must be one JSON object")
        return words_of(answer)

    async def ask(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Make a call in one of the free slots, bounded in time as a whole, again while its failure may pass."""
        import openai

        async def once() -> Result:
            try:
                async with self.slots.one(), asyncio.timeout(self.settings.llm_timeout_s):
                    return await call()
            except (openai.LengthFinishReasonError, ValidationError):
                raise
            except Exception as error:
                # The client raises a dozen kinds, some of them plain ValueError, TypeError or KeyError for odd bodies.
                raise translated(error, self.url, self.settings.llm_timeout_s, self.patience.clock) from error

        return await self.patience.keep_trying(once)


def api_url(url: str) -> str:
    """Accept what people type: a bare host and port means its /v1."""
    from urllib.parse import urlsplit

    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise SettingsError(f"llm_url {url!r} is no http(s) URL", "write it as http://localhost:8000/v1")
    return url.strip().rstrip("/") + ("" if parts.path.strip("/") else "/v1")


def choose(served: object, settings: Settings) -> ModelFacts:
    """Pick the model that the settings name, else the first served, and read how much it holds."""
    entries = served.get("data") if isinstance(served, dict) else None
    models = [entry for entry in entries or [] if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    name = settings.llm_model or (models[0]["id"] if models else "")
    if not name:
        raise ModelFailed("the server lists no model", "name one with SCHEDMATE_LLM_MODEL", reason="refused")
    entry = next((model for model in models if model["id"] == name), {})
    reported = entry.get("max_model_len")
    tokens = settings.llm_context_tokens or (reported if isinstance(reported, int) and reported > 0 else 0)
    identity = f"{name}@{entry.get('root') or ''}"
    return ModelFacts(
        name=name,
        identity=identity,
        context_tokens=tokens or ASSUMED_CONTEXT_TOKENS,
        context_known=bool(tokens),
        served=tuple(model["id"] for model in models),
    )


def words_of(answer: "AIMessage") -> ModelReply:
    """Take text, calls and the way it ended from a completion; arguments that are no JSON stay as written."""
    calls = [WrittenCall(call["id"] or "", call["name"], json.dumps(call["args"])) for call in answer.tool_calls]
    calls += [
        WrittenCall(call["id"] or "", call["name"] or "", call["args"] or "") for call in answer.invalid_tool_calls
    ]
    usage = answer.usage_metadata
    return ModelReply(
        text=str(answer.text),
        calls=tuple(calls),
        truncated=answer.response_metadata.get("finish_reason") == "length",
        spoken_tokens=usage["output_tokens"] if usage else 0,
        heard_tokens=usage["input_tokens"] if usage else 0,
    )
