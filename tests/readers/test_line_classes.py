"""The Log Classifier tells the four classes apart, each statement once, and shows how sure it is."""

from random import Random
from string import ascii_lowercase

import numpy as np
import pytest

from schedmate.models.embedders.built_in import open_built_in
from schedmate.readers import LineClassifier
from schedmate.readers.line_classes import CLASSES, class_descriptions


class Counting:
    """A real embedder that counts what it is asked."""

    def __init__(self):
        self.inner, self.asked = open_built_in(), 0
        self.name, self.dimensions = self.inner.name, self.inner.dimensions

    def embed(self, texts):
        self.asked += len(texts)
        return self.inner.embed(texts)


@pytest.fixture(scope="module")
def classifier():
    return LineClassifier(open_built_in())


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("[rank3]: RuntimeError: CUDA error: out of memory", "error"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'vocab.txt'", "error"),
        ("UserWarning: the default value of this argument is deprecated", "warning"),
        ("Epoch [3/90] iter 120/5004 loss: 4.1231 lr: 0.1 time: 0.31s", "progress"),
        (" 12%|█▏        | 61/500 [00:31<03:44,  1.96it/s, loss=2.31]", "progress"),
        ("Loading vocabulary from /data/vocab.txt", "other"),
        ("", "other"),
    ],
)
def test_plain_cases(classifier, line, label):
    assert classifier.classify([line])[0].label == label


def test_one_statement_is_embedded_once():
    embedder = Counting()
    classifier = LineClassifier(embedder)
    before = embedder.asked
    verdicts = classifier.classify([f"step {step} loss {1 / (step + 1):.4f}" for step in range(5000)])
    assert embedder.asked - before == 1
    assert {verdict.label for verdict in verdicts} == {"progress"}
    classifier.classify(["step 9 loss 0.1"])
    assert embedder.asked - before == 1


def test_memory_is_bounded_and_the_used_stay():
    embedder = Counting()
    classifier = LineClassifier(embedder, remembered=8)
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    for word in words:
        classifier.classify(["always here", f"only {word}"])
    assert len(classifier.seen) == 8
    assert "always here" in classifier.seen
    assert "only alpha" not in classifier.seen


def test_more_templates_at_once_than_are_remembered():
    classifier = LineClassifier(open_built_in(), remembered=2)
    lines = ["loss is nan, stop", "loading data", "UserWarning: deprecated", "loading data"]
    assert [verdict.label for verdict in classifier.classify(lines)][1::2] == ["other", "other"]


def test_scores_and_margin(classifier):
    verdict = classifier.classify(["Traceback (most recent call last):"])[0]
    assert len(verdict.scores) == len(CLASSES)
    assert CLASSES[int(np.argmax(verdict.scores))] == verdict.label == "error"
    ordered = sorted(verdict.scores)
    assert verdict.margin == pytest.approx(ordered[-1] - ordered[-2])


def test_what_is_like_nothing_known_is_other(classifier):
    draw = Random(1)
    words = ["".join(draw.choices(ascii_lowercase, k=draw.randrange(4, 12))) for _ in range(300)]
    labels = [verdict.label for verdict in classifier.classify(words)]
    assert labels.count("other") > 0.8 * len(labels)
    assert {verdict.label for verdict in classifier.classify(["", "\ufffd\ufffd", "...", "- -", "{"])} == {"other"}


PROGRESS = [f"step {step}/500 loss 0.{step} lr 0.1 0.2 s/it" for step in range(20)]
ERROR = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20 GiB"


def test_chunks(classifier):
    assert classifier.classify_chunk(PROGRESS).label == "progress"
    assert classifier.classify_chunk([*PROGRESS[:19], ERROR]).label == "error"
    assert classifier.classify_chunk([]).label == "other"
    assert classifier.classify_chunk(["", "  "]).label == "other"
    assert classifier.classify_chunk(["FutureWarning: this argument is deprecated"] * 3).label == "warning"


def test_descriptions_are_there_for_every_class():
    described = class_descriptions()
    assert set(described) == set(CLASSES)
    assert all(len(texts) >= 10 for texts in described.values())
