"""Score an embedder on what it is for, with families and wordings that training never saw."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from evals.embedding.jobs import generate_jobs, read_kinds
from evals.embedding.log_lines import STATEMENTS, generate_lines, read_statements
from schedmate.models.embedders.embedder import Embedder
from schedmate.readers.line_classes import CHUNK_LINES, CLASSES, LineClassifier
from schedmate.readers.templates import mask_line

SEED = 1999
LINES_EACH = 8
JOBS_EACH = 4


@dataclass(frozen=True)
class Marks:
    """How good an embedder is; every number is a share of right answers, the last is a speed."""

    held_out_lines: float
    held_out_f1: float
    hand_written_lines: float
    hand_written_f1: float
    chunks: float
    similar_job: float
    same_task: float
    nearest_failure: float
    texts_per_cpu_s: float


@cache
def held_out_lines() -> tuple[list[str], list[str]]:
    """Generate lines of the frameworks and systems that training never sees, with their classes."""
    generated = list(generate_lines(read_statements(held_out=True), LINES_EACH, SEED))
    return [line for _, line in generated], [statement.label for statement, _ in generated]


@cache
def hand_written_lines() -> tuple[list[str], list[str]]:
    """Read the lines that no generator made, with their classes."""
    rows = (STATEMENTS / "real_lines.txt").read_text("utf-8").splitlines()
    pairs = [row.split("\t", 1) for row in rows if not row.startswith("# ")]
    return [line for _, line in pairs], [label for label, _ in pairs]


@cache
def chunks() -> tuple[list[list[str]], list[str]]:
    """Make chunks of progress, warnings and other output; half of them hold one to four error lines."""
    lines, labels = held_out_lines()
    draw = np.random.default_rng(SEED)
    pools: dict[str, list[str]] = {}
    for line, label in zip(lines, labels, strict=True):
        pools.setdefault(label, []).append(line)
    made: list[list[str]] = []
    truth: list[str] = []
    for number in range(400):
        failed = number % 2 == 0
        errors = int(draw.integers(1, 5)) if failed else 0
        shares = draw.multinomial(CHUNK_LINES - errors, (0.05, 0.6, 0.35))
        counts = dict(zip(("warning", "progress", "other", "error"), (*shares.tolist(), errors), strict=True))
        chunk = [str(line) for name, count in counts.items() for line in draw.choice(pools[name], count)]
        draw.shuffle(chunk)
        made.append(chunk)
        truth.append("error" if failed else "healthy")
    return made, truth


@cache
def told_failures() -> list[list[str]]:
    """Read failures told in several wordings; the first wording of each is the sample."""
    text = (STATEMENTS / "same_failure.txt").read_text("utf-8")
    body = "\n".join(row for row in text.splitlines() if not row.startswith("# "))
    return [block.strip().splitlines() for block in body.split("\n\n")]


def macro_f1(truth: Sequence[str], found: Sequence[str]) -> float:
    """Average the F1 of the four classes."""
    scores = []
    for name in CLASSES:
        hits = sum(a == b == name for a, b in zip(truth, found, strict=True))
        scores.append(2 * hits / max(1, list(truth).count(name) + list(found).count(name)))
    return sum(scores) / len(scores)


def share(truth: Sequence[str], found: Sequence[str]) -> float:
    """Give the share of right answers."""
    return sum(a == b for a, b in zip(truth, found, strict=True)) / len(truth)


def confusion(truth: Sequence[str], found: Sequence[str]) -> list[list[int]]:
    """Count each class's lines by the class they were given."""
    pairs = list(zip(truth, found, strict=True))
    return [[pairs.count((row, column)) for column in CLASSES] for row in CLASSES]


def nearest(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Find each row's nearest other row."""
    similar = vectors @ vectors.T
    np.fill_diagonal(similar, -2)
    found: NDArray[np.int64] = similar.argmax(axis=1)
    return found


def score_jobs(embedder: Embedder) -> tuple[float, float]:
    """Ask with each description of a held-out job for the nearest other one: the same kind? the same task?"""
    described = list(generate_jobs(read_kinds(held_out=True), JOBS_EACH, SEED))
    found = nearest(embedder.embed([text for _, text in described])).tolist()
    kinds = [kind for kind, _ in described]
    same_kind = [kinds[place].name == kind.name for kind, place in zip(kinds, found, strict=True)]
    same_task = [kinds[place].task == kind.task for kind, place in zip(kinds, found, strict=True)]
    return sum(same_kind) / len(kinds), sum(same_task) / len(kinds)


def score_failures(embedder: Embedder) -> float:
    """Ask with other wordings of a failure for its sample among the samples of all."""
    failures = told_failures()
    samples = embedder.embed([mask_line(wordings[0]) for wordings in failures])
    asked = [(place, wording) for place, wordings in enumerate(failures) for wording in wordings[1:]]
    found = (embedder.embed([mask_line(wording) for _, wording in asked]) @ samples.T).argmax(axis=1)
    return float(np.mean(found == np.array([place for place, _ in asked])))


def speed(embedder: Embedder) -> float:
    """Count the lines embedded in a CPU-second, when most words are known already."""
    lines = held_out_lines()[0]
    embedder.embed(lines)
    started = time.process_time()
    embedder.embed(lines)
    return len(lines) / max(time.process_time() - started, 1e-9)


def score(embedder: Embedder) -> Marks:
    """Run every task."""
    classifier = LineClassifier(embedder)
    lines, labels = held_out_lines()
    found = [verdict.label for verdict in classifier.classify(lines)]
    real, real_labels = hand_written_lines()
    real_found = [verdict.label for verdict in classifier.classify(real)]
    pieces, truth = chunks()
    verdicts = ["error" if classifier.classify_chunk(piece).label == "error" else "healthy" for piece in pieces]
    same_kind, same_task = score_jobs(embedder)
    return Marks(
        held_out_lines=share(labels, found),
        held_out_f1=macro_f1(labels, found),
        hand_written_lines=share(real_labels, real_found),
        hand_written_f1=macro_f1(real_labels, real_found),
        chunks=share(truth, verdicts),
        similar_job=same_kind,
        same_task=same_task,
        nearest_failure=score_failures(embedder),
        texts_per_cpu_s=speed(embedder),
    )
