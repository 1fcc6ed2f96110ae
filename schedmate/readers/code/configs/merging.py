"""Read, write and merge nested configurations, by dotted keys."""

from collections.abc import Callable, Sequence

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.libraries.argument_words import guess, joined, word_text
from schedmate.readers.code.values.nested import rebuilt
from schedmate.readers.code.values.value import Config, Items, SourceLocation, Value, unknown
from schedmate.readers.code.values.whole_numbers import whole_count

DEEPEST = 40
"""How deep mappings are gone through: one may hold itself."""
MISSING = "???"
"""How OmegaConf writes that a value has to come from elsewhere."""


def relocated(value: Value, src: tuple[SourceLocation, ...]) -> Value:
    """Give values that were parsed out of a text the place of that text."""
    return rebuilt(value, Config, src)


def merge_into(target: Items, added: Items, depth: int = 0) -> None:
    """Merge mappings deeply; `_delete_` starts afresh, as mmengine has it; what is asked for takes nothing away."""
    for key, value in added.items():
        old = target.get(key)
        if isinstance(value.data, dict) and old is not None and isinstance(old.data, dict) and depth < DEEPEST:
            if "_delete_" in value.data and value.data["_delete_"].data is True:
                fresh = {k: v for k, v in value.data.items() if k != "_delete_"}
                target[key] = Value(Config(fresh), value.src)
                continue
            merge_into(old.data, value.data, depth + 1)
        elif old is None or value.data != MISSING:
            target[key] = value


def forget_leaves(items: Items, why: str, which: Callable[[Value], bool] = lambda _: True, depth: int = 0) -> None:
    """Leave open what a file that is not here may set: of all that is no mapping, whichever is meant."""
    for key, value in items.items():
        if isinstance(value.data, dict):
            if depth < DEEPEST:
                forget_leaves(value.data, why, which, depth + 1)
        elif which(value):
            items[key] = unknown(why, value)


def override(target: Value, key: str, text: str, src: tuple[SourceLocation, ...]) -> None:
    """Put `a.b.c=value` into a configuration."""
    put_path(target, key, wrap_guess(text, src))


def override_by_words(target: Value, words: Sequence[Value], marks: str = "") -> None:
    """Put each `a.b.c=value` of a command's words into a configuration; leading marks of the keys are left out."""
    for word in words:
        key, equals, text = word_text(word).partition("=")
        if equals and key.lstrip(marks):
            override(target, key.lstrip(marks), text, joined(word, word))


def wrap_guess(text: str, src: tuple[SourceLocation, ...]) -> Value:
    """Read an override's text: a number, a list, a mapping, or text."""
    stripped = text.strip().strip("'\"")
    if text.startswith(("[", "{", "(")):
        parsed = read_yaml(text.replace("(", "[").replace(")", "]"), "")
        if parsed is not None:
            return relocated(parsed, src)
    if "${" in text:
        return Value(text, src)
    return Value(guess(text) if stripped == text.strip() else stripped, src)


def put_path(target: Value, key: str, value: Value) -> None:
    """Write under a dotted key, making mappings on the way; `a.0.b` and `a[0].b` reach into lists."""
    node = target
    parts = key.replace("[", ".").replace("]", "").split(".")
    for part in parts[:-1]:
        data = node.data
        place = whole_count(part)
        if isinstance(data, list) and place is not None and place < len(data):
            node = data[place]
            continue
        if not isinstance(data, dict):
            return
        below = data.get(part)
        if below is None or not isinstance(below.data, (dict, list)):
            below = Value(Config(), value.src)
            data[part] = below
        node = below
    if isinstance(node.data, dict):
        node.data[parts[-1]] = value
    elif isinstance(node.data, list) and (last := whole_count(parts[-1])) is not None and last < len(node.data):
        node.data[last] = value


def find_path(target: Value, key: str) -> Value | None:
    """Read under a dotted key."""
    node: Value | None = target
    for part in key.replace("[", ".").replace("]", "").split("."):
        if node is None:
            return None
        if isinstance(node.data, dict):
            node = node.data.get(part)
        elif (
            isinstance(node.data, (list, tuple)) and (place := whole_count(part)) is not None and place < len(node.data)
        ):
            node = node.data[place]
        else:
            return None
    return node


def drop_path(target: Value, key: str) -> None:
    """Take out what stands under a dotted key."""
    above, _, last = key.rpartition(".")
    node = find_path(target, above) if above else target
    if node is not None and isinstance(node.data, dict):
        node.data.pop(last, None)
