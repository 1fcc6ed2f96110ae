"""The lines that a model is shown: a training loop is found among any noise by what it counts and learns."""

import random

from schedmate.models.embeddings import open_embedder
from schedmate.readers.line_classes import LineClassifier
from schedmate.readers.progress.learning.examples import kinds_of
from schedmate.settings import get_settings


def test_a_loop_of_its_own_format_is_shown_among_thousands_of_lines_of_noise():
    draw = random.Random(4)
    words = ["cache", "shard", "worker", "queue", "flush", "lease", "mount", "probe", "route", "token"]
    noise = [
        f"{draw.choice(words)} {draw.choice(words)} {draw.choice(words)} took {draw.randrange(999)} ms"
        for _ in range(6000)
    ]
    for place, step in enumerate(range(10, 260, 10)):
        noise.insert(200 * place, f"~ {step} of 900 ~ perte/loss {9 / step:.4f}")
    shown = kinds_of(noise, LineClassifier(open_embedder(get_settings())))
    assert "perte/loss" in shown[0].lines[0]
    assert len(shown[0].lines) == 25
