"""Where a value came from: the object behind wrappers, methods and lists."""

from schedmate.knowledge.code_words import words
from schedmate.readers.code.values.objects import ExternalResult, Instance, Partial
from schedmate.readers.code.values.value import Unknown, Value

PASSING = frozenset(words("networks.passing"))
WRAPPERS = frozenset(words("networks.wrappers"))


def origin(value: Value | None, depth: int = 0) -> Value | None:
    """Go back from a wrapper, a method's result or a list to the object that it was made from: a model, mostly."""
    if value is None or depth > 12:
        return None
    data = value.data
    if isinstance(data, Instance):
        return value
    if isinstance(data, ExternalResult):
        if data.short in PASSING:
            inner = data.owner or (data.args[0] if data.args else next(iter(data.kwargs.values()), None))
            return origin(inner, depth + 1)
        if data.short in WRAPPERS:
            inner = data.kwargs.get("model") or data.kwargs.get("module") or (data.args[0] if data.args else None)
            found = origin(inner, depth + 1)
            return found or value
        return value
    if isinstance(data, Partial):
        return value
    if isinstance(data, (list, tuple)):
        return next((found for item in data if isinstance(item, Value) and (found := origin(item, depth + 1))), None)
    if isinstance(data, dict):
        inner = data.get("params")
        return origin(inner, depth + 1) if inner is not None else None
    if isinstance(data, Unknown):
        return next((found for part in data.parts if (found := origin(part, depth + 1))), None)
    if hasattr(data, "owner") and data.owner is not None:
        return origin(data.owner, depth + 1)
    return None
