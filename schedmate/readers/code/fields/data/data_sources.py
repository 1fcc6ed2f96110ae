"""Where the data come from: a path, a switch that has them made up, a class of the repository's own."""

import posixpath
from collections.abc import Iterator

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, known_dataset, plain_words
from schedmate.knowledge.evaluation_words import is_measured_on, tells_evaluation
from schedmate.knowledge.option_names import option_names, squashed
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.own_networks import names_own_network
from schedmate.readers.code.fields.data.telling_paths import telling_part, with_slashes
from schedmate.readers.code.fields.words.command_names import is_kind
from schedmate.readers.code.values.objects import Class, Instance
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import Value, each_of, sequence_of

SURE_NAMES = ("data", "train", "wds")
"""How options begin whose paths are surely those of the training data."""


def names_aside(text: str) -> bool:
    """Tell a name or path of data that only an evaluation reads."""
    parts = with_slashes(text).split("/")[-2:]
    words = {word for part in parts for word in words_of(part)}
    aside = any(tells_evaluation(part, "splits") or is_measured_on(part) for part in parts)
    return aside and not any(word.startswith("train") for word in words)


OUTPUTS = frozenset(words("data.outputs"))


def outputs(view: View) -> list[Value]:
    """Give the options that say where the program writes."""
    named = [value for name, value in options_of(view) if squashed(str(name)) in OUTPUTS]
    return [value for value in named if isinstance(value.data, str) and len(value.data) > 1]


def is_output(view: View, text: str, value: Value) -> bool:
    """Tell a path below one that the program writes to."""
    return any(one.data in text and not set(one.src).isdisjoint(value.src) for one in view.once(outputs))


def is_below_output(view: View, text: str) -> bool:
    """Tell what lies below a folder that the program writes to, put together from it: a cache of its own."""
    folders = (with_slashes(one.data).rstrip("/") for one in view.once(outputs))
    return any("/" in folder and with_slashes(text).startswith(f"{folder}/") for folder in folders)


def path_names(view: View, value: Value) -> DataSet | None:
    """Give the data set that a path names, unless it is written to, or an evaluation's in a job that trains."""
    text = path_text(value)
    if not text or (view.get("is_training") is not False and names_aside(text)):
        return None
    if is_output(view, text, value) or was_worked_out(text):
        return None
    known = known_dataset(text)
    return known if known is not None and not is_mixed_in(known) else None


MIXED_IN = frozenset(words("data.mixed_in"))


def is_mixed_in(known: DataSet) -> bool:
    """Tell a set of noises, of which a path alone says that it is mixed into the data."""
    return known.name in MIXED_IN


WORKED_OUT = frozenset(words("data.worked_out"))


def was_worked_out(path: str) -> bool:
    """Tell a file that was worked out of data, maybe of others than these: weights, a scaler, statistics."""
    stem, ending = posixpath.splitext(posixpath.basename(with_slashes(path)))
    return bool(ending) and not WORKED_OUT.isdisjoint(words_of(stem))


def keep_path(view: View, value: Value) -> None:
    """Keep the data set that a path names."""
    known = path_names(view, value)
    if known is not None:
        view.keep("dataset_name", known.name, value.src)


def names_several(text: str) -> bool:
    """Tell a list of several files or folders, of which none names the whole."""
    return len({telling_part(part) for part in text.split(",")}) > 1


def by_folder(view: View) -> None:
    """Name data that are not known after their file or folder, where the path says more than that they are data."""
    names = option_names()["data_path"]
    for rank, value in view.options("data_path"):
        text = path_text(value) or shared_folder(value)
        if not text or not names[rank].startswith(SURE_NAMES) or "$" in text:
            continue
        if view.get("is_training") and (names_aside(text) or (names[rank] == "train_dir" and is_written(text))):
            continue
        if names_several(text) or is_below_output(view, text):
            continue
        name = telling_part(text)
        if ("/" in text or (view.is_told(value) and not is_kind(text))) and not names_own_network(view, name):
            view.keep("dataset_name", name, value.src, "the name of the data's file or folder")
    for _, value in view.options("dataset_name"):
        if isinstance(value.data, str) and value.data.startswith(("/", "./", "../", "~")) and view.is_told(value):
            view.keep("dataset_name", telling_part(value.data), value.src, "the name of the data's file or folder")


def shared_folder(value: Value) -> str:
    """Give the folder in which several files or folders lie that are told as a list."""
    texts = [path_text(one) for one in sequence_of(value)]
    return posixpath.dirname(posixpath.commonprefix(texts)) if len(texts) > 1 and all(texts) else ""


