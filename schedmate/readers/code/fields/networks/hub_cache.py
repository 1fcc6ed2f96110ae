"""What the hub's own cache calls its folders: `hub/models--acme--net-7b/snapshots/0a1b` holds `acme/net-7b`."""

import re2

from schedmate.readers.code.values.value import Unknown, Value

FOLDER = re2.compile(r"(?:^|/)models--([^/]+)(?:/|$)")


def hub_name(text: str) -> str | None:
    """Give the hub's name of the model in whose folder of the cache a path lies."""
    found = FOLDER.search(text)
    return str(found.group(1)).replace("--", "/", 1) if found is not None else None


def as_on_hub(value: Value) -> Value:
    """Give the name of the model that a path into the cache means, though its end is known only at the run."""
    parts = value.data.parts if isinstance(value.data, Unknown) else (value,)
    texts = [part for part in parts if isinstance(part.data, str)]
    names = {name: part for part in texts if (name := hub_name(part.data)) is not None}
    if len(names) != 1:
        return value
    name, part = names.popitem()
    return Value(name, part.src)
