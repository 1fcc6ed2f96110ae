"""What is the same for every model: fit the prompt, look into the cache, ask, check, ask once more, give up."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from schedmate.errors import ModelFailed
from schedmate.models.backend import Backend, ModelReply, ModelRequest, NotUnderstood, PromptTooLong
from schedmate.models.cache import AnswerCache
from schedmate.models.call_counts import CALLS
from schedmate.models.fitting import estimate, estimate_all, shortened
from schedmate.models.json_schema import as_text, decoding_schema, tool_schema
from schedmate.models.messages import Message, ModelFacts, Reply, Tool, user
from schedmate.models.replies import Unusable, calls_in_text, read_answer, read_calls, without_thoughts
from schedmate.models.tool_steps import read_step, step_messages, step_schema, without_tool_roles
from schedmate.models.voting import Voted, elected
from schedmate.models.written_calls import calls_written
from schedmate.tools.masking import mask_text

ANSWER_TOKENS = 1024
MARGIN_TOKENS = 32

OVERSIZE = 4
"""No tokenizer takes four times the bytes of our guess into a token: what is longer is cut before anyone counts it."""

SHOWN_CHARS = 2000
"""How much of a bad answer the model sees again when it is asked once more."""

Answer = TypeVar("Answer", bound=BaseModel)


class Gateway:
    """A LanguageModel over any backend. Raises nothing but ModelFailed; the caller's built-in answer then stands."""

    def __init__(self, backend: Backend, cache: AnswerCache | None = None, votes: int = 1) -> None:
        self.backend = backend
        self.cache = cache
        self.votes = votes
        """How many samples are taken of an answer that can be voted on."""
        self.calls_tools = True

    @property
    def name(self) -> str:
        """Name the model, as far as it is known without asking anyone."""
        return self.backend.name

    async def facts(self) -> ModelFacts:
        """Say which model answers and how much it can hold."""
        with CALLS.timed(self.name, counts_success=False):
            return await self.backend.facts()

    async def count_tokens(self, text: str) -> int:
        """Count the tokens of a text as one message: exactly where the server can, else rather too many."""
        return await self.backend.count(masked([user(text)]))

    async def fit(self, messages: Sequence[Message], answer_tokens: int = ANSWER_TOKENS) -> tuple[Message, ...]:
        """Cut the longest messages so that the answer has room; `answer` and `chat` do this by themselves."""
        facts = await self.facts()
        return await self.fitted(messages, facts.context_tokens - min(answer_tokens, facts.context_tokens // 2))

    async def answer(
        self, messages: Sequence[Message], schema: type[Answer], *, answer_tokens: int = ANSWER_TOKENS
    ) -> Answer:
        """Ask for an answer of a given form; one that is not valid is asked for once more, with what was wrong."""
        request = ModelRequest(self.tellable(messages), answer_tokens, decoding_schema(schema))

        def read(words: ModelReply) -> Answer:
            return read_answer(words.text, schema)

        samples = [replace(request, sample=number) for number in range(self.votes if issubclass(schema, Voted) else 1)]
        answers = await asyncio.gather(*(self.converse(sample, read, schema) for sample in samples))
        place = elected([answer for answer in answers if isinstance(answer, Voted)], self.name) if answers[1:] else 0
        return answers[place]

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), *, answer_tokens: int = ANSWER_TOKENS
    ) -> Reply:
        """Let the model speak freely or call tools; a wrong call carries its `problem`, for the model to hear."""
        if not tools:
            return await self.converse(ModelRequest(self.tellable(messages), answer_tokens), spoken_freely, Reply)
        if self.calls_tools:
            request = ModelRequest(tuple(messages), answer_tokens, tools=tuple(as_function(tool) for tool in tools))
            try:
                return await self.converse(request, lambda words: called(words, tools), Reply)
            except NotUnderstood:
                self.calls_tools = False
        return await self.step(messages, tools, answer_tokens)

    async def step(self, messages: Sequence[Message], tools: Sequence[Tool], answer_tokens: int) -> Reply:
        """Let a model without tool calling choose a tool by an answer under a schema."""
        request = ModelRequest(step_messages(messages, tools), answer_tokens, step_schema(tools))
        try:
            return await self.converse(
                request, lambda words: called(read_step(words, turn=len(messages)), tools), Reply
            )
        except NotUnderstood:
            # Refused either way: the tools were not the reason.
            self.calls_tools = True
            raise

    def tellable(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Keep tool roles from a model that has no tool calling: its chat template may not know them."""
        return tuple(messages) if self.calls_tools else without_tool_roles(messages)

    async def converse(self, request: ModelRequest, read: Callable[[ModelReply], Answer], kind: type[Answer]) -> Answer:
        """Look into the cache, ask, and ask once more where the first words could not be used."""
        request = await self.prepared(request)
        key = (await self.facts()).identity, request
        kept = await self.cache.find(*key, kind) if self.cache else None
        if kept is not None:
            return kept
        words = await self.speak(request)
        try:
            answer = read(words)
        except Unusable as problem:
            answer = await self.once_more(request, words, problem, read)
        if self.cache and worth_keeping(answer):
            await self.cache.keep(*key, answer)
        return answer

    async def once_more(
        self, request: ModelRequest, words: ModelReply, problem: Unusable, read: Callable[[ModelReply], Answer]
    ) -> Answer:
        """Say what was wrong, or give more room where the answer was cut off; a second bad answer is a failure."""
        if words.truncated:
            request = replace(request, answer_tokens=2 * request.answer_tokens)
            spoken = [user("Your reply was cut off. Answer again, and keep it short.")]
        else:
            bad = Message(role="assistant", content=words.text[:SHOWN_CHARS] or "(nothing)")
            spoken = [bad, user(f"That cannot be used: {problem}. Answer again, in the form that was asked for.")]
        words = await self.speak(await self.prepared(replace(request, messages=(*request.messages, *spoken))))
        try:
            return read(words)
        except Unusable as again:
            CALLS.unusable(self.name, "truncated" if words.truncated else "invalid")
            if words.truncated:
                hint = "the model may be rambling; a server started with --max-model-len larger gives it more room"
                raise ModelFailed(f"{self.name} did not finish its answer", hint, reason="truncated") from again
            raise ModelFailed(f"{self.name} gave no usable answer: {again}", reason="invalid") from again

    async def speak(self, request: ModelRequest) -> ModelReply:
        """Ask the backend; where it counts more tokens than we did, send half and ask once again."""
        with CALLS.timed(self.name) as call:
            try:
                words = await self.backend.speak(request)
            except PromptTooLong:
                chars = sum(len(message.content) for message in request.messages)
                words = await self.backend.speak(replace(request, messages=shortened(request.messages, chars // 2)))
            call.tokens = words.heard_tokens, words.spoken_tokens
            return words

    async def prepared(self, request: ModelRequest) -> ModelRequest:
        """Leave at least half of the context to the prompt, and make the prompt fit its share."""
        context = (await self.facts()).context_tokens
        answer_tokens = min(request.answer_tokens, context // 2)
        messages = await self.fitted(request.messages, context - answer_tokens - tokens_of_form(request))
        return replace(request, messages=messages, answer_tokens=answer_tokens)

    async def fitted(self, messages: Sequence[Message], room: int) -> tuple[Message, ...]:
        """Cut what does not fit; the exact count is asked for only where the guess says it might not."""
        room -= MARGIN_TOKENS
        fitting = masked(messages)
        guess = estimate_all(fitting)
        if guess > OVERSIZE * room > 0:
            chars = sum(len(message.content) for message in fitting)
            fitting = shortened(fitting, chars - chars * OVERSIZE * room // guess)
        for _ in range(4):
            if estimate_all(fitting) <= room:
                return fitting
            tokens = await self.backend.count(fitting)
            if tokens <= room:
                return fitting
            chars = sum(len(message.content) for message in fitting)
            fitting = shortened(fitting, excess=1 + chars * (tokens - room) // tokens)
        raise ModelFailed(
            "the prompt does not fit the model's context", "use a model with a longer one", reason="refused"
        )


def masked(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Let no secret of a log or of source code out: whatever is asked goes through here, and nothing else is sent."""
    return tuple(message.model_copy(update={"content": mask_text(message.content)}) for message in messages)


def spoken_freely(words: ModelReply) -> Reply:
    """Read words that are for people, or for the model itself later on."""
    text = without_thoughts(words.text)
    if words.problem or not text:
        raise Unusable(words.problem or "the reply is empty")
    return Reply(text=text, truncated=words.truncated)


def called(words: ModelReply, tools: Sequence[Tool]) -> Reply:
    """Read words that may hold tool calls, in their place or in the text."""
    if words.problem:
        raise Unusable(words.problem)
    text, written = calls_in_text(without_thoughts(words.text))
    known = {tool.name: tool for tool in tools}
    calls = read_calls(words.calls or written or calls_written(text, known), known)
    if not text and not calls:
        raise Unusable("the reply is empty")
    return Reply(text=text, tool_calls=calls, truncated=words.truncated)


def as_function(tool: Tool) -> dict[str, object]:
    """Write a tool as the API wants it."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool_schema(tool.arguments)}
    return {"type": "function", "function": function}


def tokens_of_form(request: ModelRequest) -> int:
    """Allow for tools, which the server writes into the prompt, and for a schema, which it may have to."""
    return sum(estimate(as_text(part)) for part in (*request.tools, request.schema or {}))


def worth_keeping(answer: BaseModel) -> bool:
    """Keep what can be built upon; a wrong tool call or half a reply may come out better next time."""
    return not isinstance(answer, Reply) or not (answer.truncated or any(call.problem for call in answer.tool_calls))
