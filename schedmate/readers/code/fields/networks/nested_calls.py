"""The calls of which a library's network was made: in a sequence, or each called with what the one before gives."""

from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Unknown, Value, each_of

MOST_PARTS = 400

MOST_NAMED = 8
"""So many names of parts behind one another are followed to what they are a part of."""


def nested_calls(data: ExternalResult) -> list[Value]:
    """Give the layers that a model was made of."""
    found: list[Value] = []
    seen: set[int] = set()
    waiting = [data]
    while waiting and len(seen) < MOST_PARTS:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        beside = [one.owner] if one.owner is not None else []
        for arg in [*one.args, *one.kwargs.values(), *beside]:
            parts = [whose_output(item) for item in each_of(arg) if isinstance(item, Value)]
            made = [item for item in parts if isinstance(item.data, ExternalResult)]
            found += made
            waiting += [item.data for item in made]
    return found


def whose_output(value: Value) -> Value:
    """Give the model or layer of whose output a tensor is a part: `base.output`, `bert(words)[0]`; else the value."""
    for _ in range(MOST_NAMED):
        data = value.data
        if isinstance(data, External) and data.owner is not None:
            value = data.owner
        elif isinstance(data, Unknown) and len(data.parts) == 1:
            value = data.parts[0]
        else:
            break
    return value
