"""How many words public tokenizers know; the table is data."""

from functools import lru_cache

from schedmate.knowledge.tables import table


@lru_cache(maxsize=1)
def sizes() -> dict[str, int]:
    """Give the sizes by the tokenizers' names."""
    return {name: int(size) for size, names in table("vocabularies")["tokenizers"].items() for name in names}


def vocabulary_of_tokenizer(name: str) -> int | None:
    """Give the size of a hub tokenizer's vocabulary; its owner says nothing of it."""
    return sizes().get(name.rpartition("/")[2].lower())


def vocabulary_of_encoding(name: str) -> int | None:
    """Give the size of one of tiktoken's vocabularies."""
    found: int | None = table("vocabularies")["encodings"].get(name)
    return found
