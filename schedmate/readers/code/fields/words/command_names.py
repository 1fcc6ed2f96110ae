"""Names that the command gives by its options, and that a node of a configuration carries."""

import posixpath

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import is_set, known_dataset, plain_words, split_words
from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.models import family_of, is_generic, layer_type
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.tasks import method_in, said_outright, task_in_words, words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Attributes, External, Items, SourceLocation, Value

NAME_KEYS = words("networks.name_keys")
INNER_KEYS = words("networks.inner_keys")

SETTINGS = words("data.settings")
"""Endings of files that say where data lie, and hold none."""


def name_in(value: Value, depth: int = 0) -> Value | None:
    """Give the text that names what a node configures; of a plain frame, what names its chief part."""
    node = node_of(value)
    if node is None or depth > 2:
        return None
    for key in NAME_KEYS:
        named = node.get(key) or node.get(key.upper())
        text = named.data.name if named is not None and isinstance(named.data, External) else None
        text = named.data if text is None and named is not None and isinstance(named.data, str) else text
        if named is not None and text:
            short = text.rpartition(".")[2] if "/" not in text and text.count(".") > 1 else text
            if not is_generic(short[:1].upper() + short[1:]):
                return Value(short, named.src)
    for key in INNER_KEYS:
        inner = node.get(key) or node.get(key.upper())
        if inner is not None and (found := name_in(inner, depth + 1)) is not None:
            return found
    return None


def node_of(value: Value) -> Items | Attributes | None:
    """Give what stands in a node of a configuration, be it a mapping or a record that was made of one."""
    data = value.data
    if isinstance(data, Instance):
        return data.attrs if data.cls.kind == "record" else None
    return data if isinstance(data, dict) else None


LEAVES = frozenset({"type", "name", "id", "repo_id", "path", "_name_", "_target_", "arch", "cls", "kind", "hf_name"})
"""Last parts of dotted options that mean what stands before them."""
CHIEF = {
    "model_name": ("model", "policy", "network", "net", "backbone", "arch", "agent"),
    "dataset_name": ("dataset", "data", "datamodule"),
}


def name_in_command(view: View, field_name: str) -> None:
    """Keep the name that the command gives under an option that means the field."""
    if view.get("is_training") is False and view.get("framework") is None:
        return
    for key, text, spots in options_of(view):
        parts = key.split(".")
        dotted = len(parts) > 1 and parts[-1] in LEAVES
        if dotted and parts[-2] not in CHIEF[field_name]:
            continue
        known = field_of_name().get(squashed(parts[-1]))
        if not dotted and (known is None or known[0] != field_name):
            continue
        if field_name == "model_name" and not is_to_be_filled_in(text) and (dotted or family_of(text) is not None):
            view.keep(field_name, text, spots)
        elif field_name == "dataset_name" and view.get("is_training") and is_of_evaluation(text):
            continue
        elif field_name == "dataset_name" and not text.lower().endswith(SETTINGS) and says_data(text):
            found = known_dataset(text)
            view.keep(field_name, found.name if found is not None and "/" not in text else text, spots)


def is_of_evaluation(path: str) -> bool:
    """Tell a path to a file or folder that only an evaluation reads."""
    return "/" in path and tells_evaluation(posixpath.basename(path), "splits")


def says_data(text: str) -> bool:
    """Tell a text that is a path without an end that marks a folder, or names a known data set."""
    plain = lies_among_data(text) and plain_words()["folders"].issuperset(split_words(text.lower()))
    is_path = "/" in text and "*" not in text and not text.endswith("/") and not plain
    return (is_path and not is_to_be_filled_in(text)) or known_dataset(text) is not None


DATA_OWNERS = frozenset({"data", "dataset", "datasets", "corpus", "corpora"})
"""What a folder is called in which data lie, alone or with a plain word beside it."""


def lies_among_data(path: str) -> bool:
    """Tell a folder in a program's own one for data from what a hub calls a set: `data-bin/new`."""
    owner, slash, name = path.partition("/")
    said = split_words(owner.lower())
    return (
        bool(slash)
        and "." not in name
        and not DATA_OWNERS.isdisjoint(said)
        and plain_words()["folders"].issuperset(said)
    )


def is_to_be_filled_in(text: str) -> bool:
    """Tell a name or path that stands for one of the user's: `experiments/my_experiment`."""
    said = split_words(text.lower())
    return not plain_words()["filled_in"].isdisjoint(said) or ("/" in text and "my" in said)


def is_task(option: str, text: str) -> bool:
    """Tell an option of tasks that holds the word of a task and no data set's: `--task_name=NER`."""
    says = task_in_words(text) is not None or method_in(text) is not None or said_outright(text) is not None
    return "task" in option and says and known_dataset(text) is None


def is_kind(text: str) -> bool:
    """Tell what names no data: usual words of code alone, which say how data are read; a path of the user's."""
    if "/" in text and is_to_be_filled_in(text):
        return True
    said = words_of(text)
    if names_reader(text):
        return True
    usual = len(said) > 1 and plain_words()["classes"].issuperset(said)
    return usual and known_dataset(text) is None and "/" not in text


READS = re2.compile(r"(?:Data|Dataset|DataSet|DataModule|DataLoader|Loader)$")
"""How classes of data end."""


def names_reader(text: str) -> bool:
    """Tell a class of data that is called after the kind of network which it is for: `RNNData`."""
    bare = str(READS.sub("", text))
    kind = bare != text and (family_of(bare) is not None or layer_type({bare}) is not None)
    return kind and known_dataset(text) is None and not is_set(bare)


def options_of(view: View) -> list[tuple[str, str, tuple[SourceLocation, ...]]]:
    """Give names and texts of the options that stand in the command."""
    found = []
    words = view.launch.words
    for word, following in zip(words, [*words[1:], None], strict=False):
        text = word_text(word)
        key, equals, value = text.partition("=")
        if not equals and text.startswith("--") and following is not None:
            value = word_text(following)
        if value and not value.startswith("-") and "$" not in value and not value.startswith(("/", ".", "~", "[", "{")):
            found.append((key.lstrip("-+").replace("-", "_"), value, word.src or view.command_spot))
    return found
