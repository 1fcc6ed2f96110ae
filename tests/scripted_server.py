"""A small real OpenAI-compatible server on loopback that says what a test wrote down for it.

In a test:          with ScriptedServer([says({"cause": "oom"}), fails(503)]) as server: ... server.url, server.requests
From a shell:       python -m tests.scripted_server --port 8000 [--script turns.json] [--delay 0.5]
A script is a list: [{"text": "..."}, {"tool_calls": [["read_file", {"path": "a.py"}]]}, {"status": 503}]

When the script is used up, it answers whatever was asked for with the smallest valid value of the wanted schema.
"""

import argparse
import base64
import contextlib
import hashlib
import json
import math
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

VECTOR_LENGTH = 64


@dataclass(frozen=True)
class Turn:
    """One reply: words and calls, or a failure; `body` replaces the whole body, `drop_after` cuts the connection."""

    text: str = ""
    tool_calls: Sequence[tuple[str, Any]] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0
    finish: str = "stop"
    body: bytes | None = None
    drop_after: int | None = None


def says(answer: Any, **how) -> Turn:
    """Answer with text, or with an object as JSON."""
    return Turn(text=answer if isinstance(answer, str) else json.dumps(answer), **how)


def calls(name: str, /, **arguments) -> Turn:
    """Answer with one tool call."""
    return Turn(tool_calls=((name, arguments),), finish="tool_calls")


def fails(status: int, message: str = "scripted failure", **headers: str) -> Turn:
    """Answer with an HTTP error in OpenAI's form; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"error": {"message": message, "type": "scripted", "code": status}}).encode()
    return Turn(status=status, headers=named, body=body)


@dataclass(frozen=True)
class Heard:
    """A request as it came in."""

    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]


class ScriptedServer(ThreadingHTTPServer):
    """Serve the turns in order, each once; `turns` may be a function of the request's body instead of a list."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        turns: Sequence[Turn] | Callable[[dict[str, Any]], Turn] = (),
        *,
        model: str = "scripted",
        max_model_len: int | None = 8192,
        json_schema: bool = True,
        tools: bool = True,
        tokenize: bool = True,
        key: str = "",
        delay_s: float = 0,
        port: int = 0,
    ) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.turns, self.next_turn = turns, 0
        self.model, self.max_model_len = model, max_model_len
        self.json_schema, self.tools, self.tokenize = json_schema, tools, tokenize
        self.key, self.delay_s = key, delay_s
        self.requests: list[Heard] = []
        self.in_flight = self.most_in_flight = 0
        self.guard = threading.Lock()
        self.closing = threading.Event()
        self.stalled = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> "ScriptedServer":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that have gone: tests make them go."""

    def turn_for(self, body: dict[str, Any]) -> Turn:
        """Take the next turn of the script; obey the schema when there is none left."""
        if callable(self.turns):
            return self.turns(body)
        with self.guard:
            number, self.next_turn = self.next_turn, self.next_turn + 1
        return self.turns[number] if number < len(self.turns) else obedient(body)

    def chats(self) -> list[dict[str, Any]]:
        """Give the bodies of the chat requests, in their order."""
        return [heard.body for heard in self.requests if heard.path.endswith("/chat/completions")]


class Handler(BaseHTTPRequestHandler):
    """The few paths of the API that a client of ours uses."""

    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def log_message(self, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """List the models."""
        self.hear({})
        if not self.allowed():
            return
        if self.path.endswith("/models"):
            served = {"id": self.server.model, "object": "model", "owned_by": "tests", "root": "/weights/scripted"}
            if self.server.max_model_len:
                served["max_model_len"] = self.server.max_model_len
            self.send(200, {"object": "list", "data": [served]})
        else:
            self.send(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        """Chat, count or embed."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        self.hear(body)
        if not self.allowed():
            return
        if self.path.endswith("/chat/completions"):
            self.chat(body)
        elif self.path.endswith("/embeddings"):
            self.embed(body)
        elif self.path.endswith("/tokenize") and self.server.tokenize:
            if self.server.stalled.is_set():
                self.server.closing.wait(30)
            count = len(words_of(body))
            self.send(200, {"count": count, "max_model_len": self.server.max_model_len, "tokens": [0] * count})
        else:
            self.send(404, {"error": {"message": "no such path"}})

    def hear(self, body: dict[str, Any]) -> None:
        """Remember the request for the test to look at."""
        with self.server.guard:
            self.server.requests.append(Heard(self.path, body, dict(self.headers)))

    def allowed(self) -> bool:
        """Check the key, where the server has one."""
        if self.server.key and self.headers.get("Authorization") != f"Bearer {self.server.key}":
            self.send(401, {"error": {"message": "wrong key"}})
            return False
        return True

    def chat(self, body: dict[str, Any]) -> None:
        """Refuse what this server is told not to know; else play the next turn."""
        if body.get("tools") and not self.server.tools:
            message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
            self.send(400, {"error": {"message": message, "type": "BadRequestError", "code": 400}})
        elif body.get("response_format") and not self.server.json_schema:
            self.send(400, {"error": {"message": "response_format of this type is not supported"}})
        else:
            self.play(self.server.turn_for(body), body)

    def play(self, turn: Turn, body: dict[str, Any]) -> None:
        """Wait, then send the turn, and count how many are waiting at once."""
        server = self.server
        with server.guard:
            server.in_flight += 1
            server.most_in_flight = max(server.most_in_flight, server.in_flight)
        try:
            server.closing.wait(turn.delay_s + server.delay_s)
        finally:
            with server.guard:
                server.in_flight -= 1
        self.send(turn.status, completion(turn, body), turn)

    def embed(self, body: dict[str, Any]) -> None:
        """Give each text a vector that depends on its words alone."""
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        data = []
        for index, text in enumerate(texts):
            vector: Any = word_vector(str(text))
            if body.get("encoding_format") == "base64":
                vector = base64.b64encode(struct.pack(f"<{VECTOR_LENGTH}f", *vector)).decode()
            data.append({"object": "embedding", "index": index, "embedding": vector})
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self.send(200, {"object": "list", "model": self.server.model, "data": data, "usage": usage})

    def send(self, status: int, answer: Any, turn: Turn | None = None) -> None:
        """Write the answer, or as much of it as the script allows."""
        turn = turn or Turn()
        payload = turn.body if turn.body is not None else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        for name, value in turn.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload[: turn.drop_after])
        if turn.drop_after is not None:
            self.close_connection = True


