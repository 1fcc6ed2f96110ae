"""Data sets that the paths name which calls open; of a mixture, no part names the whole."""

import posixpath
from collections import defaultdict

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, known_dataset
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import path_names
from schedmate.readers.code.fields.data.named_data import aside, keep_agreed
from schedmate.readers.code.fields.data.several_sets import keep_several, names_of
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import SourceLocation, Value

SEEING, READING_TEXTS = frozenset(words("data.seeing")), frozenset(words("data.reading_texts"))


BASES = ("Dataset", "DataModule", "DataLoader", "DataIter")
"""How the libraries' classes end that classes of data extend."""


def is_out_of_place(view: View, known: DataSet) -> bool:
    """Tell a set of texts in a program of images: detectors call their data base of images `imdb`."""
    sees = not view.imports.isdisjoint(SEEING) and view.imports.isdisjoint(READING_TEXTS)
    return known.task == "NLP" and sees


def keep_opened(view: View, events: list[Event], most: int) -> None:
    """Keep the data set that the paths which calls open name; of several that one place goes over, all or none."""
    found = []
    sure: dict[SourceLocation, set[str]] = defaultdict(set)
    given = [(event, value) for event in events for value in [*event.args[:most], *event.kwargs.values()]]
    beside = folders_beside(given)
    for event, value in given:
        known = path_names(view, value) if not aside(view, event) else None
        if known is not None and not is_out_of_place(view, known):
            folder = posixpath.dirname(without_pattern(path_text(value) or ""))
            if known_dataset(folder) is not None or not is_one_of_several(beside[event.spot, folder]):
                found.append((event.sure, known.name, value.src or (event.spot,)))
                sure[event.spot] |= {known.name} if event.sure else set()
    place = next((spot for spot, names in sure.items() if len(names) > 1), None)
    names = names_of([path_text(value) for event, value in given if event.spot == place and path_text(value)])
    if len(names) < 2:
        keep_agreed(view, found)
    else:
        keep_several(view, names, (place,) if place is not None else ())


def folders_beside(given: list[tuple[Event, Value]]) -> dict[tuple[SourceLocation, str], set[str]]:
    """Gather what one place of the code opens in one folder."""
    found: dict[tuple[SourceLocation, str], set[str]] = defaultdict(set)
    for event, value in given:
        text = without_pattern(path_text(value))
        if text:
            found[event.spot, posixpath.dirname(text)].add(posixpath.basename(text))
    return found


def without_pattern(path: str) -> str:
    """Cut the pattern off by which the files of a folder are searched: the folder is what is named."""
    return posixpath.dirname(path) if "*" in posixpath.basename(path) else path


SEVERAL = 3
"""Parts of a mixture, at the least."""


def is_one_of_several(names: set[str]) -> bool:
    """Tell parts of a mixture, which one place opens in turn: the one of them that is known does not name the whole."""
    return len(names) >= SEVERAL and len([name for name in names if known_dataset(name) is None]) * 2 > len(names)


def makes_data(event: Event) -> bool:
    """Tell a call that makes an object of the repository's own class of data, however it is called."""
    made = event.result.data
    return isinstance(made, Instance) and any(base.endswith(BASES) for base in made.cls.outside())
