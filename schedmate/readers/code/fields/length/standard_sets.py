"""How many samples a standard set holds for training, where nothing in the program speaks of a part of it."""

import ast
import posixpath

from schedmate.knowledge.data_sizes import edition_of, standard_size, words_of_other_items
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.length.epochs_of_data import keep_steps
from schedmate.readers.code.fields.length.loader_epochs import looped_over
from schedmate.readers.code.libraries.data_lengths import HOLDING, REPLACED
from schedmate.readers.code.signs.observer import last_name
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import Value

CUTTING = frozenset(
    [
        "random_split", "Subset", "train_test_split", "SubsetRandomSampler", "StratifiedShuffleSplit", "KFold",
        "StratifiedKFold", "islice", "sample", "permutation", "randperm",
    ]
)  # fmt: skip
"""Calls that cut data into parts, or take some of them."""
PARTIAL = frozenset(
    [
        "fraction", "frac", "percent", "percentage", "portion", "subset", "limit", "samples", "ratio", "labeled",
        "labelled", "shot", "shots", "imbalance", "imb", "holdout", "debug", "fold", "folds",
        "tasks", "clients", "part",
    ]
)  # fmt: skip
"""Words in names of options that ask for a part of the data, or for another one than the usual."""
OTHER_SPLITS = ("trainval", "train_extra", "trainextra", "val", "test", "unlabeled", "train+", "minitrain", "extra")

FOLDERS = ("ImageFolder", "DatasetFolder")
"""Classes of torchvision that read a folder of classes, of whatever set; projects keep their own of these names."""
LIBRARIES = ("torchvision.datasets.", "torchaudio.datasets.")
WHOLE = (None, False, 0, 1, -1, "", "none", "None")


def from_standard_set(view: View) -> None:
    """Count the batches of an epoch over a standard set, whose own length was not seen."""
    keep_steps(view, lambda: looped_over(view, lambda _, data: of_standard_set(view, data)))


def of_standard_set(view: View, data: Value | None) -> Value | None:
    """Give the usual number of samples for training, if the data are a known set and no word speaks of a part."""
    made = data.data if data is not None else None
    name = name_of_set(view, made)
    size = standard_size(name) if name is not None else None
    if data is None or name is None or size is None or is_cut(view) or asks_for_part(view) or holds_others(made):
        return None
    if any((other := known_dataset(path_text(one))) and other.name != name for one in view.said("data_path")):
        return None
    edition = edition_of(name)
    if (edition and not names_edition(made, edition)) or speaks_of(made, words_of_other_items(name)):
        return None
    return Value(size, data.src or view.command_spot)


def holds_others(made: object) -> bool:
    """Tell a library's set in whose samples' place the program put others, mostly some of them."""
    if isinstance(made, Instance):
        bases = [base for base in made.cls.outside() if base.startswith(LIBRARIES)]
        if not any(not base.endswith(("VisionDataset", *FOLDERS)) for base in bases):
            return False  # all its samples are its own
    held = (*HOLDING, *REPLACED)
    return isinstance(made, (ExternalResult, Instance)) and not made.attrs.keys().isdisjoint(held)


def name_of_set(view: View, made: object) -> str | None:
    """Name the set that an object of data holds: by its class, which is named after the job's data."""
    known = view.values.get("dataset_name")
    named = known_dataset(str(known.value)) if known is not None else None
    if named is None:
        return None
    if isinstance(made, Instance):
        own = known_dataset(made.cls.name)
        if any("Iterable" in base for base in made.cls.outside()):
            return None
        if made.cls.name in FOLDERS:
            return named.name if is_of_training(*(made.given or ([], {}))) and not cuts_itself(made) else None
        plain = own == named and not (cuts_itself(made) or given_other_split(made) or scales_its_length(made))
        return named.name if plain else None
    if isinstance(made, ExternalResult) and made.short in FOLDERS and is_of_training(made.args, made.kwargs):
        return named.name
    if isinstance(made, ExternalResult) and made.callee.startswith("timm."):
        split = made.kwargs.get("split")
        told = split is not None and split.data in ("train", "training")
        folder = made.short in ("Dataset", "ImageDataset") and is_of_training(made.args, made.kwargs)
        return named.name if folder or (made.short == "create_dataset" and told) else None
    if isinstance(made, ExternalResult) and known_dataset(made.short) == named:
        return named.name if not other_split(made.args) and not other_split(list(made.kwargs.values())) else None
    return None


