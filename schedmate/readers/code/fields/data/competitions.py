"""What a project was written for, by its title: a competition, or the one known set; it trains on their data."""

import posixpath

import re2

from schedmate.knowledge.datasets import DataSet, by_name, known_dataset
from schedmate.knowledge.models import family_of
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import is_mixed_in
from schedmate.readers.code.fields.data.likely_data import MOST_LINES, readmes, sets_in
from schedmate.readers.code.fields.data.names_of_no_data import names_method
from schedmate.readers.code.fields.data.opened_data import is_out_of_place
from schedmate.readers.code.fields.words.project_words import bare, project_lines
from schedmate.readers.code.values.value import SourceLocation

ADDRESS = re2.compile(r"kaggle\.com/(?:c|competitions)/([a-z0-9][a-z0-9-]{3,80})")
"""Where Kaggle keeps a competition, and how it calls it."""


def by_competition(view: View) -> None:
    """Take the competition that the README links to and its title speaks of, where the command names no data."""
    entry = view.program.entry
    told = any(view.is_told(value) for _, value in view.options("data_path"))
    fitted = view.get("is_training") is True or view.get("model_name") is not None
    if entry is None or told or not fitted:
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


def by_title(view: View) -> None:
    """Take the one known set that the project's title names, where nothing nearer names data."""
    entry = view.program.entry
    told = any(view.is_told(value) for _, value in view.options("data_path"))
    if entry is None or told or view.get("is_training") is not True:
        return
    for text, spot in project_lines(view)[:1] if view.get("dataset_name") is None else ():
        if not is_heading(view, spot):
            continue
        found = [one for name in sets_in(text) if (one := by_name().get(name)) is not None]
        if len(found) == 1 and not aside(view, found[0]):
            view.keep("dataset_name", found[0].name, (spot,), "the project's title")


def is_heading(view: View, spot: SourceLocation) -> bool:
    """Tell a README's title from the sentences below one."""
    lines = view.run.repository.glimpse(spot.path).split("\n")
    after = lines[spot.line].strip() if spot.line < len(lines) else ""
    return lines[spot.line - 1].lstrip().startswith("#") or (bool(after) and set(after) <= {"="})


def aside(view: View, known: DataSet) -> bool:
    """Tell a set of another kind of data than the model reads, or one that is called after a way to train."""
    family = family_of(str(view.get("model_name") or ""))
    differs = family is not None and family.task and known.task and family.task != known.task
    return bool(differs) or names_method(known) or is_mixed_in(known) or is_out_of_place(view, known)


RULES = (
    Rule(Subject.DATA, "the competition that the project is for", by_competition),
    Rule(Subject.DATA, "the set that the project is called after", by_title),
)
