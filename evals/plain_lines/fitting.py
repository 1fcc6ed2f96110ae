"""Fit how much each word and each pair of words speaks for each kind of fault: a logistic regression, rounded."""

import json
from pathlib import Path

from evals.plain_lines.lines import Lines
from schedmate.readers.failures.sightings.plain_words import SCALE, WordWeights, words_of

LEAST_LINES = 2
"""In how many lines a word must stand to be learned."""
LEAST_WEIGHT, HUNDREDTHS = 0.3, 100
"""What speaks for nothing more than this is left out; weights are kept in hundredths."""
STRENGTH, ROUNDS = 6.0, 300
"""How freely it fits, and how long."""


def fitted(lines: Lines) -> WordWeights:
    """Fit on all words, then once more on those that speak for something: a line's share of known words counts."""
    first = fit(lines, None)
    return fit(lines, [word for word, row in first.words.items() if max(map(abs, row)) >= LEAST_WEIGHT])


def fit(lines: Lines, vocabulary: list[str] | None) -> WordWeights:
    """Fit the weights of some words, or of all that stand in several lines."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import normalize

    counter = CountVectorizer(analyzer=words_in_order, binary=True, min_df=LEAST_LINES, vocabulary=vocabulary)
    table = normalize(counter.fit_transform([text for _, text in lines])) * SCALE
    model = LogisticRegression(C=STRENGTH, max_iter=ROUNDS).fit(table, [kind for kind, _ in lines])
    words = {
        word: tuple(round(float(value) * HUNDREDTHS) / HUNDREDTHS for value in model.coef_[:, place])
        for word, place in sorted(counter.vocabulary_.items())
    }
    return WordWeights(tuple(model.classes_), tuple(round(float(value), 3) for value in model.intercept_), words)


def words_in_order(text: str) -> list[str]:
    """Give a line's words in an order that does not hang on the process."""
    return sorted(words_of(text))


def write_weights(weights: WordWeights, path: Path) -> None:
    """Write what ships."""
    words = {name: [round(value * HUNDREDTHS) for value in row] for name, row in weights.words.items()}
    told = {"kinds": weights.kinds, "bias": weights.bias, "words": words}
    path.write_text(json.dumps(told, separators=(",", ":"), ensure_ascii=True) + "\n", "utf-8")
