"""Train the built-in embedder's table: texts of one kind together, kinds apart, lines near their class's description.

The model is linear (a text is the sum of its rows), so the gradient is written out here and no framework is needed.
It starts as a random projection weighted by rarity, which is what plain hashing gives; training only improves on that.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags

from schedmate.models.embedders.built_in import UNKNOWN_GAIN
from schedmate.models.embedders.features import EMPTY, NUMBER, Vocabulary, split_compound, split_tokens

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Plan:
    """How large the table is and how long it is trained."""

    dimensions: int = 128
    max_words: int = 6_000
    max_pairs: int = 4_000
    buckets: int = 6_000
    steps: int = 800
    batch_kinds: int = 192
    learning_rate: float = 2e-3
    temperature: float = 0.1
    class_sharpness: float = 20.0
    class_weight: float = 1.0
    forget: float = 0.5
    seed: int = 20


@dataclass(frozen=True)
class Text:
    """A text, the kind it should lie near, and for log lines its class's place (-1: not a log line)."""

    text: str
    kind: str
    label: int = -1


def count_vocabulary(
    texts: Sequence[str], numbers: Collection[str], plan: Plan
) -> tuple[list[str], list[str], dict[str, int]]:
    """Choose the words and pairs that most texts hold, and count in how many each stands; numbers as named."""
    in_texts: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    telling = Vocabulary(sorted(numbers), [], 1)
    for text in texts:
        tokens = split_tokens(text)
        plain = [telling.plain(token) for token in tokens]
        in_texts.update({*plain, *(part for token in tokens for part in split_compound(token))})
        pairs.update(f"{left} {right}" for left, right in set(pairwise(plain)))
    in_texts[EMPTY] += 1
    words = by_frequency(in_texts, plan.max_words, least=1)
    return words, by_frequency(pairs, plan.max_pairs, least=3), dict(in_texts)


def by_frequency(counts: Counter[str], most: int, least: int) -> list[str]:
    """Sort by frequency and then by name, so that the order never hangs on how Python hashes strings."""
    kept = [name for name, count in counts.items() if count >= least]
    return sorted(kept, key=lambda name: (-counts[name], name))[:most]


class Bag:
    """Texts as sparse rows over the table, with words that can be made to look unknown."""

    def __init__(self, texts: Sequence[str], vocabulary: Vocabulary, rows: int) -> None:
        split = [
            [NUMBER if vocabulary.plain(token) == NUMBER else token for token in split_tokens(text)] for text in texts
        ]
        tokens = {token: place for place, token in enumerate(dict.fromkeys(token for row in split for token in row))}
        self.known = csr_matrix(self.token_matrix(list(tokens), vocabulary, rows, forget=False))
        self.unknown = csr_matrix(self.token_matrix(list(tokens), vocabulary, rows, forget=True))
        held = [sorted({tokens[token] for token in row}) for row in split]
        self.words = ones(held, len(tokens))
        self.pairs = ones(
            [sorted(vocabulary.pair_rows([vocabulary.plain(token) for token in row])) for row in split], rows
        )

    @staticmethod
    def token_matrix(tokens: Sequence[str], vocabulary: Vocabulary, rows: int, forget: bool) -> csr_matrix:
        """Write each token as the built-in embedder puts it together."""
        data: list[float] = []
        place: list[tuple[int, int]] = []
        for number, token in enumerate(tokens):
            made_of = vocabulary.rows(token)
            if made_of.whole is not None and not (forget and made_of.letters):
                place.append((number, made_of.whole))
                data.append(1.0)
            place += [(number, row) for row in made_of.parts]
            data += [1.0] * len(made_of.parts)
            gain = UNKNOWN_GAIN if made_of.whole is None or forget else 1
            place += [(number, row) for row in made_of.letters]
            data += [gain / max(1, len(made_of.letters))] * len(made_of.letters)
        where = np.array(place, np.int64).reshape(-1, 2)
        return csr_matrix((np.array(data, np.float32), (where[:, 0], where[:, 1])), shape=(len(tokens), rows))

    def rows_of(self, chosen: NDArray[np.int64], kept: NDArray[np.bool_] | None = None) -> csr_matrix:
        """Give some texts' rows; words that are not kept are seen by their letters alone."""
        words = self.words[chosen]
        if kept is None:
            return words @ self.known + self.pairs[chosen]
        known, unknown = diags(kept.astype(np.float32)), diags((~kept).astype(np.float32))
        return words @ known @ self.known + words @ unknown @ self.unknown + self.pairs[chosen]


