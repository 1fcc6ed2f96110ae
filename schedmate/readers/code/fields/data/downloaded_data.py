"""Data that a script or a notebook downloads before the job, and functions that are named after the set they read."""

import posixpath

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, is_set, known_dataset, plain_words
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.data_loaders import LOADERS
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import names_aside
from schedmate.readers.code.fields.data.fetched_data import OF_NETWORKS
from schedmate.readers.code.fields.data.likely_data import BESIDE, reads
from schedmate.readers.code.fields.data.names_of_no_data import names_method
from schedmate.readers.code.fields.data.opened_data import is_out_of_place
from schedmate.readers.code.values.value import SourceLocation

ASKED = re2.compile(
    r"\bkaggle (?:competitions download(?: -c)?|datasets download(?: -d)?) ([\w-]+(?:/[\w-]+)?)"
    r"|\b(?:huggingface-cli|hf) download\b[^\n\\]*--repo-type[ =]dataset\b[^\n\\]*? ([\w.-]+/[\w.-]+)"
    r"|\b(?:huggingface-cli|hf) download ([\w.-]+/[\w.-]+)[^\n\\]*--repo-type[ =]dataset\b"
)
"""Commands that ask for data by name."""
ADDRESS = re2.compile(r"\b(?:wget|curl|aria2c|gdown)\b[^\n]*?\b(https?://[^\s\"'\\]+)")
"""Commands that fetch what lies at an address."""
VERBS = frozenset(words("data.reading_verbs"))
MOST_LINES = 5_000

LEAST = 5
"""Shorter words than this may stand in a function's name by chance."""
NEAREST = 3
"""Functions around a call that are looked at."""


def by_download(view: View) -> None:
    """Take the one set that the scripts which start the job, or its notebook, download by name or from an address."""
    entry = view.program.entry.path if view.program.entry is not None else ""
    found: dict[str, SourceLocation] = {}
    for path in dict.fromkeys([*view.launch.scripts, *([entry] if entry.endswith(".ipynb") else [])]):
        lines = (view.run.repository.readable_text(path) or "").split("\n")[:MOST_LINES]
        for number, line in enumerate(lines, 1):
            name = "" if line.lstrip().startswith("#") else downloaded(line)
            if name:
                found.setdefault(name, SourceLocation(path, number))
    if len(found) == 1:
        for name, spot in found.items():
            view.keep("dataset_name", name, (spot,), "what is downloaded")


def downloaded(line: str) -> str:
    """Name what a line of a script downloads: what is asked for by name, else a known set."""
    asked = ASKED.search(line)
    name = next((str(one) for one in asked.groups() if one), "") if asked is not None else ""
    if name:
        known = known_dataset(name)
        return known.name if known is not None else posixpath.basename(name)
    address = ADDRESS.search(line)
    text = str(address.group(1)) if address is not None else ""
    known = known_dataset(text) if text and not OF_NETWORKS.search(text) else None
    return known.name if known is not None else ""


def by_reader(view: View) -> None:
    """Take the one known set after which functions are named that read data or make loaders: `load_cifar10(...)`."""
    found: dict[str, SourceLocation] = {}
    for event in view.events:
        if not event.sure or not (event.short in LOADERS or reads(event)):
            continue
        for function in event.functions[-NEAREST:]:
            known = None if names_aside(function) else named_after(function)
            if known is not None and not names_method(known) and not is_out_of_place(view, known):
                found.setdefault(known.name, event.spot)
    if len(found) == 1:
        for name, spot in found.items():
            view.keep("dataset_name", name, (spot,), "the function that reads the data is named after it")


def named_after(function: str) -> DataSet | None:
    """Give the set after which a function is named: its name to the letter, less what says that data are read."""
    said = words_of(function)
    plain = plain_words()["classes"] | plain_words()["folders"] | VERBS
    left = "".join(word for word in said if word not in plain)
    known = known_dataset(left) if len(left) >= LEAST and is_set(left) else None
    return None if BESIDE.intersection(said) else known


RULES = (
    Rule(Subject.DATA, "what a script downloads", by_download),
    Rule(Subject.DATA, "functions that read", by_reader),
)
