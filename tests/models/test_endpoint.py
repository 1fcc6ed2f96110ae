"""A server of vectors through real HTTP: good answers, late ones, and answers that no one should compute with."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from schedmate.errors import ModelFailed
from schedmate.models.embedders.endpoint import BATCH_TEXTS, EndpointEmbedder


def good_vector(text):
    counts = np.zeros(8)
    for word in text.lower().split():
        counts[sum(word.encode("utf-8", "surrogatepass")) % 8] += 1
    return [*counts.tolist(), 1.0]


class VectorServer(ThreadingHTTPServer):
    """Play the replies that were written down, then answer well."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies, self.heard = [], []
        self.stuck = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        self.reply(200, {"data": [{"id": "first-model"}]})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append((asked, dict(self.headers)))
        if self.server.replies:
            reply = self.server.replies.pop(0)
            if reply == "stuck":
                self.server.stuck.wait(10)
                return
            self.reply(*reply)
            return
        data = [{"index": place, "embedding": good_vector(text)} for place, text in enumerate(asked["input"])]
        self.reply(200, {"data": data[::-1]})

    def reply(self, status, body):
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)


@pytest.fixture
def server():
    with VectorServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.stuck.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def waits():
    return []


@pytest.fixture
def embedder(server, waits):
    embedder = EndpointEmbedder(server.url, key="secret", timeout_s=5, wait=waits.append)
    yield embedder
    embedder.client.close()


def vectors_of(*rows):
    return 200, {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}


def test_keeps_order_and_length_over_batches(embedder, server):
    texts = [f"word{number} and {number % 7}" for number in range(BATCH_TEXTS * 2 + 5)]
    vectors = embedder.embed(texts)
    expected = np.array([good_vector(text) for text in texts])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-5)
    assert [len(asked["input"]) for asked, _ in server.heard] == [BATCH_TEXTS, BATCH_TEXTS, 5]
    assert vectors.dtype == np.float32


def test_asks_which_model_is_served_and_sends_the_key(embedder, server):
    assert embedder.dimensions == 9
    assert embedder.name == "endpoint:first-model"
    asked, headers = server.heard[0]
    assert asked["model"] == "first-model"
    assert headers["Authorization"] == "Bearer secret"
    assert embedder.embed([]).shape == (0, 9)


def test_empty_and_huge_texts_are_sent_within_bounds(embedder, server):
    embedder.embed(["", "x" * 1_000_000, "broken \udc80 byte"])
    assert server.heard[0][0]["input"][0] == " "
    assert len(server.heard[0][0]["input"][1]) < 10_000


def test_a_busy_server_is_asked_again_later(embedder, server, waits):
    server.replies = [(503, {"error": "loading"}), (429, b"slow down")]
    assert embedder.embed(["x"]).shape == (1, 9)
    assert waits == [0.5, 1.0]


def test_a_server_that_stays_broken_is_a_typed_failure(embedder, server):
    server.replies = [(500, b"boom")] * 9
    with pytest.raises(ModelFailed, match="status 500: boom") as caught:
        embedder.embed(["x"])
    assert caught.value.reason == "busy"
    assert len(server.heard) == 3


@pytest.mark.parametrize(
    "reply",
    [
        (200, b"<html>hello</html>"),
        (200, []),
        (200, {"data": []}),
        (200, {"data": [{"index": 0}]}),
        (200, {"data": [{"index": 0, "embedding": "AAAA"}]}),
        (200, {"data": [{"index": 7, "embedding": [1, 2]}]}),
        (200, b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'),
        vectors_of([1, 2], [1, 2]),
        vectors_of([]),
        vectors_of([0, 0, 0]),
        vectors_of([1, [2]]),
    ],
)
def test_what_is_no_vector_is_refused(embedder, server, reply):
    server.replies = [reply]
    with pytest.raises(ModelFailed) as caught:
        embedder.embed(["x"])
    assert caught.value.reason == "invalid"
    assert len(server.heard) == 1, "asking again would not help"


def test_a_change_of_length_is_refused(embedder, server):
    embedder.embed(["x"])
    server.replies = [vectors_of([1, 2])]
    with pytest.raises(ModelFailed, match="after vectors of 9"):
        embedder.embed(["x"])


def test_refusals_are_told_with_a_hint(embedder, server):
    server.replies = [(401, {"error": "wrong key"})]
    with pytest.raises(ModelFailed, match="wrong key") as caught:
        embedder.embed(["x"])
    assert "SCHEDMATE_LLM_KEY" in caught.value.hint


def test_a_stuck_server_is_given_up(server, waits):
    embedder = EndpointEmbedder(server.url, "m", timeout_s=0.2, attempts=2, wait=waits.append)
    server.replies = ["stuck", "stuck"]
    with pytest.raises(ModelFailed, match="nothing in time") as caught, embedder.client:
        embedder.embed(["x"])
    assert caught.value.reason == "timeout"


def test_no_server_is_said_at_once(waits):
    with pytest.raises(ModelFailed, match="no embeddings server answers") as caught:
        EndpointEmbedder("http://127.0.0.1:9/v1", "m", wait=waits.append).embed(["x"])
    assert caught.value.reason == "unreachable"
