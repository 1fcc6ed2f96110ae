"""Libraries that are known by name, and those of them that train no network; the table is data."""

from schedmate.knowledge.code_words import words

KNOWN_LIBRARIES = frozenset(words("libraries.known"))
"""Libraries that training code imports: these names mean the library even where a folder happens to be called so."""
WITHOUT_TRAINING = frozenset(words("libraries.without_training"))
"""Libraries that train no network: a program that uses nothing else trains none either."""
