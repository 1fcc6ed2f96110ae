"""What went wrong between us and a model server, in the words of our own errors."""

import asyncio

from schedmate.errors import FailureReason, ModelFailed
from schedmate.models.backend import NotThere, NotUnderstood, PromptTooLong, ServerBroke
from schedmate.models.bounded import TooLarge
from schedmate.models.patience import Passing, PatienceClock, asked_wait_s

TOO_LONG = (
    "maximum context length",
    "context_length_exceeded",
    "context length",
    "context window",
    "available context size",
    "maximum model length",
    "prompt is too long",
    "max_model_len",
)
"""How vLLM, OpenAI, llama.cpp and their proxies say that a prompt does not fit."""

MAX_DETAIL_CHARS = 300


def translated(error: Exception, url: str, timeout_s: float, clock: PatienceClock) -> Exception:
    """Turn whatever the client raised into a ModelFailed, wrapped in Passing where trying again may help."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return of_status(error.status_code, detail_of(error), dict(error.response.headers), url, clock)
    if isinstance(error, openai.APITimeoutError | asyncio.TimeoutError):
        hint = "raise SCHEDMATE_LLM_TIMEOUT_S, or look at the server's load"
        return ModelFailed(f"no answer from {url} within {timeout_s:g} s", hint, reason="timeout")
    if isinstance(too_large := error if isinstance(error, TooLarge) else error.__cause__, TooLarge):
        hint = "look at the server, or at a proxy in front of it"
        return ModelFailed(f"{url} sent {too_large}", hint, reason="invalid")
    if isinstance(error, openai.APIConnectionError):
        hint = "start the server, or correct SCHEDMATE_LLM_URL; `schedmate selftest` tries it"
        if type(error.__cause__).__name__ in {"ConnectError", "UnsupportedProtocol", "ProxyError"}:
            return ModelFailed(f"no model server answers at {url}", hint, reason="unreachable")
        return Passing(ModelFailed(f"{url} dropped the connection", hint, reason="unreachable"))
    if isinstance(error, openai.ContentFilterFinishReasonError):
        return ModelFailed("the server's content filter held the answer back", reason="refused")
    return ModelFailed(
        f"{url} answered with something else than a chat completion", "is it a /v1 URL?", reason="invalid"
    )


def of_status(status: int, detail: str, headers: dict[str, str], url: str, clock: PatienceClock) -> Exception:
    """Sort an HTTP status: what may pass, what the user has to mend, what another form of request may avoid."""
    said = f"{url} says {status}" + (f": {detail}" if detail else "")
    if status == 500:
        return Passing(ServerBroke(said), asked_wait_s(headers, clock))
    if status == 429 or status >= 500:
        reason: FailureReason = "timeout" if status == 504 else "busy"
        hint = "lower SCHEDMATE_LLM_CONCURRENCY, or look at the server's log"
        return Passing(ModelFailed(said, hint, reason=reason), asked_wait_s(headers, clock))
    if status == 413 or (status in (400, 422) and any(words in detail.lower() for words in TOO_LONG)):
        return PromptTooLong(said)
    if status in (400, 422):
        return NotUnderstood(said)
    if status in (404, 405):
        return NotThere(said)
    if 300 <= status < 400:
        where = "".join(char for char in headers.get("location", "") if char.isprintable())[:200]
        hint = "set SCHEDMATE_LLM_URL to where the server is; prompts are not sent on"
        return ModelFailed(f"{url} says {status}: go to {where or 'another place'}", hint, reason="refused")
    hints = {
        401: "set SCHEDMATE_LLM_KEY to the key that the server wants",
        403: "set SCHEDMATE_LLM_KEY to a key that may use this model",
    }
    return ModelFailed(said, hints.get(status, "check SCHEDMATE_LLM_URL"), reason="refused")


def detail_of(error: Exception) -> str:
    """Read the server's own sentence out of an error body of any shape; short, on one line, printable."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        body = inner.get("message", inner.get("detail", "")) if isinstance(inner, dict) else inner
    text = " ".join(str(body or "").split())
    return "".join(char for char in text if char.isprintable())[:MAX_DETAIL_CHARS]
