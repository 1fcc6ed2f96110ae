"""A small server of OpenAI's API on loopback, behind which a player of ours sits instead of weights."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CHARS_PER_TOKEN = 4
"""Tokens are counted by characters: what a tokenizer makes of English and code, rather few for logs."""


@dataclass(frozen=True)
class Asked:
    """One request: what was said so far, the form that the answer must have, and the tools that may be used."""

    messages: list[dict[str, Any]]
    properties: dict[str, Any]
    tools: list[str]
    sample: int = 0
    """Which of several answers to the same question is asked for."""

    @property
    def text(self) -> str:
        """Give what the model is told last."""
        return str(self.messages[-1].get("content") or "")


@dataclass(frozen=True)
class Said:
    """One reply: words, or one call of a tool."""

    text: str = ""
    call: tuple[str, dict[str, Any]] | None = None


Player = Callable[[Asked], Said]


class PlayedServer(ThreadingHTTPServer):
    """Ask the player of the moment for each reply, and count calls and tokens."""

    daemon_threads = True

    def __init__(self, context_tokens: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.context_tokens = context_tokens
        self.player: Player | None = None
        self.calls = self.read_tokens = self.spoken_tokens = 0
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> "PlayedServer":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def counts(self) -> tuple[int, int, int]:
        """Give calls, tokens read and tokens spoken so far."""
        return self.calls, self.read_tokens, self.spoken_tokens

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        """Let the player answer, in the form of a chat completion."""
        assert self.player
        form = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
        tools = [tool["function"]["name"] for tool in body.get("tools") or []]
        said = self.player(Asked(body["messages"], form.get("properties", {}), tools, body.get("seed") or 0))
        read, spoken = tokens_of(json.dumps(body)), tokens_of(said.text + json.dumps(said.call))
        self.calls, self.read_tokens, self.spoken_tokens = (
            self.calls + 1,
            self.read_tokens + read,
            self.spoken_tokens + spoken,
        )
        message: dict[str, Any] = {"role": "assistant", "content": said.text}
        if said.call:
            function = {"name": said.call[0], "arguments": json.dumps(said.call[1])}
            message["tool_calls"] = [{"id": f"call-{self.calls}", "type": "function", "function": function}]
        return {
            "id": "chatcmpl-played", "object": "chat.completion", "created": 0, "model": "played",
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if said.call else "stop"}],
            "usage": {"prompt_tokens": read, "completion_tokens": spoken, "total_tokens": read + spoken},
        }  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    """The three paths of the API that a client of ours uses."""

    protocol_version = "HTTP/1.1"
    server: PlayedServer

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """List the one model."""
        served = {"id": "played", "object": "model", "root": "played", "max_model_len": self.server.context_tokens}
        self.send({"object": "list", "data": [served]})

    def do_POST(self) -> None:
        """Chat or count."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.path.endswith("/chat/completions"):
            self.send(self.server.reply(body))
        else:
            count = tokens_of(json.dumps(body.get("messages") or body.get("prompt") or ""))
            self.send({"count": count, "max_model_len": self.server.context_tokens, "tokens": []})

    def send(self, answer: dict[str, Any]) -> None:
        """Write an answer."""
        payload = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


def tokens_of(text: str) -> int:
    """Count tokens by characters."""
    return -(-len(text) // CHARS_PER_TOKEN)
