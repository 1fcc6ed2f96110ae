"""Weaker places that name the data where nothing says it by name: files that are read, settings, the README."""

import posixpath
from collections.abc import Iterator
from itertools import pairwise

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import is_set, known_dataset, plain_words
from schedmate.knowledge.models import family_of
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import (
    is_mixed_in,
    is_output,
    names_aside,
    names_several,
    options_of,
    path_names,
    told_folder,
)
from schedmate.readers.code.fields.data.own_networks import names_own_network
from schedmate.readers.code.fields.data.telling_paths import DATA_FOLDERS, telling_part, with_slashes
from schedmate.readers.code.fields.words.command_names import SETTINGS
from schedmate.readers.code.fields.words.project_words import READMES
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import Repository

READERS, READERS_OF = frozenset(words("data.readers")), tuple(words("data.readers_of"))
FOLDER_READERS = frozenset(words("data.folder_readers"))

WEIGHTS = (".pth", ".pt", ".ckpt")
"""How files end among which a program looks for the last of its own: `G_*.pth`."""
ENDINGS = tuple(words("data.endings"))
BESIDE = frozenset(words("data.beside"))
OTHER_FIELDS = ("model_name", "model_weights")
LONGEST = 300


def by_setting(view: View) -> None:
    """Take the one known set that the paths among a program's settings name, whatever the settings are called."""
    found: dict[str, Value] = {}
    called = told_folder(view)  # what the command calls the data is not what a default says beside it
    for mappings in (view.namespaces, view.chosen_configs):
        for mapping in mappings:
            for name, value in flattened(mapping):
                if called and not view.is_told(value):
                    continue
                known = path_names(view, value) if is_path(value.data) and may_hold_data(name) else None
                if known is not None and not is_of_another_kind(view, known.task, value):
                    found.setdefault(known.name, value)
    if len(found) == 1:
        for name, value in found.items():
            view.keep("dataset_name", name, value.src, "a path among the settings")


def is_of_another_kind(view: View, task: str, value: Value) -> bool:
    """Tell a default that names pictures or sound beside a model of texts: what is told may be put to any use."""
    family = family_of(str(view.get("model_name") or ""))
    return family is not None and family.task == "NLP" and task in ("CV", "audio") and not view.is_told(value)


LEAST = 5
"""Shorter words than this may be other things, too, under an option whose name says nothing."""


def by_word(view: View) -> None:
    """Take the one known set that the command names to the letter under an option that means nothing else."""
    found: dict[str, Value] = {}
    for name, value in view.told.items():
        text = value.data
        whole = isinstance(text, str) and len(text) >= LEAST and is_set(text) and family_of(text) is None
        if whole and field_of_name().get(squashed(name)) is None and may_hold_data(name):
            known = known_dataset(text)
            if known is None or not is_mixed_in(known):
                found[known.name if known is not None else text] = value
    if len(found) == 1:
        for name, value in found.items():
            view.keep("dataset_name", name, value.src, "a word of the command's")


def is_path(text: object) -> bool:
    """Tell a text that looks like a path."""
    return isinstance(text, str) and "/" in text and len(text) < LONGEST and "://" not in text and " " not in text


def may_hold_data(name: str) -> bool:
    """Tell a setting whose name does not say that it holds a model, or what only an evaluation reads."""
    meant = field_of_name().get(squashed(name))
    beside = BESIDE.intersection(words_of(name)) or "pretrained" in name
    return not beside and not names_aside(name) and (meant is None or meant[0] not in OTHER_FIELDS)


def by_read_files(view: View) -> None:
    """Name data after the one file or folder that the followed path surely reads, where its name tells something."""
    if view.get("is_training") is not True:
        return
    found: dict[str, tuple[SourceLocation, ...]] = {}
    for event in view.events:
        for value in (*event.args[:2], *event.kwargs.values()) if event.sure and reads(event) else ():
            text = path_text(value)
            if not text or not is_data_file(text, event) or is_output(view, text, value) or lies_beside(text):
                continue
            if names_several(text) or any(lies_in(text, folder) for folder in view.once(made_folders)):
                continue
            name = telling_part(below_patterns(text))
            telling = name and not BESIDE.intersection(words_of(name)) and family_of(name) is None
            if telling and (is_chosen(view, name) or is_of_training(text)) and not names_own_network(view, name):
                found.setdefault(name, value.src or (event.spot,))
    if len(found) == 1:
        for name, spots in found.items():
            view.keep("dataset_name", name, spots, "the file or folder that is read")


