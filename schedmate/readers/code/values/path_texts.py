"""What is known of a path: its text, that of an object that stands for it, or how it ends where its start is open."""

from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Unknown, Value, unknown

OPEN_PATH = "a path that is not known"
"""Why a path is not known of which some parts are: these are kept in their order."""
OPEN_TEXT = "${open}"
"""What stands for an open part in a text; shells and options take it for a variable that is not set."""
DEEPEST = 6


def open_path_of(*parts: Value) -> Value:
    """Make a path of which not all parts are known."""
    return unknown(OPEN_PATH, *[part for part in parts if path_text(part)])


def path_text(value: Value | None, depth: int = 0) -> str:
    """Give a path's text, or the end of it that is known; an empty one where nothing is."""
    data = value.data if value is not None else None
    if isinstance(data, str):
        return data
    if isinstance(data, ExternalResult):
        inner = data.kwargs.get("text") or (data.args[0] if data.short == "open" and data.args else None)
        return path_text(inner, depth + 1) if inner is not None and depth < DEEPEST else ""
    if isinstance(data, Unknown) and OPEN_TEXT in data.text:
        return data.text.rpartition(OPEN_TEXT)[2].lstrip("/")
    if not isinstance(data, Unknown) or data.why != OPEN_PATH or depth >= DEEPEST:
        return ""
    return "/".join(text.strip("/") for part in data.parts if (text := path_text(part, depth + 1)))