def completion(turn: Turn, body: dict[str, Any]) -> dict[str, Any]:
    """Write a turn as a chat completion; arguments that are a string are sent as they stand, valid or not."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
    if turn.tool_calls:
        message["tool_calls"] = [
            {
                "id": f"call-{number}",
                "type": "function",
                "function": {"name": name, "arguments": args if isinstance(args, str) else json.dumps(args)},
            }
            for number, (name, args) in enumerate(turn.tool_calls)
        ]
    spoken, read = len(turn.text.split()), len(words_of(body))
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": turn.finish}],
        "usage": {"prompt_tokens": read, "completion_tokens": spoken, "total_tokens": read + spoken},
    }


def words_of(body: dict[str, Any]) -> list[str]:
    """Count a token a word: simple enough to reckon with in a test."""
    texts = [body.get("prompt") or ""] + [message.get("content") or "" for message in body.get("messages", [])]
    return " ".join(texts).split()


def obedient(body: dict[str, Any]) -> Turn:
    """Do what was asked for in the simplest way: a minimal valid object, or a word."""
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        return says(smallest(form["json_schema"]["schema"]))
    return says("ok")


def smallest(schema: dict[str, Any]) -> Any:
    """Make the smallest value of a schema of the kind that this project writes."""
    for word in ("anyOf", "oneOf"):
        if word in schema:
            options = schema[word]
            return smallest(next((option for option in options if option.get("type") == "null"), options[0]))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: smallest(part) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [smallest(schema["items"])] * schema.get("minItems", 0)
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"string": "x", "boolean": False}.get(kind)


def word_vector(text: str) -> list[float]:
    """Add up one pseudo-random direction a word, so that texts that share words lie close together."""
    total = [0.0] * VECTOR_LENGTH
    for word in text.lower().split():
        digest = hashlib.shake_128(word.encode("utf-8", "surrogatepass")).digest(VECTOR_LENGTH)
        total = [value + byte - 127.5 for value, byte in zip(total, digest, strict=True)]
    norm = math.sqrt(sum(value * value for value in total)) or 1.0
    return [value / norm for value in total]


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--script", type=argparse.FileType(), help="JSON list of turns, see above")
    parser.add_argument("--delay", type=float, default=0, help="seconds before each answer")
    parser.add_argument("--model", default="scripted")
    parser.add_argument("--max-model-len", type=int, default=8192)
    parser.add_argument("--no-json-schema", action="store_true", help="refuse response_format")
    parser.add_argument("--no-tools", action="store_true", help="refuse tools, as vLLM without its flags does")
    options = parser.parse_args()
    server = ScriptedServer(
        [Turn(**turn) for turn in json.load(options.script)] if options.script else [],
        model=options.model,
        max_model_len=options.max_model_len,
        json_schema=not options.no_json_schema,
        tools=not options.no_tools,
        delay_s=options.delay,
        port=options.port,
    )
    print(f"export SCHEDMATE_LLM_URL={server.url}", flush=True)
    with server, contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


if __name__ == "__main__":
    main()