def made_folders(view: View) -> list[str]:
    """Give the folders that the program makes for itself: what lies there it writes."""
    made = [event.args[0] for event in view.named("mkdir", "makedirs") if event.args and event.owner is None]
    made += [event.owner for event in view.named("mkdir") if event.owner is not None]
    return [text for one in made if (text := path_text(one)) and "/" in text.strip("./")]


def lies_in(path: str, folder: str) -> bool:
    """Tell a path that is a folder, or lies in it."""
    return f"{posixpath.normpath(path)}/".startswith(f"{posixpath.normpath(folder)}/")


def is_of_training(path: str) -> bool:
    """Tell a file that says that it is for training, in a folder that says of what: `data/rivers/train.xyz`."""
    folder, file = posixpath.split(with_slashes(path))
    said = words_of(posixpath.splitext(file)[0])
    is_it = bool(said) and said[0].startswith("train") and plain_words()["folders"].issuperset(said)
    return is_it and any(part.lower() in DATA_FOLDERS for part in folder.split("/"))


def is_chosen(view: View, name: str) -> bool:
    """Tell a file that an object is made with or a setting holds: what code opens by itself may be anything."""
    return any(name in path for path in view.once(chosen_paths))  # a mode may be called like a folder, too


def chosen_paths(view: View) -> list[str]:
    """Give the paths that objects are made with and that settings hold."""
    made = (event for event in view.events if isinstance(event.result.data, Instance))
    handed = (path_text(value) for event in made for value in (*event.args, *event.kwargs.values()))
    texts = {str(text) for text in (*handed, *(one.data for _, one in options_of(view)))}
    return [text for text in texts if is_path(text) or text.lower().endswith(ENDINGS)]


def reads(event: Event) -> bool:
    """Tell a call that reads data: by a library's function, or by the repository's own class of data."""
    if isinstance(event.result.data, Instance):
        return "data" in event.result.data.cls.name.lower()
    if event.short == "open":
        mode = event.arg(1, "mode")
        return mode is None or not isinstance(mode.data, str) or "r" in mode.data
    if event.name.startswith(READERS_OF):
        return True
    return event.short in READERS and not event.name.startswith("torch.load")


def is_data_file(text: str, event: Event) -> bool:
    """Tell the path of samples: a file of data by its ending, or a folder where folders are read."""
    if len(text) > LONGEST or "$" in text or "\n" in text or names_aside(text) or text.lower().endswith(SETTINGS):
        return False
    if "*" in text and text.lower().endswith(WEIGHTS):
        return False
    if with_slashes(text).lower().endswith(ENDINGS):
        return True
    folder = isinstance(event.result.data, Instance) or event.short in FOLDER_READERS
    return folder and is_path(text)


FOLDERS_BESIDE = frozenset(words("data.folders_beside"))


def lies_beside(path: str) -> bool:
    """Tell a file in a folder of what programs use beside data: `tokenizers/words/german.pickle`."""
    return not FOLDERS_BESIDE.isdisjoint(with_slashes(path).lower().split("/")[:-1])


def below_patterns(text: str) -> str:
    """Cut a path where a pattern of files begins."""
    parts = with_slashes(text).split("/")
    plain = next((at for at, part in enumerate(parts) if set(part) & set("*?[{")), len(parts))
    return "/".join(parts[:plain])


