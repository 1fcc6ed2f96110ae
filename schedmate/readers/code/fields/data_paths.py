"""What a path says of the data that lie there."""

import posixpath

from schedmate.knowledge.datasets import DataSet, known_dataset, plain_words, split_words
from schedmate.knowledge.option_names import option_names
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

SURE_NAMES = ("data", "train")
"""How options begin whose paths are surely those of the training data."""


def names_aside(text: str) -> bool:
    """Tell a name or path of data that only an evaluation reads."""
    words = {word for part in text.split("/")[-2:] for word in words_of(part)}
    return bool(words & plain_words()["aside"]) and not any(word.startswith("train") for word in words)


def path_names(view: View, value: Value) -> DataSet | None:
    """Give the data set that a path names, unless it is an evaluation's in a job that trains."""
    text = value.data
    if not isinstance(text, str) or (view.get("is_training") is not False and names_aside(text)):
        return None
    return known_dataset(text)


def keep_path(view: View, value: Value) -> None:
    """Keep the data set that a path names."""
    known = path_names(view, value)
    if known is not None:
        view.keep("dataset_name", known.name, value.src)


def by_folder(view: View) -> None:
    """Name data that are not known after their file or folder, where the path says more than that they are data."""
    names = option_names()["data_path"]
    for rank, value in view.options("data_path"):
        text = value.data
        if not names[rank].startswith(SURE_NAMES) or not isinstance(text, str) or "$" in text or "/" not in text:
            continue
        name = telling_part(text)
        if name:
            view.keep("dataset_name", name, value.src, "the name of the data's file or folder")


def told_folder(view: View) -> bool:
    """Tell a command that gives the data's own folder: a word that only picks how they are read says less."""
    paths = [value for _, value in view.options("data_path") if view.is_told(value)]
    return any(isinstance(value.data, str) and "/" in value.data and telling_part(value.data) for value in paths)


def telling_part(path: str) -> str:
    """Give the last part of a path that is no plain word; nothing where the path stands in for another."""
    plain = plain_words()
    words = {word for part in path.split("/") for word in split_words(part.lower())}
    if words & plain["placeholders"] or "://" in path or "{" in path or "<" in path:
        return ""
    for part in reversed(path.strip("/").split("/")[-2:]):
        stem = posixpath.splitext(part)[0]
        left = [word for word in split_words(stem.lower()) if word not in plain["folders"] and not word.isdigit()]
        if any(len(word) > 3 or (len(word) == 3 and not word.isalpha()) for word in left):
            return stem
    return ""
