"""Options that name no model to be trained: runs, called after a model and settings, folders, models of a service."""

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import family_of, size_of
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

SETTING = re2.compile(r"(?i)[_-](?:lr|bsz?|batch|seed|trial|wd|decay|epochs?|ep)[_=-]?\d")
"""A setting with its value inside a name."""
PAIR = re2.compile(r"(?i)(?:^|[_-])[a-z]{1,12}[:=]-?[\d.]+(?:$|[_-])")
"""The same, written as a pair: `alpha:0.5`."""


DEVICES = re2.compile(r"(?i)(?:^|[_-])(?:(?:multi|single)?[_-]?\d*gpus?|ddp|tpus?)(?:$|[_-])")
"""On what a run computes, inside of its name."""

SERVICE = re2.compile(
    r"(?i)^(?:openai/|anthropic/|google/)?(?:gpt-?(?:3\.5|4|5)|chatgpt|o[134](?:-mini|-preview)?$|claude-|gemini-|text-davinci)"
)
"""Models that only answer over a network: a job that trains asks them to judge or to write samples."""


def names_another(view: View, option: Value) -> bool:
    """Tell a text that names a run of a model, or a model that no job can train."""
    text = str(option.data)
    asks = view.get("is_training") is True and SERVICE.match(text) is not None
    return asks or names_run(text) or is_joined(view, option) or is_made_of_settings(view, option)


def names_run(text: str) -> bool:
    """Tell a name with a setting's value in it, or with the devices on which a run computes."""
    return any(pattern.search(text) for pattern in (SETTING, PAIR, DEVICES))


def is_made_of_settings(view: View, option: Value) -> bool:
    """Tell a text that the program puts together of what three options of the command say, or of two and a name first.

    Of `f"model_{data}_{way}_{seed}"` no part need name the model; what begins with a known model's name may name it.
    """
    text, places = str(option.data), set(option.src)
    parts = {name: str(value.data) for name, value in view.told.items() if value.src and set(value.src) < places}
    inside = [part for part in parts.values() if len(part) > 1 and part != text and part in text]
    return len(inside) > 2 or (len(inside) == 2 and family_of(text) is None)


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


WRITTEN = frozenset(words("networks.written"))

HOLDING = frozenset({"models", "weights", "checkpoint", "checkpoints", "ckpt", "ckpts", "pretrained", "lib", "zoo"})
"""Words of folders that hold models: `/data/models_lib`."""


def names_place(text: str) -> bool:
    """Tell a path into a folder that programs write to, whose end is no known model's name: `./checkpoints/first`."""
    *folders, end = text.strip("./").lower().split("/")
    places = not WRITTEN.isdisjoint(folders) or (folders and not HOLDING.isdisjoint(words_of(end)))
    return bool(places) and family_of(end) is None