def ones(columns: Sequence[Sequence[int]], width: int) -> csr_matrix:
    """Write lists of columns as rows of ones."""
    ends = np.cumsum([0, *(len(row) for row in columns)])
    flat = np.array([column for row in columns for column in row], np.int64)
    return csr_matrix((np.ones(len(flat), np.float32), flat, ends), shape=(len(columns), width))


def starting_table(
    words: Sequence[str], pairs: Sequence[str], texts: int, counts: dict[str, int], plan: Plan
) -> Matrix:
    """Draw a random projection: rare words loud, pairs silent, letter runs as loud together as a word."""
    draw = np.random.default_rng(plan.seed)
    table = draw.standard_normal((len(words) + len(pairs) + plan.buckets, plan.dimensions), np.float32) * 0.1
    rarity = np.array([log((texts + 1) / (counts.get(word, 0) + 1)) for word in words], np.float32)
    table[: len(words)] *= (rarity / rarity.max())[:, None]
    table[len(words) : len(words) + len(pairs)] = 0.0
    table[len(words) + len(pairs) :] *= 1.5
    return table


def unit(sums: Matrix) -> tuple[Matrix, Matrix]:
    """Bring rows to length 1 and give the lengths."""
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    return sums / lengths, lengths


def through_unit(gradient: Matrix, vectors: Matrix, lengths: Matrix) -> Matrix:
    """Carry a gradient back through `unit`."""
    carried: Matrix = (gradient - vectors * (gradient * vectors).sum(axis=1, keepdims=True)) / lengths
    return carried


def softmax(values: Matrix) -> Matrix:
    """Turn rows into shares that sum to one."""
    raised = np.exp(values - values.max(axis=1, keepdims=True))
    shares: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return shares


def same_kind_gradient(left: Matrix, right: Matrix, temperature: float) -> tuple[Matrix, Matrix, float]:
    """Pull each left text to the right text of its kind and away from all others, and the other way round."""
    similar = left @ right.T / temperature
    forth, back = softmax(similar), softmax(similar.T)
    loss = -float(np.log(np.maximum(np.diag(forth) * np.diag(back), 1e-12)).mean()) / 2
    gap: Matrix = (forth + back.T - 2 * np.eye(len(left), dtype=np.float32)) / np.float32(2 * temperature * len(left))
    return gap @ right, gap.T @ left, loss


def class_gradient(
    vectors: Matrix, labels: NDArray[np.int64], targets: Matrix, target_labels: NDArray[np.int64], sharpness: float
) -> tuple[Matrix, Matrix, float]:
    """Pull each line to the descriptions of its class, just as the Log Classifier will compare them."""
    similar = sharpness * vectors @ targets.T
    member = np.eye(labels.max() + 1, dtype=np.float32)[target_labels]
    raised = np.exp(similar - similar.max(axis=1, keepdims=True))
    # A class's score is the soft maximum over its descriptions; dividing by their number keeps classes level.
    by_class = raised @ (member / member.sum(axis=0))
    shares = by_class / by_class.sum(axis=1, keepdims=True)
    loss = -float(np.log(np.maximum(shares[np.arange(len(labels)), labels], 1e-12)).mean())
    wrong = shares.copy()
    wrong[np.arange(len(labels)), labels] -= 1
    within = raised * (member / member.sum(axis=0)).sum(axis=1) / np.maximum((by_class @ member.T), 1e-30)
    gap = sharpness * (wrong @ member.T) * within / len(labels)
    return gap @ targets, gap.T @ vectors, loss


