"""Known defaults of libraries as values that say whose they are."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.values.nested import wrap
from schedmate.readers.code.values.value import SourceLocation, Value


def record_defaults(name: str, spot: SourceLocation | None = None) -> dict[str, Value]:
    """Give a library record's options with their defaults; the quote is the place that leaves them open."""
    place = spot or SourceLocation("", 1)
    found = {}
    for key, value in library_config(name).items():
        note = f"default of {name}: {key} = {value}"
        found[key] = wrap(value, (place._replace(note=note),))
    return found


def is_default(value: Value) -> bool:
    """Tell a value that only a library's default gives."""
    return bool(value.src) and value.src[0].note.startswith("default of")