CONTEXT = re2.compile(
    r"(?i)\bdata ?-?sets?\b|\bcorp(us|ora)\b|\btrain(ed|ing)? on\b|base de don|jeu de don|datens[aä]tz|datos|dados"
    r"|数据|數據|데이터|データ"
)
"""How a README speaks of data, in the usual languages."""
PRETRAINED = re2.compile(r"(?i)pre-?trained")
"""How it speaks of weights, which have their own data."""
EXAMPLES = re2.compile(
    r"(?i)\brecommend(?:ed|s)?\b"
    r"|\b(?:such as|(?:(?:data)?sets?|data|corp(?:us|ora)|benchmarks?|ones) like|e\.g\.|for (?:example|instance))"
)
"""How it gives examples of what one may train on."""
TESTING, TRAINING = re2.compile(r"(?i)\b(test(ing|s|ed)?|evaluat\w+|benchmark\w*)\b"), re2.compile(r"(?i)\btrain")

ADDED = re2.compile(r"(?i)\baugment|\b(?:background|environmental|additive) noise\b|\bnoise (?:data|corpus)")
"""How it speaks of what is mixed into the data."""

WORD = re2.compile(r"[A-Za-z0-9][\w+-]*")

PROJECT = re2.compile(r"https?://(?:www\.)?(?:github|gitlab|gitee|bitbucket)\.\w+/[^\s)>\]]+")
"""The address of a project, which is called after whatever it is about."""

LINK = re2.compile(r"^[\s*+\-0-9.]*<?https?://\S+>?\s*$")
"""A line that is an address and nothing else: of another project, mostly."""
SETTING = re2.compile(r"^\s*[A-Za-z_][\w.]*\s*[=:]\s")
"""A line of code that sets something, as one of several programs is told to."""
MOST_LINES, LONGEST_LINE = 600, 2000


def by_readme(view: View) -> None:
    """Take the known set that the README speaks of as data, beside the program or above it, if it names no other."""
    entry = view.program.entry
    if entry is None or view.get("is_training") is not True or has_own_data(view):
        return
    folder = posixpath.dirname(entry.path)
    for path, text in readmes(view.run.repository, folder):
        found: dict[str, SourceLocation | None] = {}
        in_code = False
        for number, line in enumerate(text.split("\n")[:MOST_LINES], 1):
            in_code ^= line.lstrip().startswith("```")
            aside = ADDED.search(line) or (TESTING.search(line) and not TRAINING.search(line))
            aside = aside or (in_code and SETTING.search(line))
            meant = CONTEXT.search(line) and not aside and not EXAMPLES.search(line) and not LINK.search(line)
            speaks = SourceLocation(path, number) if meant else None
            for name in sets_in(line[:LONGEST_LINE]) if not PRETRAINED.search(line) else ():
                found[name] = found.get(name) or speaks
        spots = [(name, spot) for name, spot in found.items() if spot is not None]
        if len(found) == len(spots) == 1:
            view.keep("dataset_name", spots[0][0], (spots[0][1],), "the one data set that the README names")
        if found:
            return


def has_own_data(view: View) -> bool:
    """Tell a command whose data lie in the repository itself: what its README speaks of may be for another part."""
    paths = (path_text(value) for _, value in view.options("data_path") if view.is_told(value))
    held = view.run.repository
    return any(path and (held.is_folder(path) or held.is_file(path)) for path in paths)


def readmes(repository: Repository, folder: str) -> Iterator[tuple[str, str]]:
    """Give the README of a folder and of those above it, the nearest first."""
    while True:
        paths = (posixpath.join(folder, name) for name in READMES)
        found = next(((path, text) for path in paths if (text := repository.readable_text(path)) is not None), None)
        if found is not None:
            yield found
        if not folder:
            return
        folder = posixpath.dirname(folder)


def sets_in(line: str) -> list[str]:
    """Give the known sets that a line of text names, by one word or by two: `CIFAR 10`, `Penn Treebank`."""
    words = WORD.findall(str(PROJECT.sub("", line)))
    pairs = [one + two for one, two in pairwise(words) if one[:1].isupper() and not two[:1].islower()]
    found = [known_dataset(word) for word in [*pairs, *words]]
    names = dict.fromkeys(one.name for one in found if one is not None)
    return [name for name in names if not any(name != other and other.startswith(name) for other in names)]
