"""A model in this very process: outlines holds the weights of transformers to the schema, token by token."""

import asyncio
import threading
import time
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from schedmate.errors import MissingExtra, ModelFailed
from schedmate.models.backend import ModelReply, ModelRequest, NotUnderstood
from schedmate.models.json_schema import as_text, with_digits_bounded
from schedmate.models.messages import Message, ModelFacts
from schedmate.models.server import ASSUMED_CONTEXT_TOKENS
from schedmate.models.voting import TEMPERATURE
from schedmate.settings import Settings

KEPT_SCHEMAS = 32
"""Compiled schemas kept: compiling one may take seconds, and an agent has few."""


class InProcessBackend:
    """Speak to weights on this machine, one call after the other: they share one set of weights and cores."""

    def __init__(self, path: Path, settings: Settings) -> None:
        if not all(find_spec(library) for library in ("outlines", "transformers", "torch")):
            raise MissingExtra(f"the in-process model {path}", "outlines")
        self.path = path
        self.settings = settings
        self.lock = threading.Lock()
        self.generator_for = lru_cache(KEPT_SCHEMAS)(self.compiled)

    @property
    def name(self) -> str:
        """Name the model by its folder."""
        return self.path.name

    @cached_property
    def model(self) -> Any:
        """Load the weights, at the first call that needs them; never fetch any from a hub."""
        import outlines
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()

        # outlines applies its mask with a compiled kernel: 20 s at the first call, a failure without a C++ compiler.
        torch.compiler.set_stance("force_eager")
        try:
            weights = AutoModelForCausalLM.from_pretrained(self.path, local_files_only=True)
            tokenizer = AutoTokenizer.from_pretrained(self.path, local_files_only=True)
            return outlines.from_transformers(weights, tokenizer)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            first_line = str(error).strip().partition("\n")[0]
            hint = "SCHEDMATE_LLM names a directory with weights and tokenizer of a causal language model"
            raise ModelFailed(f"{self.path} cannot be loaded: {first_line}", hint, reason="unreachable") from error

    async def facts(self) -> ModelFacts:
        """Read how much the model holds from its configuration."""
        return await asyncio.to_thread(self.facts_now)

    def facts_now(self) -> ModelFacts:
        """Load the model where that has not happened yet, and read its configuration."""
        with self.lock:
            config = self.model.model.config
        tokens = self.settings.llm_context_tokens or getattr(config, "max_position_embeddings", 0)
        identity = f"{self.path.resolve()}@{weights_stamp(self.path)}"
        return ModelFacts(name=self.name, identity=identity, context_tokens=tokens or ASSUMED_CONTEXT_TOKENS)

    async def count(self, messages: Sequence[Message]) -> int:
        """Count with the model's own tokenizer."""

        def counted() -> int:
            with self.lock:
                return len(self.model.hf_tokenizer.encode(self.prompt(messages)))

        return await asyncio.to_thread(counted)

    async def speak(self, request: ModelRequest) -> ModelReply:
        """Generate in a thread; tools are asked for through a schema, see tool_steps."""
        if request.tools:
            raise NotUnderstood("an in-process model has no tool calling of its own", by_server=False)
        return await asyncio.to_thread(self.generate, request)

    def generate(self, request: ModelRequest) -> ModelReply:
        """Generate within the answer's tokens and the time that a call may take."""
        with self.lock:
            generator = self.generator_for(as_text(with_digits_bounded(request.schema)) if request.schema else "")
            started_s, counter = time.monotonic(), TokenCounter()
            try:
                text = generator(
                    self.spoken(request.messages),
                    max_new_tokens=request.answer_tokens,
                    max_time=self.settings.llm_timeout_s,
                    **sampling(request.sample),
                    streamer=counter,
                )
            except (RuntimeError, ValueError, IndexError) as error:
                raise ModelFailed(f"{self.name} failed while generating: {error}", reason="invalid") from error
        if time.monotonic() - started_s >= self.settings.llm_timeout_s:
            hint = "raise SCHEDMATE_LLM_TIMEOUT_S, or use a smaller model or a server"
            raise ModelFailed(f"{self.name} took more than {self.settings.llm_timeout_s:g} s", hint, reason="timeout")
        return ModelReply(text, truncated=counter.tokens >= request.answer_tokens, spoken_tokens=counter.tokens)

    def compiled(self, schema: str) -> Any:
        """Compile a schema into a mask over the vocabulary."""
        import outlines

        return outlines.Generator(self.model, outlines.json_schema(schema) if schema else None)

    def spoken(self, messages: Sequence[Message]) -> Any:
        """Hand the turns to outlines, which applies the model's template itself where there is one."""
        import outlines

        return outlines.inputs.Chat(turns(messages)) if self.model.hf_tokenizer.chat_template else plain(messages)

    def prompt(self, messages: Sequence[Message]) -> str:
        """Write the conversation as the model will read it, to count its tokens."""
        tokenizer = self.model.hf_tokenizer
        if not tokenizer.chat_template:
            return plain(messages)
        return str(tokenizer.apply_chat_template(turns(messages), tokenize=False, add_generation_prompt=True))


def sampling(sample: int) -> dict[str, Any]:
    """Give the options of a greedy answer, or of one of several that may differ."""
    if not sample:
        return {"do_sample": False}
    import torch

    torch.manual_seed(sample)
    return {"do_sample": True, "temperature": TEMPERATURE}


class TokenCounter:
    """Count what is generated; transformers hands over the prompt first, then token by token."""

    def __init__(self) -> None:
        self.tokens = -1

    def put(self, tokens: Any) -> None:
        """Take the prompt as a whole, or one token."""
        self.tokens += 1

    def end(self) -> None:
        """Hear that it is over."""


def turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Write messages as a chat template reads them."""
    return [{"role": message.role, "content": message.content} for message in messages]


def plain(messages: Sequence[Message]) -> str:
    """Write the conversation for a model that was never taught one."""
    return "\n\n".join(f"{message.role}: {message.content}" for message in messages) + "\n\nassistant:"


def weights_stamp(path: Path) -> str:
    """Tell weights that were replaced from those that were there before."""
    files = sorted(path.glob("*.safetensors")) or [path / "config.json"]
    return "-".join(f"{file.stat().st_size}.{file.stat().st_mtime_ns}" for file in files)
