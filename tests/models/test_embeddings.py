"""The built-in embedder is the same everywhere; the other kinds fail with a hint where they cannot be had."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.errors import MissingExtra, ModelFailed
from schedmate.models.embedders import built_in
from schedmate.models.embedders.endpoint import EndpointEmbedder
from schedmate.models.embeddings import open_embedder
from schedmate.settings import Settings
from tests.models.embedder_contract import TEXTS, check_contract


@pytest.fixture(scope="module")
def embedder():
    return built_in.open_built_in()


def test_built_in_keeps_the_contract(embedder):
    check_contract(embedder)


def test_settings_choose_the_kind():
    assert open_embedder(Settings(embedder="built-in")) is open_embedder(Settings(embedder=""))
    server = open_embedder(Settings(embedder="http://127.0.0.1:9/v1", embedder_model="m"))
    assert isinstance(server, EndpointEmbedder)
    assert server.name == "endpoint:m"


def test_built_in_gives_the_same_bits_in_another_process(embedder):
    code = (
        "import sys\n"
        "from schedmate.models.embedders.built_in import open_built_in\n"
        "sys.stdout.buffer.write(open_built_in().embed(['loss is nan', 'Xid 79 GPU0', 'café']).tobytes())\n"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert there == embedder.embed(["loss is nan", "Xid 79 GPU0", "café"]).tobytes()


@given(st.lists(st.text(max_size=80), max_size=6), st.lists(st.text(max_size=80), max_size=6))
def test_a_text_has_one_vector_whatever_stands_around_it(before, after):
    embedder = built_in.open_built_in()
    text = "NCCL watchdog timeout on rank 3"
    among = embedder.embed([*before, text, *after])[len(before)]
    assert among.tobytes() == embedder.embed([text])[0].tobytes()


def test_memory_is_bounded_and_forgetting_changes_nothing(embedder, monkeypatch):
    first = embedder.embed(TEXTS)
    monkeypatch.setattr(built_in, "REMEMBERED_WORDS", 10)
    for start in range(0, 3000, 300):
        embedder.embed([f"word{number}x other{number}y" for number in range(start, start + 300)])
        assert len(embedder.places) <= 10 + 2 * built_in.BLOCK_TEXTS
    assert embedder.embed(TEXTS).tobytes() == first.tobytes()


def test_masked_and_raw_line_lie_together(embedder):
    from schedmate.readers import mask_line

    raw = "step 1200 loss 2.3145 lr 0.00012 tokens/s 10231"
    assert (embedder.embed([raw])[0] @ embedder.embed([mask_line(raw)])[0]) > 0.95


def test_threads_may_share_it(embedder):
    texts = [f"alpha{number}q beta{number}r" for number in range(3000)]
    alone = embedder.embed(texts)
    embedder.forget()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: embedder.embed(texts), range(4)))
    assert all(vectors.tobytes() == alone.tobytes() for vectors in together)


def test_numbers_that_name_a_fault_are_seen(embedder):
    vectors = embedder.embed(["NVRM: Xid: 79", "NVRM: Xid: 13"])
    assert vectors[0] @ vectors[1] < 0.999


def test_weights_are_small_and_import_is_light():
    from importlib.resources import files

    stored = files("schedmate.models.embedders").joinpath(built_in.WEIGHTS).read_bytes()
    assert len(stored) <= 2.2e6
    code = "import sys, schedmate.models.embedders.built_in; print([m for m in sys.modules if m in ('torch', 'scipy')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_two_directories_of_one_name_are_told_apart(tmp_path):
    names = []
    for place, content in (("a", "x"), ("b", "yy")):
        folder = tmp_path / place / "model"
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(content)
        names.append(open_embedder(Settings(embedder=str(folder))).name)
    assert names[0] != names[1]
    assert all(name.startswith("sentence-transformers:model-") for name in names)


def test_missing_extra_and_missing_weights_say_so(tmp_path):
    with pytest.raises(ModelFailed, match="no embedding model at"):
        open_embedder(Settings(embedder=str(tmp_path / "nothing"))).embed(["x"])
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra) as caught:
            open_embedder(Settings(embedder="BAAI/bge-m3")).embed(["x"])
        assert "schedmate[st]" in caught.value.hint


def test_vectors_are_float32_rows(embedder):
    assert embedder.embed(["a"]).flags["C_CONTIGUOUS"]
    assert embedder.embed(["a"]).dtype == np.float32
