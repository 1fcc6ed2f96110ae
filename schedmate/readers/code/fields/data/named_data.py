"""Data that are loaded by a name: from a hub, from a disk where a hub's were saved, by a library of many sets."""

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, known_dataset
from schedmate.knowledge.models import squash
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import (
    keep_path,
    names_aside,
    path_names,
)
from schedmate.readers.code.fields.data.telling_paths import DATA_FOLDERS, telling_part
from schedmate.readers.code.libraries.argument_words import is_open
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import SourceLocation, Value

CONTAINERS = words("data.containers")
CONTAINERS_OF_OGB = words("data.containers_of_ogb")
FILES = ("json", "csv", "parquet", "text", "arrow", "imagefolder", "audiofolder", "webdataset")

FORMATS = frozenset(words("data.formats"))
"""Ways to store data, which an option of that name may choose: Megatron's `--dataset MMAP`."""
NO_NAMES = FORMATS.union(words("data.no_names"))


def by_loading(view: View) -> None:
    """Take the name that a hub's data set is loaded by."""
    found: dict[str, list[tuple[bool, str, tuple[SourceLocation, ...]]]] = {"load_dataset": [], "load_from_disk": []}
    reads_files = False
    for event in (*view.named("load_dataset"), *view.named("load_from_disk")):
        if aside(view, event):
            continue
        name = event.arg(0, "path")
        if name is None or not may_be_loaded(name.data):
            continue
        if event.short == "load_from_disk" and view.get("is_training") and names_aside(name.data.rpartition("/")[2]):
            continue
        if name.data in FILES:
            reads_files = True
            files = event.kwargs.get("data_files") or event.kwargs.get("data_dir")
            if files is not None and isinstance(files.data, str):
                keep_path(view, files)
            continue
        subset = event.arg(1, "name")
        text = name.data
        if text.endswith(".py"):  # a script that reads them, of which only its name is known
            keep_path(view, name)
            continue
        if event.short == "load_dataset" and subset is not None and isinstance(subset.data, str):
            plain = subset.data.lower() in DATA_FOLDERS  # `DATASET` stands for one of the user's
            text = text if plain or subset.data in text else f"{text}/{subset.data}"
        if event.short == "load_from_disk" or text.startswith(("/", "./", "../", "~")):
            text = name_on_disk(view, name)
        found[event.short].append((event.sure, text, (*name.src, event.spot)))
    # What was saved to the disk before is a cache, where the same program can also load it by name or make it of files.
    saved = [one for one in found["load_from_disk"] if one[0] or not reads_files]
    keep_agreed(view, found["load_dataset"] or saved)
    for event in view.ending("tfds.load", "tensorflow_datasets.load", "tfds.builder", "tensorflow_datasets.builder"):
        name = event.arg(0, "name")
        if name is not None and isinstance(name.data, str) and not view.is_set_aside(name):
            view.keep("dataset_name", name.data.partition(":")[0], name.src)


def name_on_disk(view: View, value: Value) -> str:
    """Name a folder that a hub's data set was saved to: after the set, else by what is no plain word of its path."""
    named = path_names(view, value)
    return named.name if named is not None else telling_part(str(value.data))


def may_be_loaded(text: object) -> bool:
    """Tell a name from an open one and from a split, which methods of that name are told: `load_dataset("valid")`."""
    named = isinstance(text, str) and bool(text) and "$" not in text
    return named and (text in FILES or str(text).lower() not in NO_NAMES)


def by_benchmark(view: View) -> None:
    """Take the known set that the command of a job which only uses a model names as its task."""
    for name in ("tasks", "task", "benchmarks", "benchmark") if view.get("is_training") is False else ():
        value = view.told.get(name)
        known = known_dataset(value.data) if value is not None and isinstance(value.data, str) else None
        if value is not None and known is not None:
            view.keep("dataset_name", known.name, value.src)


def by_container(view: View) -> None:
    """Take the name that a class of several data sets is told."""
    for event in view.named(*CONTAINERS, *CONTAINERS_OF_OGB):
        name = event.kwargs.get("name") or (event.args[1] if len(event.args) > 1 else None)
        name = name or (event.args[0] if event.args else None)
        if name is not None and is_open(str(name.data)):
            view.rule_out("dataset_name")
        if name is not None and isinstance(name.data, str) and 1 < len(name.data) < 60 and "/" not in name.data:
            known = known_dataset(name.data)
            view.keep("dataset_name", known.name if known is not None else name.data, name.src or (event.spot,))


def aside(view: View, event: Event) -> bool:
    """Tell a call that makes the data of an evaluation, in a job that trains."""
    if view.get("is_training") is False:
        return False
    split = event.kwargs.get("split")
    train = event.kwargs.get("train")
    if (train is not None and train.data is False) or (split is not None and names_aside(str(split.data))):
        return True
    entry = view.program.entry
    is_entry = entry is not None and event.spot.path == entry.path
    stem = "" if is_entry else event.spot.path.rpartition("/")[2].rpartition(".")[0]
    return any(names_aside(name) for name in (*event.functions[-2:], stem))


def keep_agreed(view: View, found: list[tuple[bool, str, tuple[SourceLocation, ...]]]) -> None:
    """Keep the first that is sure; of those in branches that may not be taken only what all agree on."""
    unsure = {name for sure, name, _ in found if not sure}
    for sure, name, spots in found:
        if sure or len(unsure) == 1:
            view.keep("dataset_name", name, spots)


def exact_name(event: Event, own: DataSet, word: str) -> str:
    """Give the one of a family of sets whose folder a class is handed that is called after all of them."""
    if squash(own.name) in squash(word):
        return own.name
    given = [known_dataset(text) for arg in (*event.args, *event.kwargs.values()) if (text := path_text(arg))]
    stem = squash(own.name).rstrip("0123456789")
    return next((one.name for one in given if one is not None and squash(one.name).startswith(stem)), own.name)
