"""What is known of a text or path of which a part is open: what it may be, how it ends where its start is open."""

from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import Unknown, Value, unknown
from schedmate.tools.late_patterns import late_re2

OPEN_TEXT = "${open}"
"""What stands for an open part in a text; shells and options take it for a variable that is not set."""
VARIABLE = late_re2(r"\$\{[^{}]{0,200}\}|\$\([^()]{0,200}\)")
"""A part of a text that a shell would have filled in."""
DEEPEST = 6


def has_open_part(text: object) -> bool:
    """Tell a text of which a part may be open."""
    return isinstance(text, str) and "$" in text and VARIABLE.search(text) is not None


def may_be(text: str, other: str) -> bool:
    """Tell whether a text, one of two of which parts may be open, may be the same as the other."""
    if not (has_open_part(text) or has_open_part(other)):
        return text == other
    one, two = sorted((VARIABLE.split(text), VARIABLE.split(other)), key=len)
    if len(two) == 1:
        return text == other
    begin, end = two[0], two[-1]
    fits = one[0].startswith(begin) and one[0].endswith(end) and len(one[0]) >= len(begin) + len(end)
    return fits or len(one) > 1


def open_path_of(*parts: Value) -> Value:
    """Make a path of which not all parts are known."""
    return unknown(Reason.OPEN_PATH, *[part for part in parts if path_text(part)])


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
    if not isinstance(data, Unknown) or data.reason is not Reason.OPEN_PATH or depth >= DEEPEST:
        return ""
    return "/".join(text.strip("/") for part in data.parts if (text := path_text(part, depth + 1)))
