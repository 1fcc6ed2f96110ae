"""Files of texts that code opens by itself and reads whole: they name a known set of texts, and nothing else."""

import posixpath

from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import path_names
from schedmate.readers.code.fields.data.likely_data import BESIDE, lies_beside
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import SourceLocation, held

READING_ALL = ("read", "readlines", "read_text")


def by_whole_texts(view: View) -> None:
    """Take the one known set of texts of which a job that trains reads a file whole."""
    found: dict[str, tuple[SourceLocation, ...]] = {}
    for event in view.named(*READING_ALL) if view.get("is_training") else ():
        opened = held(event.owner, ExternalResult)
        path = next(iter(opened.args), None) if opened is not None else None
        text = path_text(path)
        known = path_names(view, path) if path is not None and text else None
        stem = posixpath.splitext(posixpath.basename(text))[0]
        aside = lies_beside(text) or not BESIDE.isdisjoint(words_of(stem))
        if path is not None and known is not None and known.task == "NLP" and event.sure and not aside:
            found.setdefault(known.name, path.src or (event.spot,))
    if len(found) == 1:
        for name, spots in found.items():
            view.keep("dataset_name", name, spots, "the text that is read")


RULES = (Rule(Subject.DATA, "texts that are read whole", by_whole_texts),)
