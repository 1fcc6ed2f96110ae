"""The training material is what it says: held-out families stay out, wording is filled, training learns and repeats."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from evals.embedding import jobs, log_lines, scoring
from evals.embedding.training import Plan, Text, Training
from evals.embedding.weights import quantize, write_weights
from schedmate.models.embedders.built_in import BuiltInEmbedder
from schedmate.models.embedders.features import Vocabulary

SMALL = Plan(dimensions=16, buckets=200, steps=150, batch_kinds=8, learning_rate=2e-2, forget=0.0)


@pytest.mark.parametrize("held_out", [False, True])
def test_every_statement_can_be_filled(held_out):
    draw = Random(1)
    for statement in log_lines.read_statements(held_out):
        assert statement.label in log_lines.CLASSES
        for _ in range(3):
            filled = log_lines.fill(statement.wording, draw)
            assert "{n}" not in filled
            assert "|}" not in filled


def test_choices_and_slots():
    assert log_lines.fill("⟨a⟩", Random(0)) == "{a}"
    assert {log_lines.fill("{a|b {c1|d}|}", Random(seed)) for seed in range(60)} == {"a", "b c1", "b d", ""}
    assert log_lines.fill("{n}", Random(0)).isdigit()
    assert log_lines.fill("a | b", Random(0)) == "a | b"
    with pytest.raises(ValueError, match="unbalanced"):
        log_lines.fill("a}", Random(0))


def test_held_out_material_is_not_trained_on():
    trained = {statement.wording for statement in log_lines.read_statements(held_out=False)}
    assert not trained & {statement.wording for statement in log_lines.read_statements(held_out=True)}
    assert not trained & set(scoring.hand_written_lines()[0])
    assert not trained & {wording for failure in scoring.told_failures() for wording in failure}
    models = {kind.model[0] for kind in jobs.read_kinds(held_out=False)}
    assert not models & {kind.model[0] for kind in jobs.read_kinds(held_out=True)}


def test_hand_written_set_is_balanced_enough():
    lines, labels = scoring.hand_written_lines()
    assert len(lines) >= 190
    assert all(labels.count(name) >= 40 for name in log_lines.CLASSES)


def small_corpus():
    draw = Random(3)
    words = {"fruit": ["apple", "pear", "plum", "fig"], "metal": ["iron", "zinc", "tin", "lead"]}
    pairs = [(kind, place) for place, kind in enumerate(words) for _ in range(20)]
    texts = [Text(" ".join(draw.sample(words[kind], 2)), kind, place) for kind, place in pairs]
    return texts, [Text("apple pear", "fruit", 0), Text("iron zinc", "metal", 1)]


def test_training_learns_what_belongs_together_and_repeats_itself(tmp_path):
    first, second = Training(*small_corpus(), SMALL), Training(*small_corpus(), replace(SMALL))
    losses = list(first)
    assert list(second) == losses
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) / 2
    for name, training in (("a.npz", first), ("b.npz", second)):
        write_weights(tmp_path / name, training.words, training.pairs, training.table)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()

    rows, scales = quantize(first.table)
    table = rows.astype(np.int32) * scales.astype(np.int32)[:, None]
    embedder = BuiltInEmbedder("small", Vocabulary(first.words, first.pairs, SMALL.buckets), table)
    plum, fig, zinc = embedder.embed(["plum", "fig", "zinc"])
    assert plum @ fig > plum @ zinc + 0.3


def test_whole_numbers_keep_the_table():
    table = (
        np.random.default_rng(1).standard_normal((50, 8), np.float32)
        * np.logspace(-2, 1, 50, dtype=np.float32)[:, None]
    )
    rows, scales = quantize(table)
    back = rows.astype(np.float32) * scales[:, None].astype(np.float32)
    cosine = (back * table).sum(1) / np.linalg.norm(back, axis=1) / np.linalg.norm(table, axis=1)
    assert cosine.min() > 0.99
