"""Last layers whose width is the number of classes or actions, which only the data or the environment knows."""

from typing import NamedTuple

import re2

from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.sizes.ready_networks import OPEN_HEAD
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Value
from schedmate.tools.late_patterns import late_re2

OF_CLASSES = re2.compile(
    r"(?:^|[._])(?:n_?|num_?)?(?:classes|class_names|class_to_idx|label_?list|labels|label2id|label_?map|categories|nunique)"
    r"(?:\(\))?$|\baction_space\.n$"
)
"""What counts classes, kinds and choices: a word's vocabulary is none of them."""

OF_WORDS = late_re2(
    r"(?i)voc|word|token|char|dict|symbol|corpus|item|user|entit|person|speaker|spk|identi|face|celeb|21k|22k"
    r"|ms1m|casia|glint|vox|market|msmt|duke|re_?id|product|landmark|inat"
)
"""What holds words and things of any number, however the variable is called that counts them."""
NUMBER_OF = re2.compile(r"^(?:n|nb|num|number_of)_?(?:classes|class|labels)$|^class(?:es)?_?(?:num|count|number)$")
"""How variables are called that count classes."""
POINTWISE = ("Conv1d", "Conv2d", "Conv3d")
"""Layers that sort each place by itself, where their kernel is of one place."""
ACTIONS = ".action_space.n"

MOST_CLASSES = 1_000
"""The largest sets of classes that are usual have no more: those of ImageNet."""
MOST_ACTIONS = 64
"""Environments whose actions are counted have fewer, mostly far fewer."""


DEEPEST = 6


class ParameterCount(NamedTuple):
    """How many parameters a network has, and whether a small last layer of open width was left out."""

    total: int
    headless: bool


class OpenHeads:
    """How much the last layers may hold that a count leaves out."""

    def __init__(self) -> None:
        self.most = 0

    def note(self, made: ExternalResult) -> bool:
        """Keep a layer whose width the data's classes are; tell whether it is one."""
        names = ("in_features", "out_features") if made.short == "Linear" else ("in_channels", "out_channels")
        given = made.kwargs.get(names[0]) or next(iter(made.args), None)
        wide = made.kwargs.get(names[1]) or (made.args[1] if len(made.args) > 1 else None)
        side = made.kwargs.get("kernel_size") or (made.args[2] if len(made.args) > 2 else None)
        flat = made.short == "Linear" or (made.short in POINTWISE and side is not None and side.data in (1, (1, 1)))
        if not flat or given is None or type(given.data) is not int or not counts_classes(wide):
            return False
        self.most += (given.data + 1) * (MOST_ACTIONS if is_actions(wide) else MOST_CLASSES)
        return True

    def check(self, rest: int) -> None:
        """Leave the count open unless even that many classes would be a small part of the network."""
        if self.most > OPEN_HEAD * rest:
            raise NotCounted("a last layer that is a good part of the network")


def counts_classes(value: Value | None) -> bool:
    """Tell `len(data.classes)` and `env.action_space.n`."""
    data = value.data if value is not None else None
    if isinstance(data, ExternalResult) and any(NUMBER_OF.search(name) for name in data.names):
        return not counts_words(Value(data))
    if isinstance(data, ExternalResult) and data.callee == "len" and data.args:
        return counts_classes(data.args[0])
    name = data.name if isinstance(data, External) else data.callee if isinstance(data, ExternalResult) else ""
    return OF_CLASSES.search(name) is not None and value is not None and not counts_words(value)


def counts_words(value: Value, depth: int = 0) -> bool:
    """Tell the length of a vocabulary, and what is not seen to be none: by the names and files that it comes from."""
    data = value.data
    if isinstance(data, str):
        return OF_WORDS.search(data) is not None
    if isinstance(data, External):
        return OF_WORDS.search(data.name) is not None or (
            data.owner is not None and counts_words(data.owner, depth + 1)
        )
    if not isinstance(data, ExternalResult) or depth > DEEPEST:
        return depth > DEEPEST
    behind = [*data.args, *data.kwargs.values(), *([data.owner] if data.owner is not None else [])]
    named = any(OF_WORDS.search(name) for name in (data.callee, *data.names))
    return named or any(counts_words(one, depth + 1) for one in behind)


def is_actions(value: Value | None) -> bool:
    """Tell the number of an environment's actions."""
    return value is not None and isinstance(value.data, External) and value.data.name.endswith(ACTIONS)
