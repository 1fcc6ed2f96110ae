"""Names that a program gives its runs, put together from a model's name and settings: they name no model."""

import re2

from schedmate.knowledge.models import family_of, size_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

SETTING = re2.compile(r"(?i)[_-](?:lr|bsz?|batch|seed|trial|wd|decay|epochs?|ep)[_=-]?\d")
"""A setting with its value inside a name."""
PAIR = re2.compile(r"(?i)(?:^|[_-])[a-z]{1,12}[:=]-?[\d.]+(?:$|[_-])")
"""The same, written as a pair: `alpha:0.5`."""


def names_run(view: View, option: Value) -> bool:
    """Tell a text that names a run: settings with their values stand in it, or more is joined to what names a model."""
    text = str(option.data)
    return bool(SETTING.search(text)) or bool(PAIR.search(text)) or is_joined(view, option)


def is_joined(view: View, option: Value) -> bool:
    """Tell a text that begins with what another option names a model by, from which it was put together."""
    text, places = str(option.data), set(option.src)
    for _, other in view.options("model_name"):
        part = other.data
        if not isinstance(part, str) or part == text or family_of(part) is None or not set(other.src) < places:
            continue
        if text.startswith(part) and text[len(part)] in "_-:" and (size_of(part) or size_of(text) is None):
            return True
    return False
