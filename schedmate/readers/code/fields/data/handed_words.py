"""What the command hands over that names the data without an option of that meaning: a path, a part of files' names."""

import posixpath

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import (
    is_mixed_in,
    is_output,
    is_written,
    names_aside,
    was_worked_out,
)
from schedmate.readers.code.fields.data.fetched_data import OF_NETWORKS
from schedmate.readers.code.fields.data.likely_data import is_data_file, is_path, may_hold_data, reads
from schedmate.readers.code.fields.data.names_of_no_data import PROGRAMS
from schedmate.readers.code.fields.data.telling_paths import HOME, telling_part, with_slashes
from schedmate.readers.code.fields.words.command_names import SETTINGS
from schedmate.readers.code.libraries.argument_words import split_words, word_text
from schedmate.readers.code.values.path_texts import path_text

LEAST = 4
"""Shorter words than this may stand in a file's name by chance."""
LOADS = ("load", "Path", "imread")
"""What opens a path beside the readers of data."""
GENERIC = frozenset(words("data.generic"))
"""Words that name a size or a state of some data, and not which."""
LIST_ENDINGS = (".txt", ".lst", ".list", ".csv", ".tsv", ".scp", ".flist")
"""How lists of files end."""


def by_free_path(view: View) -> None:
    """Take the known set that a path names which the command hands over under no name, and which the program reads."""
    for word in split_words(view.launch.words[1:])[1] if view.program.found else ():
        text = word_text(word)
        if not is_path(text) or "$" in text or text.endswith((*PROGRAMS, *SETTINGS)) or was_worked_out(text):
            continue
        own = str(HOME.sub("", text))
        if is_written(own) or OF_NETWORKS.search(own) or is_output(view, text, word) or not is_read(view, text):
            continue
        known = known_dataset(own)
        named = known is not None and not is_mixed_in(known)
        if known is not None and named and not (view.get("is_training") and names_aside(text)):
            view.keep("dataset_name", known.name, word.src or view.command_spot)
            return


def is_read(view: View, text: str) -> bool:
    """Tell a path that something on the followed path opens, loads or lists, or a file below it."""
    folder = text.rstrip("*/")
    for event in view.events:
        if event.sure and (reads(event) or event.short in LOADS):
            told = (path_text(value) for value in (*event.args[:2], *event.kwargs.values()))
            if any(path.startswith(folder) for path in told if path):
                return True
    return False


def by_word_in_files(view: View) -> None:
    """Take the command's word that stands in the names of most files of data which are surely read."""
    if not view.get("is_training"):
        return
    opened = [
        text
        for event in view.events
        for value in (*event.args[:1], *event.kwargs.values())
        if event.sure and reads(event) and (text := path_text(value)) and is_data_file(text, event)
    ]
    named = [posixpath.basename(with_slashes(text)) for text in dict.fromkeys(opened)]
    found = {}
    for name, value in view.told.items():
        said = value.data
        if not isinstance(said, str) or len(said) < LEAST or "/" in said or not telling_part(said):
            continue
        if GENERIC.issuperset(words_of(said)):
            continue
        if field_of_name().get(squashed(name)) is not None or not may_hold_data(name):
            continue
        if named and 2 * sum(said in one for one in named) > len(named):
            found[said] = value
    if len(found) == 1:
        for said, value in found.items():
            view.keep("dataset_name", said, value.src, "a part of the names of the files that are read")


def by_list(view: View) -> None:
    """Take the known set in whose folder the first file lies that a list of files names, which the program reads."""
    read = [event for event in view.events if event.sure and reads(event)]
    for value in (one for event in read for one in (*event.args[:2], *event.kwargs.values())):
        text = path_text(value)
        if not text.lower().endswith(LIST_ENDINGS) or (view.get("is_training") and names_aside(text)):
            continue
        path = view.run.find_file(text, view.run.workdir, ".")
        known = known_dataset(posixpath.dirname(first_listed(view, path))) if path is not None else None
        if known is not None:
            view.keep("dataset_name", known.name, value.src, f"where the files lie that {path} lists")
            return


def first_listed(view: View, path: str) -> str:
    """Give the first path that stands in the first line of a file."""
    line = view.run.repository.beginning(path).lstrip().partition("\n")[0]
    words_in_line = re2.split(r"[\s,;|]+", line)
    return next((str(one) for one in words_in_line if is_path(one)), "")


RULES = (
    Rule(Subject.DATA, "a path that the command hands over", by_free_path),
    Rule(Subject.DATA, "a list of files", by_list),
    Rule(Subject.DATA, "a word in the files' names", by_word_in_files),
)
