"""Data that a script or a notebook downloads before the job, and functions that are named after the set they read."""

from collections.abc import Iterator
from typing import Self

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, is_set, known_dataset, plain_words
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.data_loaders import LOADERS
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import names_aside
from schedmate.readers.code.fields.data.download_commands import downloaded_by
from schedmate.readers.code.fields.data.likely_data import BESIDE, reads
from schedmate.readers.code.fields.data.names_of_no_data import names_method
from schedmate.readers.code.fields.data.opened_data import is_out_of_place
from schedmate.readers.code.shell.bash import Bash
from schedmate.readers.code.shell.session import Condition, ShellSession, ShellVariables
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.notebook import is_notebook, shell_lines
from schedmate.tools.repository import Repository

VERBS = frozenset(words("data.reading_verbs"))
MOST_LINES, MOST_COMMANDS = 5_000, 2_000

LEAST = 5
"""Shorter words than this may stand in a function's name by chance."""
NEAREST = 3
"""Functions around a call that are looked at."""


def by_download(view: View) -> None:
    """Take the one set that the scripts which start the job, or its notebook, download by name or from an address."""
    entry = view.program.entry.path if view.program.entry is not None else ""
    found: dict[str, SourceLocation] = {}
    for path in dict.fromkeys([*view.launch.scripts, *([entry] if is_notebook(entry) else [])]):
        for texts, spot in commands_in(view.run.repository, path):
            if name := downloaded_by(texts):
                found.setdefault(name, spot)
    if len(found) == 1:
        for name, spot in found.items():
            view.keep("dataset_name", name, (spot,), "what is downloaded")


class NotingShell(Bash):
    """Follow a script, and note the words of each command that it carries out."""

    def __init__(self, shell: ShellSession, names: ShellVariables, path: str) -> None:
        """Begin with nothing noted."""
        super().__init__(shell, names, path)
        self.noted: list[list[Value]] = []

    def child(self, names: ShellVariables, path: str) -> Self:
        """Note what a shell within carries out, too."""
        inner = super().child(names, path)
        inner.noted = self.noted
        return inner

    def start(self, words: list[Value], own: dict[str, Value]) -> Condition:
        """Note a command, then start it."""
        if len(self.noted) < MOST_COMMANDS:
            self.noted.append(words)
        return super().start(words, own)


def commands_in(repository: Repository, path: str) -> Iterator[tuple[list[str], SourceLocation]]:
    """Give the words of the commands that a script, or the cells of a notebook, have carried out."""
    text = repository.readable_text(path) or ""
    told = shell_lines(text) if is_notebook(path) else [(1, "\n".join(text.split("\n")[:MOST_LINES]))]
    for number, commands in told:
        shell = NotingShell(ShellSession(repository), ShellVariables(), path)
        shell.run_to_end(tokenize(commands, number))
        for found in shell.noted:
            spots = [spot for spot in found[0].src if spot.path == path]
            yield [str(word.data) for word in found], spots[0] if spots else SourceLocation(path, number)


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
