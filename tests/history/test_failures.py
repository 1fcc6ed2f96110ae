"""Past diagnoses are found by what their root line means, with any embedder, and kept once a log."""

import numpy as np
import pytest

from schedmate.history.failures import remember, similar_failures
from schedmate.schemas import Diagnosis


class Letters:
    """A small honest embedder: how often each letter occurs."""

    def __init__(self, name="letters"):
        self.name = name

    def embed(self, texts):
        counts = np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


OUT_OF_MEMORY = Diagnosis(category="framework", failure_id="torch.cuda_oom", confidence=0.9)
NO_SPACE = Diagnosis(category="infrastructure", subcategory="node", failure_id="storage.disk_full", confidence=0.9)


def test_nothing_remembered_finds_nothing(tmp_path):
    assert similar_failures(tmp_path, "CUDA out of memory", Letters()) == []


def test_the_nearest_comes_first(tmp_path):
    remember(tmp_path, "a.log", "CUDA out of memory", OUT_OF_MEMORY)
    remember(tmp_path, "b.log", "No space left on device", NO_SPACE)
    first, second = similar_failures(tmp_path, "cuda ran out of memory", Letters())
    assert (first.log, first.diagnosis) == ("a.log", OUT_OF_MEMORY)
    assert first.similarity > second.similarity


def test_what_comes_later_is_found_too(tmp_path):
    remember(tmp_path, "a.log", "CUDA out of memory", OUT_OF_MEMORY)
    similar_failures(tmp_path, "x", Letters())
    remember(tmp_path, "b.log", "No space left on device", NO_SPACE)
    assert similar_failures(tmp_path, "no space left", Letters(), k=1)[0].log == "b.log"


def test_the_same_root_of_a_log_is_one_memory_with_the_latest_answer(tmp_path):
    remember(tmp_path, "a.log", "boom", OUT_OF_MEMORY)
    remember(tmp_path, "a.log", "boom", NO_SPACE)
    assert [past.diagnosis for past in similar_failures(tmp_path, "boom", Letters())] == [NO_SPACE]


def test_embedders_do_not_mix(tmp_path):
    remember(tmp_path, "a.log", "CUDA out of memory", OUT_OF_MEMORY)
    for name in ("letters", "other letters"):
        assert similar_failures(tmp_path, "CUDA out of memory", Letters(name))[0].similarity == pytest.approx(
            1, abs=1e-5
        )