def speaks_of(made: object, words: list[str]) -> bool:
    """Tell a class of data in whose code one of some words stands."""
    nodes = [node for one in made.cls.lineage() for node in ast.walk(one.node)] if isinstance(made, Instance) else []
    parts = [getattr(node, key, None) for node in nodes for key in ("name", "id", "attr", "arg", "value")]
    return any(word in part.lower() for part in parts if isinstance(part, str) for word in words)


def names_edition(made: object, edition: str) -> bool:
    """Tell data of a certain edition by the paths that they are made of, or by what stands in their own class."""
    if isinstance(made, Instance):
        args, kwargs = made.given or ([], {})
        nodes = [node for one in made.cls.lineage() for node in ast.walk(one.node)]
        inside = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        return any(edition in text for text in (*map(path_text, (*args, *kwargs.values())), *inside))
    values = [*made.args, *made.kwargs.values()] if isinstance(made, ExternalResult) else []
    return any(edition in path_text(value) for value in values)


def is_of_training(args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Tell a folder of classes that is named after training."""
    root = kwargs.get("root") or next(iter(args), None)
    return posixpath.basename(path_text(root).rstrip("/")).lower() in ("train", "training", "train2012")


def given_other_split(made: Instance) -> bool:
    """Tell data that are made of another split than the usual one."""
    args, kwargs = made.given or ([], {})
    return other_split(args) or other_split(list(kwargs.values()))


def other_split(values: list[Value]) -> bool:
    """Tell values among which a split stands that is not the one for training."""
    texts = [value.data.lower() for value in values if isinstance(value.data, str)]
    return any(text.startswith(other) for text in texts for other in OTHER_SPLITS)


def cuts_itself(made: Instance) -> bool:
    """Tell a class of data whose own code takes some of what it reads."""
    nodes = [node for one in made.cls.lineage() for node in ast.walk(one.node)]
    calls = {last_name(node.func) for node in nodes if isinstance(node, ast.Call)}
    ends = [end for node in nodes if isinstance(node, ast.Slice) for end in (node.lower, node.upper)]
    return bool(calls & CUTTING) or any(isinstance(end, ast.Constant) and is_large(end.value) for end in ends)


def scales_its_length(made: Instance) -> bool:
    """Tell a class of data that says of itself to be longer or shorter than what it holds: `len(self.files) * 20`."""
    method = made.cls.find("__len__")
    node = method.data.node if method is not None and isinstance(method.data, Function) else None
    worked_out = (ast.BinOp, ast.IfExp)
    return node is not None and any(isinstance(one, worked_out) for one in ast.walk(node))


def is_large(number: object) -> bool:
    """Tell an end of a slice that cuts samples rather than letters of a name."""
    return isinstance(number, int) and abs(number) >= 64


def is_cut(view: View) -> bool:
    """Tell a program that was seen to cut data."""
    return any(
        event.short in CUTTING and "data" in event.name.lower() + event.spot.path.lower() for event in view.events
    )


def asks_for_part(view: View) -> bool:
    """Tell a program with an option that asks for a part of the data."""
    pairs = [pair for mapping in view.namespaces for pair in flattened(mapping)]
    return any(
        isinstance(value.data, (int, float, str)) and value.data not in WHOLE and PARTIAL.intersection(words_of(name))
        for name, value in [*pairs, *view.told.items()]
    )


RULES = (Rule(Subject.STEPS_OF_STANDARD_SET, "the usual size of the data", from_standard_set),)
