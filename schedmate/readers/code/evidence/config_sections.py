"""Configuration files that a command chooses, those that they build on, and which of their sections mean training."""

import posixpath

from schedmate.knowledge.evaluation_words import evaluation_words, tells_evaluation
from schedmate.readers.code.configs.files import BASE_KEYS
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Attributes, Items, SourceLocation, Value, held, mapping_of, sequence_of

MOST_BASES = 40

LOOKING_ON = ("callbacks", "callback", "loggers", "logger")
"""Sections of what a trainer calls now and then: what they hold is of their own work."""

DEEPEST, MOST_ITEMS = 6, 2000


def chosen_mappings(texts: list[str], files: dict[str, Value | None], loaded: list[Value]) -> list[Items]:
    """Give what was loaded from the files that a command names, then from those that they build on."""
    command, named = texts[0], {posixpath.normpath(text.rpartition("=")[2]) for text in texts[1:]}
    chosen = [path for path in files if path in command or path in named]
    chosen += [path for path in bases_of(files, chosen) if path not in chosen]
    placed = []
    for value in loaded:
        paths = [spot.path for spot in value.src if spot.path]
        if isinstance(value.data, dict) and any(path in command or path in chosen for path in paths):
            placed.append((min((chosen.index(path) for path in paths if path in chosen), default=-1), value.data))
    return [mapping for _, mapping in sorted(placed, key=lambda pair: pair[0])]


def spots_for_evaluation(mappings: list[Items]) -> set[SourceLocation]:
    """Give the places of values that stand in sections for evaluation alone: `EvalReader: {batch_size: 2}`."""
    aside: set[SourceLocation] = set()
    used: set[SourceLocation] = set()
    walked = WalkedMappings()
    waiting = [(item, False, 0) for mapping in mappings for item in mapping.items()]
    while waiting:
        (name, value), is_aside, depth = waiting.pop()
        below = inner_mapping(value)
        is_aside = is_aside or bool(below and is_section_aside(str(name)))
        if below and depth < DEEPEST:
            if walked.as_deep(below, depth, is_aside):
                continue
            waiting += [(item, is_aside, depth + 1) for item in list(below.items())[:MOST_ITEMS]]
        elif depth:
            (aside if is_aside else used).update(value.src)
    return aside - used


class WalkedMappings:
    """Remembers what was walked, and from how high: what stands in many places is walked as often as it has depths."""

    def __init__(self) -> None:
        self.depths: dict[tuple[int, bool], int] = {}

    def as_deep(self, mapping: Items | Attributes, depth: int, is_aside: bool = False) -> bool:
        """Tell that it was walked from there or from higher; if not, it is now."""
        key = (id(mapping), is_aside)
        if self.depths.get(key, DEEPEST + 1) <= depth:
            return True
        self.depths[key] = depth
        return False


def is_section_aside(name: str) -> bool:
    """Tell a section that is for evaluating a model, for nothing but using or saving it, or for what looks on."""
    return tells_evaluation(name) or name.strip("_").lower() in {*evaluation_words("uses"), "save", *LOOKING_ON}


def inner_mapping(value: Value) -> Items:
    """Give the mapping that a value is, or the only one in its list."""
    data = value.data
    return mapping_of(data[0] if isinstance(data, list) and len(data) == 1 else value)


def bases_of(files: dict[str, Value | None], chosen: list[str]) -> list[str]:
    """Give the files that configurations name as what they build on, the last named first, since it wins."""
    found: list[str] = []
    waiting = list(chosen)
    while waiting and len(found) < MOST_BASES:
        path = waiting.pop(0)
        mapping = mapping_of(files.get(path))
        for named in [mapping.get(key) for key in BASE_KEYS]:
            for item in reversed(sequence_of(named) or ([named] if named is not None else [])):
                text = held(item, str) or ""
                below = posixpath.normpath(posixpath.join(posixpath.dirname(path), text))
                if text and below in files and below not in found:
                    found.append(below)
                    waiting.append(below)
    return found


def flattened(
    mapping: Items | Attributes, depth: int = 0, walked: WalkedMappings | None = None
) -> list[tuple[str, Value]]:
    """Give names and values of a mapping, then those of the mappings inside it, what is in many places once."""
    walked = walked or WalkedMappings()
    if walked.as_deep(mapping, depth):
        return []
    found: list[tuple[str, Value]] = []
    inside: list[tuple[str, Value]] = []
    for name, value in list(mapping.items())[:MOST_ITEMS]:
        if depth < DEEPEST and (below := inner_mapping(value)):
            inside += flattened(below, depth + 1, walked)
        if isinstance(value.data, Instance) and value.data.cls.kind == "record" and depth < DEEPEST:
            inside += flattened(value.data.attrs, depth + 1, walked)
        if isinstance(name, str):
            found.append((name, value))
    return [*found, *inside]
