"""Vectors from an OpenAI-compatible `/embeddings` endpoint, as vLLM, TEI, Ollama and llama.cpp serve it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np

from schedmate.counts import how_many
from schedmate.errors import FailureReason, ModelFailed
from schedmate.models.bounded import PLAIN, TooLarge, bound_vectors
from schedmate.models.embedders.embedder import Vectors, sendable
from schedmate.tools.masking import mask_text

BATCH_TEXTS = 64
MAX_CHARS = 8_000
MAX_DETAIL_CHARS = 300
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
TRANSIENT = {408, 425, 429, 500, 502, 503, 504}


class EndpointEmbedder:
    """Ask a server in batches; what it answers is checked before anyone computes with it."""

    def __init__(
        self,
        url: str,
        model: str = "",
        key: str = "",
        timeout_s: float = 60.0,
        attempts: int = 3,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/").removesuffix("/embeddings")
        self.wanted_model = model
        self.attempts = attempts
        self.wait = wait
        self.client = httpx.Client(
            timeout=timeout_s,
            headers=PLAIN | ({"Authorization": f"Bearer {key}"} if key else {}),
            follow_redirects=False,
            event_hooks={"response": [bound_vectors]},
        )
        self.known_dimensions = 0

    @property
    def name(self) -> str:
        """Name the model; without one set, the server is asked which it serves."""
        if not self.wanted_model:
            self.wanted_model = self.served_model()
        return f"endpoint:{self.wanted_model}"

    @property
    def dimensions(self) -> int:
        """Give the vectors' length, which only a vector can tell."""
        if not self.known_dimensions:
            self.embed(["dimensions"])
        return self.known_dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed in batches of equal order; any batch that cannot be had fails the whole call."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return np.concatenate(
            [self.embed_batch(texts[start : start + BATCH_TEXTS]) for start in range(0, len(texts), BATCH_TEXTS)]
        )

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Ask for one batch; an empty text goes as a space, which no server refuses."""
        model = self.name.removeprefix("endpoint:")
        wanted = {
            "model": model,
            "input": [mask_text(sendable(text, MAX_CHARS)) or " " for text in texts],
            "encoding_format": "float",
        }
        vectors = self.read_vectors(self.request("POST", "/embeddings", wanted), len(texts))
        if self.known_dimensions and vectors.shape[1] != self.known_dimensions:
            raise self.failed(
                f"vectors of {how_many(vectors.shape[1], 'number')} after vectors of {self.known_dimensions}"
            )
        self.known_dimensions = int(vectors.shape[1])
        return vectors

    def read_vectors(self, answer: Any, count: int) -> Vectors:
        """Put the vectors in the order of the texts and bring them to length 1, or refuse the answer."""
        try:
            by_index = {int(entry["index"]): entry["embedding"] for entry in answer["data"]}
            vectors = np.array([by_index[place] for place in range(count)], np.float64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise self.failed(f"an answer that holds no vector for each of {how_many(count, 'text')}") from error
        if len(by_index) != count or vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
            raise self.failed(f"an answer that is not {how_many(count, 'vector')} of numbers")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not lengths.all():
            raise self.failed("a vector of zeros")
        normalised: Vectors = (vectors / lengths).astype(np.float32)
        return normalised

    def served_model(self) -> str:
        """Ask for the list of models and take the first."""
        answer = self.request("GET", "/models")
        try:
            return str(answer["data"][0]["id"])
        except (KeyError, IndexError, TypeError) as error:
            raise self.failed("no list of models", "set SCHEDMATE_EMBEDDER_MODEL") from error

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a request and read its JSON; try again, later and later, what may pass by itself."""
        for attempt in range(1, self.attempts + 1):
            try:
                response = self.client.request(method, self.url + path, json=body)
                if response.status_code == 200:
                    return response.json()
                failure = self.refused(response)
                passing = response.status_code in TRANSIENT
            except TooLarge as error:
                raise self.failed(str(error), "look at the server, or at a proxy in front of it") from error
            except httpx.TimeoutException:
                failure = self.failed("nothing in time", "raise SCHEDMATE_LLM_TIMEOUT_S", "timeout")
                passing = True
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                hint = "start the server, or correct SCHEDMATE_EMBEDDER"
                failure = ModelFailed(
                    f"no embeddings server answers at {self.url}: {error}", hint, reason="unreachable"
                )
                passing = isinstance(error, httpx.RemoteProtocolError | httpx.ReadError)
            except ValueError as error:
                raise self.failed("something that is not JSON", "is it a /v1 URL?") from error
            if not passing or attempt == self.attempts:
                raise failure
            self.wait(min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S))
        raise AssertionError("the last attempt returns or raises")

    def refused(self, response: httpx.Response) -> ModelFailed:
        """Say what the server said instead of vectors."""
        said = " ".join(response.text[:MAX_DETAIL_CHARS].split())
        hint = "see SCHEDMATE_LLM_KEY" if response.status_code in (401, 403) else "see SCHEDMATE_EMBEDDER(_MODEL)"
        reason: FailureReason = "busy" if response.status_code in TRANSIENT else "refused"
        return self.failed(f"status {response.status_code}: {said}", hint, reason)

    def failed(self, what: str, hint: str = "", reason: FailureReason = "invalid") -> ModelFailed:
        """Word a failure of this server."""
        return ModelFailed(f"the embeddings server at {self.url} gave {what}", hint, reason=reason)
