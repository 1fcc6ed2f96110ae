"""A model's name as it stands in an option, without what is around it: folders, endings, when it was saved."""

import posixpath

from schedmate.knowledge.datasets import plain_words, split_words
from schedmate.knowledge.models import family_of, named_class
from schedmate.readers.code.fields.networks.hub_cache import hub_name
from schedmate.readers.code.fields.networks.model_options import NO_NAMES
from schedmate.readers.code.fields.networks.saved_moments import WEIGHTS, is_moment, saved_under
from schedmate.readers.code.fields.words.command_names import is_to_be_filled_in

FILES = (*WEIGHTS, ".yaml")
"""Endings of files of weights and of settings, which are no part of a model's name."""


def tidy(name: str) -> str:
    """Take folders of a local path off, and leave hub names as they are; a path that stands in for another is none."""
    cleaned = name.strip().rstrip("/")
    cleaned = hub_name(cleaned) or cleaned
    if is_moment(posixpath.basename(cleaned)):
        cleaned = saved_under(cleaned)
    placeholders, said = plain_words()["placeholders"], split_words(posixpath.basename(cleaned).lower())
    if placeholders.union(NO_NAMES).issuperset(said) and not placeholders.isdisjoint(split_words(cleaned.lower())):
        return ""
    if is_to_be_filled_in(posixpath.basename(cleaned)) and family_of(cleaned) is None:
        return ""
    if cleaned.count("/") > 1 or cleaned.startswith((".", "/", "~", "$")):
        cleaned = posixpath.basename(cleaned)
    stem, ending = posixpath.splitext(named_class(cleaned))
    return posixpath.basename(stem) if stem and ending in FILES else named_class(cleaned)
