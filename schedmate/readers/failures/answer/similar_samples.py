"""Guess what an unknown error line is from the catalogue's sample lines that it resembles most."""

from dataclasses import dataclass

import numpy as np

from schedmate.knowledge.catalogue import Failure, load_catalogue
from schedmate.models.embedders.embedder import Embedder, Vectors
from schedmate.readers.templates import mask_line
from schedmate.schemas import Category, Diagnosis, Subcategory

NEIGHBOURS = 5

BEFOREHAND = {"infrastructure": 0.6, "framework": 1.1, "script": 1.6, "other": 1.0, "none": 0.0}
"""The catalogue knows two lines of machines for each of programs; among unknown errors it is the other way round."""

LEAST_SIMILAR = 0.55
"""Below this the nearest sample is only the least different one."""
ALIKE, UNLIKE = 0.5, 0.2
"""How sure a class by resemblance can be, and one by default."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A class by resemblance: how alike the nearest is, and whose sample it is."""

    category: Category
    subcategory: Subcategory | None
    similarity: float
    nearest: Failure


EMBEDDED: dict[str, tuple[tuple[Failure, ...], Vectors]] = {}
"""The samples and their vectors by the embedder's name; filled when the first unknown line comes."""


def sample_vectors(embedder: Embedder) -> tuple[tuple[Failure, ...], Vectors]:
    """Embed the catalogue's samples of causes once a process."""
    if embedder.name not in EMBEDDED:
        EMBEDDED[embedder.name] = embed_samples(embedder)
    return EMBEDDED[embedder.name]


def embed_samples(embedder: Embedder) -> tuple[tuple[Failure, ...], Vectors]:
    """Embed the samples of all entries that state a cause."""
    pairs = [(entry, text) for entry in load_catalogue() if entry.role == "root" for text in entry.samples]
    return tuple(entry for entry, _ in pairs), embedder.embed([mask_line(text) for _, text in pairs])


def guess_class(text: str, embedder: Embedder) -> Guess | None:
    """Let the nearest samples vote, weighed by how near they are; None where nothing is near."""
    entries, vectors = sample_vectors(embedder)
    if not entries:
        return None
    similar = vectors @ embedder.embed([mask_line(text)])[0]
    nearest = np.argsort(-similar)[:NEIGHBOURS]
    best = float(similar[nearest[0]])
    if best < LEAST_SIMILAR:
        return None
    votes: dict[tuple[Category, Subcategory | None], float] = {}
    for place in nearest:
        key = entries[place].category, entries[place].subcategory
        votes[key] = votes.get(key, 0.0) + BEFOREHAND[key[0]] * max(0.0, float(similar[place])) ** 4
    category, subcategory = max(votes, key=lambda key: votes[key])
    return Guess(category, subcategory, best, entries[nearest[0]])


def resembling(found: Diagnosis, text: str, embedder: Embedder) -> Diagnosis:
    """Class a diagnosis whose root no entry knows; without a neighbour the program is blamed, as most often it is."""
    guess = guess_class(text, embedder)
    if guess is None:
        why = "No entry of the catalogue knows this line or resembles it. Most unknown errors are the program's own."
        return found.model_copy(update={"category": "script", "confidence": UNLIKE, "explanation": why})
    why = (
        f"No entry of the catalogue knows this line. It resembles {guess.nearest.id} most "
        f"({guess.similarity:.0%} alike): {guess.nearest.meaning}"
    )
    update = {
        "category": guess.category,
        "subcategory": guess.subcategory,
        "should_restart": guess.nearest.restart if guess.category == "infrastructure" else "no",
        "confidence": round(ALIKE * guess.similarity, 2),
        "explanation": why,
    }
    return found.model_copy(update=update)
