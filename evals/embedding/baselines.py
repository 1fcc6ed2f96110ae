"""What the built-in embedder has to beat: plain hashing, and TF-IDF fitted on the same texts."""

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer

from evals.embedding.corpus import training_texts
from schedmate.models.embedders.embedder import Vectors

DIMENSIONS = 4096
SPARE = 256


class SparseEmbedder:
    """Make a vectorizer of scikit-learn look like an embedder."""

    def __init__(self, name: str, vectorizer: HashingVectorizer | TfidfVectorizer, dimensions: int) -> None:
        self.name = name
        self.vectorizer = vectorizer
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectorize; a text without a known word is like nothing but itself, as far as axes for that go."""
        vectors = np.zeros((len(texts), self.dimensions + SPARE), np.float32)
        vectors[:, : self.dimensions] = self.vectorizer.transform(texts).toarray()
        for row in np.flatnonzero(~vectors.any(axis=1)).tolist():
            vectors[row, self.dimensions + crc32(texts[row].encode()) % SPARE] = 1
        return vectors


def baselines(seed: int) -> list[SparseEmbedder]:
    """Make them on words and their pairs, and hashing on runs of letters too."""
    hashing = HashingVectorizer(n_features=DIMENSIONS, ngram_range=(1, 2), alternate_sign=True)
    letters = HashingVectorizer(n_features=DIMENSIONS, analyzer="char_wb", ngram_range=(3, 5), alternate_sign=True)
    tfidf = TfidfVectorizer(max_features=DIMENSIONS, ngram_range=(1, 2), sublinear_tf=True)
    tfidf.fit([text.text for text in training_texts(seed)])
    return [
        SparseEmbedder("hashed words", hashing, DIMENSIONS),
        SparseEmbedder("hashed letters", letters, DIMENSIONS),
        SparseEmbedder("TF-IDF", tfidf, len(tfidf.vocabulary_)),
    ]
