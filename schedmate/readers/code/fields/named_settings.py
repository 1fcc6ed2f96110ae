"""Settings in files that the command names, of a program that was not seen to use them: a meaning has one value."""

from collections.abc import Iterator

from schedmate.knowledge.optimizers import canonical
from schedmate.readers.code.configs.files import load_with_bases, named_files
from schedmate.readers.code.evidence.config_sections import inner_mapping, is_section_aside
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import LENGTH, Subject
from schedmate.readers.code.evidence.view import View, meaning
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Items, Value, mapping_of

MOST_FILES, MOST_SETTINGS, DEEPEST = 4, 4000, 8
NOTE = "the one value of this meaning in the settings that the command names; their use was not followed"


def by_duration(view: View) -> None:
    """Take epochs, or steps, where the settings speak of only one of them."""
    told = [name for name in LENGTH if only_value(view, name) is not None]
    if len(told) == 1:
        view.number(told[0], only_value(view, told[0]), NOTE)


def by_batch(view: View) -> None:
    """Take the batch."""
    view.number("batch_size", only_value(view, "batch_size"), NOTE)


def by_optimizer(view: View) -> None:
    """Take the optimizer and its rate."""
    if not view.knows("learning_rate"):
        view.number("learning_rate", only_value(view, "learning_rate"), NOTE)
    named = only_value(view, "optimizer") if not view.knows("optimizer") else None
    if named is not None:
        view.keep("optimizer", named.data, named.src, NOTE)


def only_value(view: View, field_name: str) -> Value | None:
    """Give the one value that the settings hold under names of a field; None where the job does not surely train."""
    if view.get("is_training") is not True or view.said(field_name):
        return None
    found: dict[float | str, Value] = {}
    for name, value in view.once(named_settings):
        known = meaning(name)
        data = read_as(field_name, value) if known is not None and known[0] == field_name else None
        if data is not None:
            found.setdefault(data, Value(data, value.src))
    return next(iter(found.values())) if len(found) == 1 else None


def read_as(field_name: str, value: Value) -> float | str | None:
    """Read a setting as its field is meant: an optimizer by its usual name, anything else as a number."""
    data = value.data
    if field_name == "optimizer":
        return canonical(data) if isinstance(data, str) else None
    return data if type(data) in (int, float) and data > 0 else None


def named_settings(view: View) -> list[tuple[str, Value]]:
    """Give names and values in the files that the command names, without what is for evaluation or saving."""
    texts = [view.launch.name, *(word_text(word) for word in view.launch.words[1:])]
    loaded = [load_with_bases(view.run, path) for path in named_files(view.run, texts)[:MOST_FILES]]
    return [pair for value in loaded for pair in used_for_training(mapping_of(value))]


def used_for_training(mapping: Items) -> Iterator[tuple[str, Value]]:
    """Go through a mapping and those inside it, the sections for evaluation and saving left out."""
    waiting = [(mapping, 0)]
    left = MOST_SETTINGS
    while waiting and left > 0:
        node, depth = waiting.pop()
        for name, value in list(node.items())[:left]:
            left -= 1
            if not isinstance(name, str) or is_section_aside(name):
                continue
            below = inner_mapping(value)
            if below and depth < DEEPEST:
                waiting.append((below, depth + 1))
            elif not below:
                yield name, value


RULES = (
    Rule(Subject.DURATION, "settings that the command names", by_duration),
    Rule(Subject.BATCH, "settings that the command names", by_batch),
    Rule(Subject.OPTIMIZER, "settings that the command names", by_optimizer),
)