class Adam:
    """The usual optimiser, on the whole table; the steps grow smaller towards the end."""

    def __init__(self, shape: tuple[int, ...], plan: Plan) -> None:
        self.plan = plan
        self.mean = np.zeros(shape, np.float32)
        self.square = np.zeros(shape, np.float32)
        self.step = 0

    def update(self, table: Matrix, gradient: Matrix) -> None:
        """Take one step, in place."""
        self.step += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.01 * (gradient * gradient - self.square)
        rate = self.plan.learning_rate * (1 - self.step / (self.plan.steps + 1))
        corrected = self.square / (1 - 0.99**self.step)
        table -= rate * (self.mean / (1 - 0.9**self.step)) / (np.sqrt(corrected) + 1e-8)


class Training:
    """Learn a table from texts of many kinds and from the classes' descriptions, one step an iteration.

    The same plan and texts give the same table on the same linear algebra library.
    """

    def __init__(
        self, texts: Sequence[Text], targets: Sequence[Text], plan: Plan, numbers: Collection[str] = ()
    ) -> None:
        every = [text.text for text in (*texts, *targets)]
        self.plan = plan
        self.words, self.pairs, counts = count_vocabulary(every, numbers, plan)
        self.table = starting_table(self.words, self.pairs, len(texts), counts, plan)
        self.bag = Bag(every, Vocabulary(self.words, self.pairs, plan.buckets), len(self.table))
        self.labels = np.array([text.label for text in (*texts, *targets)])
        self.target_rows = np.arange(len(texts), len(every))
        members: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            members.setdefault(text.kind, []).append(place)
        kinds = [kind for kind in members.values() if len(kind) > 1]
        self.lines = [kind for kind in kinds if self.labels[kind[0]] >= 0]
        self.jobs = [kind for kind in kinds if self.labels[kind[0]] < 0]

    def __iter__(self) -> Iterator[float]:
        """Take the steps, log lines and jobs in turn, and give the loss of each; in the end the table is the average
        over the second half, which does not hang on where the last steps happened to lead.
        """
        draw = np.random.default_rng(self.plan.seed + 1)
        adam = Adam(self.table.shape, self.plan)
        average = np.zeros_like(self.table)
        domains = [domain for domain in (self.lines, self.jobs) if domain]
        for step in range(self.plan.steps):
            domain = domains[step % len(domains)]
            chosen = draw.choice(len(domain), min(self.plan.batch_kinds, len(domain)), replace=False)
            picked = np.array([draw.choice(domain[kind], 2, replace=False) for kind in chosen])
            kept = draw.random(self.bag.words.shape[1]) >= self.plan.forget
            gradient, loss = self.gradient(picked, kept)
            adam.update(self.table, gradient)
            if (later := step + 1 - self.plan.steps // 2) > 0:
                average += (self.table - average) / later
            yield loss
        self.table = average

    def gradient(self, picked: NDArray[np.int64], kept: NDArray[np.bool_]) -> tuple[Matrix, float]:
        """Work out how the table should change for pairs of texts; lines are compared with the classes as well."""
        plan, pairs = self.plan, len(picked)
        are_lines = self.labels[picked[0, 0]] >= 0
        chosen = np.concatenate([picked[:, 0], picked[:, 1], self.target_rows if are_lines else self.target_rows[:0]])
        rows = self.bag.rows_of(chosen, kept)
        vectors, lengths = unit(rows @ self.table)
        left, right, loss = same_kind_gradient(vectors[:pairs], vectors[pairs : 2 * pairs], plan.temperature)
        gradient = np.zeros_like(vectors)
        gradient[: 2 * pairs] = np.concatenate([left, right])
        if are_lines:
            labels, aims = self.labels[chosen[: 2 * pairs]], self.labels[self.target_rows]
            toward, back, class_loss = class_gradient(
                vectors[: 2 * pairs], labels, vectors[2 * pairs :], aims, plan.class_sharpness
            )
            gradient += plan.class_weight * np.concatenate([toward, back])
            loss += class_loss
        change: Matrix = rows.T @ through_unit(gradient, vectors, lengths)
        return change, loss
