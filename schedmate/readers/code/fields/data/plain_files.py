"""Data of which only the one file is known that a job trains on: `data/train.csv` is all that names them."""

import posixpath

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import plain_words, split_words
from schedmate.knowledge.models import family_of
from schedmate.knowledge.option_names import option_names
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import (
    DATA_FOLDERS,
    SURE_NAMES,
    is_output,
    names_aside,
    path_names,
    telling_part,
    with_slashes,
)
from schedmate.readers.code.fields.data.likely_data import BESIDE, lies_beside, reads
from schedmate.readers.code.values.value import SourceLocation, Value

ENDINGS = (*words("data.endings"), ".spacy", ".bin", ".conllu", ".idx", ".zip")
NOTE = "the file that is read, which alone names the data"
LONGEST = 200


def by_plain_file(view: View) -> None:
    """Name data after the file that an option gives to train on, else after the one file that is surely read."""
    if view.get("is_training") is not True:
        return
    for value in sorted(told_files(view), key=lambda value: not view.is_told(value)):
        view.keep("dataset_name", short_path(value.data), value.src, NOTE)
        return
    found: dict[str, tuple[SourceLocation, ...]] = {}
    for event in view.events:
        for value in (*event.args[:2], *event.kwargs.values()) if event.sure and reads(event) else ():
            if is_file(view, value):
                found.setdefault(value.data, value.src or (event.spot,))
    if len(found) == 1:
        for path, spots in found.items():
            view.keep("dataset_name", short_path(path), spots, NOTE)


def told_files(view: View) -> list[Value]:
    """Give the files that options of data and of training hold."""
    names = option_names()["data_path"]
    held = [value for rank, value in view.options("data_path") if names[rank].startswith(SURE_NAMES)]
    mappings = (*view.namespaces, *view.chosen_configs)
    pairs = [*view.told.items(), *(pair for mapping in mappings for pair in flattened(mapping))]
    held += [value for name, value in pairs if "train" in words_of(name) and BESIDE.isdisjoint(words_of(name))]
    return [value for value in held if is_file(view, value)]


def is_file(view: View, value: Value) -> bool:
    """Tell the path of a file of samples, of which only a part of the name may be plain."""
    text = value.data
    if not isinstance(text, str) or not 4 < len(text) < LONGEST or not text.lower().endswith(ENDINGS):
        return False
    pieces = set(split_words(with_slashes(text).lower()))
    stem = posixpath.splitext(posixpath.basename(with_slashes(text)))[0]
    strange = pieces & plain_words()["placeholders"] or set(text) & set("{}<>$*?\n ") or "://" in text
    beside = (BESIDE | {"voc"}).intersection(words_of(stem)) or names_aside(text) or family_of(stem) is not None
    beside = beside or lies_beside(text)
    return not strange and not beside and not is_output(view, text, value) and bool(value.src)


def short_path(path: str) -> str:
    """Give a file with the folder that it lies in, and with the one above where that is only called after data."""
    parts = with_slashes(path).split("/")
    count = 3 if parts[-2:-1] and parts[-2].lower() in DATA_FOLDERS else 2
    return "/".join(part for part in parts[-count:] if part not in ("", ".", "..", "~"))


def name_on_disk(view: View, value: Value) -> str:
    """Name a folder that a hub's data set was saved to: after the set, else by what is no plain word of its path."""
    named, path = path_names(view, value), str(value.data)
    return named.name if named is not None else telling_part(path) or short_path(path)
