"""Notes in COCO's form, as many sets of pictures have them: which set they belong to."""

import ast

import re2

from schedmate.knowledge.datasets import DataSet, known_dataset
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.path_texts import path_text

READER = "pycocotools"

OWN_FILES = re2.compile(r"(?i)coco|(?:instances|captions|person_keypoints|panoptic|stuff)_\w*20[0-9]{2}")
"""COCO's own files of notes, and whatever is called after it."""


def set_of_notes(view: View, event: Event) -> DataSet | None:
    """Give the set whose notes are read: by their file, or where that is open by the code that reads them."""
    path = path_text(event.args[0]) if event.args else None
    places = [path] if path else [event.spot.path.removesuffix(".py"), *classes_around(view, event), *event.functions]
    named = next((known for place in places if (known := known_dataset(place)) is not None), None)
    if named is not None:
        return named
    return known_dataset("coco") if any(map(OWN_FILES.search, places)) else None


def classes_around(view: View, event: Event) -> list[str]:
    """Name the classes in whose bodies a call stands."""
    tree, line = view.run.trees.get(event.spot.path), event.spot.line
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)] if tree is not None else []
    return [node.name for node in classes if node.lineno <= line <= (node.end_lineno or node.lineno)]
