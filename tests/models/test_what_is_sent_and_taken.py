"""What leaves for a model server, and how much of what comes from one is taken in."""

import asyncio
import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from evals.leaking.spellings import leaks
from schedmate import classify, diagnose, extract, track
from schedmate.errors import ModelFailed
from schedmate.models.bounded import MOST_BYTES
from schedmate.models.embedders.endpoint import EndpointEmbedder
from schedmate.models.llm import Message, user
from schedmate.settings import get_settings
from tests.scripted_server import ScriptedServer, Turn


def sent(server):
    """Give all that the server heard, as text."""
    return "\n".join(json.dumps(heard.body, ensure_ascii=False) for heard in server.requests)


def as_json(secret):
    return json.dumps(secret, ensure_ascii=False)[1:-1]


@pytest.mark.parametrize("seed", range(3))
def test_no_secret_is_sent_in_a_conversation(model_on, verdict, seed):
    drawn = list(leaks(seed))
    text = "\n".join(text for _, text, _ in drawn)
    with ScriptedServer(max_model_len=1_000_000) as server:
        model = model_on(server)
        asyncio.run(model.chat([user(text), Message(role="tool", content=text, tool_call_id="1")]))
        asyncio.run(model.count_tokens(text))
    heard = sent(server)
    assert heard.count("https://api.example.org") > 20
    assert [what for what, _, secret in drawn if as_json(secret) in heard] == []


@pytest.mark.parametrize("verb", [diagnose, track, classify])
def test_no_secret_of_a_log_is_sent(tmp_path, monkeypatch, verb):
    drawn = [leak for leak in leaks(7) if "\n" not in leak[1]][::6]
    log = tmp_path / "job.log"
    log.write_text(
        "".join(
            f"zork {n} of 90, quux {n / 7:.3f} {text}\nError: the gizmo failed with {text}\n"
            for n, (_, text, _) in enumerate(drawn)
        )
    )
    with ScriptedServer(max_model_len=100_000) as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        get_settings.cache_clear()
        verb(log, engine="model")
    assert server.chats()
    heard = sent(server)
    assert [what for what, _, secret in drawn if as_json(secret) in heard] == []


def test_no_secret_of_a_command_or_a_repository_is_sent(tmp_path, monkeypatch):
    (tmp_path / "train.py").write_text("password = 'hunter2plus4'\nfor step in range(3):\n    pass\n")
    with ScriptedServer(max_model_len=100_000) as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        get_settings.cache_clear()
        extract(tmp_path, command="DB_PASS=Zq3vXw8T python train.py --api-key abcdefg", engine="model")
    assert server.chats()
    assert not [secret for secret in ("hunter2plus4", "Zq3vXw8T", "abcdefg") if secret in sent(server)]


def test_no_secret_is_sent_to_be_embedded():
    drawn = [leak for leak in leaks(3) if "\n" not in leak[1]]
    with ScriptedServer() as server:
        embedder = EndpointEmbedder(server.url, "m", timeout_s=60)
        with embedder.client:
            embedder.embed([text for _, text, _ in drawn])
    assert [what for what, _, secret in drawn if as_json(secret) in sent(server)] == []


def test_a_reply_that_unpacks_to_gigabytes_is_not_unpacked(model_on, verdict):
    bomb = gzip.compress(bytes(64 << 20))
    packed = Turn(body=bomb, headers={"Content-Encoding": "gzip"})
    with ScriptedServer([packed] * 9) as server, pytest.raises(ModelFailed, match="packed as 'gzip'"):
        asyncio.run(model_on(server).answer([user("?")], verdict))
    assert len(server.chats()) == 1
    assert {name.lower(): value for name, value in server.requests[-1].headers.items()}["accept-encoding"] == "identity"


def test_a_reply_without_end_is_not_read_to_its_end(model_on, verdict):
    with ScriptedServer([Turn(body=b" " * (MOST_BYTES + (1 << 20)))] * 9) as server:
        with pytest.raises(ModelFailed, match="more than 8 MiB"):
            asyncio.run(model_on(server).answer([user("?")], verdict))
        assert len(server.chats()) == 1


class PackedVectors(BaseHTTPRequestHandler):
    """Answers everything with zeros, packed."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = gzip.compress(bytes(1 << 20))
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_vectors_that_are_packed_are_refused():
    with HTTPServer(("127.0.0.1", 0), PackedVectors) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        embedder = EndpointEmbedder(f"http://127.0.0.1:{server.server_address[1]}/v1", "m", timeout_s=60)
        with embedder.client, pytest.raises(ModelFailed, match="packed as 'gzip'"):
            embedder.embed(["a"])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_prompt_is_not_sent_on(model_on, verdict, status):
    with ScriptedServer() as other:
        away = Turn(status=status, headers={"Location": f"{other.url}/chat/completions"}, body=b"")
        with ScriptedServer([away] * 9) as server, pytest.raises(ModelFailed, match="says 30") as caught:
            asyncio.run(model_on(server).answer([user("?")], verdict))
    assert other.requests == []
    assert other.url in caught.value.message
