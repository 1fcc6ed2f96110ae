"""The competition that a project was written for: its data are what the project trains on."""

import posixpath

import re2

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.likely_data import MOST_LINES, readmes
from schedmate.readers.code.fields.words.project_words import bare
from schedmate.readers.code.values.value import SourceLocation

ADDRESS = re2.compile(r"kaggle\.com/(?:c|competitions)/([a-z0-9][a-z0-9-]{3,80})")
"""Where Kaggle keeps a competition, and how it calls it."""


def by_competition(view: View) -> None:
    """Take the competition that the README links to and its title speaks of, where the command names no data."""
    entry = view.program.entry
    told = any(view.is_told(value) for _, value in view.options("data_path"))
    if entry is None or told or view.get("is_training") is not True:
        return
    for path, text in readmes(view.run.repository, posixpath.dirname(entry.path)):
        lines = text.split("\n")[:MOST_LINES]
        title = next((head for line in lines if words_of(head := bare(line).lower())), "")
        found: dict[str, SourceLocation] = {}
        for number, line in enumerate(lines, 1):
            for name in ADDRESS.findall(line):
                if is_meant(str(name), title):
                    found.setdefault(str(name), SourceLocation(path, number))
        if len(found) == 1:
            for name, spot in found.items():
                known = known_dataset(name)
                note = "the competition that the project is for"
                view.keep("dataset_name", known.name if known is not None else name, (spot,), note)
        return


def is_meant(name: str, title: str) -> bool:
    """Tell a competition of whose name most words, and more than one, stand in the project's title."""
    own, said = words_of(name), words_of(title)
    shared = sum(word in said for word in own)
    return shared > 1 and 2 * shared > len(own)


RULES = (Rule(Subject.DATA, "the competition that the project is for", by_competition),)