WRITTEN = frozenset(words("networks.written"))


def is_written(path: str) -> bool:
    """Tell a path that a program writes to: what TensorFlow 1 calls `--train_dir` holds checkpoints and summaries."""
    return not WRITTEN.isdisjoint(words_of(path))


TABLES = frozenset({"read_csv", "read_json", "read_feather", "read_parquet", "read_excel", "read_table", "from_csv"})


def one_table(view: View) -> Value | None:
    """Give the path of the one table that is read."""
    paths = [event.arg(0) for event in view.events if event.short in TABLES and event.sure]
    told = [path for path in paths if path is not None and isinstance(path.data, str) and not names_aside(path.data)]
    only = len({path.data for path in told}) == 1 == len(paths) and "$" not in told[0].data
    return told[0] if only else None


def by_table(view: View) -> None:
    """Name data after the one table that is read, where its path says more than that they are data."""
    table = one_table(view)
    if table is not None and not is_below_output(view, table.data):
        view.keep("dataset_name", telling_part(table.data), table.src, "the name of the table that is read")


FOLDERS = frozenset(
    {"flow_from_directory", "image_dataset_from_directory", "text_dataset_from_directory", "ImageFolder"}
)
"""Calls that read a folder of samples."""


def by_read_folder(view: View) -> None:
    """Name data after the folder that a library is told to read, where its path says more than that they are data."""
    for event in view.named(*FOLDERS):
        path = event.arg(0, "directory" if event.short != "ImageFolder" else "root")
        if path is not None and isinstance(path.data, str) and not names_aside(path.data) and "$" not in path.data:
            keep_path(view, path)
            view.keep("dataset_name", telling_part(path.data), path.src or (event.spot,), "the folder that is read")


def told_folder(view: View) -> bool:
    """Tell a command that gives the data's own folder: a word that only picks how they are read says less."""
    paths = [value for _, value in view.options("data_path") if view.is_told(value)]
    texts = [path_text(value) or "" for value in paths]
    return any("/" in text and telling_part(text) for text in texts)


KINDS = {"datasettype", "datatype", "datasource", "datasetname", "dataset"}
MADE = {"synthetic", "dummy", "fake", "mock", "random"}
SWITCHES = {"syntheticdata", "usesyntheticdata", "mockdata", "dummydata", "fakedata", "usefakedata", "dummy"}


def by_switch(view: View) -> None:
    """Take the command's word that the data are made up."""
    for name, value in options_of(view):
        kind, data = squashed(name), value.data
        made = (kind in KINDS and isinstance(data, str) and data.lower() in MADE) or (kind in SWITCHES and data is True)
        if made and value.src and view.is_told(value):
            view.keep("dataset_name", "synthetic data", value.src, "made of random numbers")


def options_of(view: View) -> Iterator[tuple[str, Value]]:
    """Give every option of the command's own, and those that the program was seen to read or to have."""
    yield from view.told.items()
    for name, values in view.run.reads.items():
        for value in values:
            yield name, value
    for mapping in view.namespaces:
        yield from flattened(mapping)


def by_own_class(view: View) -> None:
    """Take the data set that the file of the repository's own class of data names."""
    for data in own_data(view):
        cls = data.data.cls
        known = known_dataset(place_of(cls))
        if known is not None:
            view.keep("dataset_name", known.name, (data.data.spot, cls.spot), f"the name of {cls.scope.path}")


def place_of(cls: Class) -> str:
    """Give the name of the file of a class; of a file with a plain name, `cifar10/dataset.py`, that of its folder."""
    folder, file = posixpath.split(cls.scope.path)
    stem = posixpath.splitext(file)[0]
    plain = set(words_of(stem)) <= plain_words()["classes"] | plain_words()["folders"]
    return posixpath.basename(folder) if plain and folder else stem


def own_data(view: View) -> list[Value]:
    """Give the objects of the repository's own classes that are loaded for training, without what wraps them."""
    data = [event.arg(0, "dataset") for event in training_loaders(view)]
    return [unwrapped(one) for one in data if one is not None and isinstance(one.data, Instance)]


def unwrapped(data: Value) -> Value:
    """Give the data inside wrappers that repeat, join or cut them."""
    for _ in range(5):
        inner = next(iter(each_of(data.data.attrs.get("dataset") or data.data.attrs.get("datasets"))), None)
        if inner is None or not isinstance(inner.data, Instance):
            return data
        data = inner
    return data
