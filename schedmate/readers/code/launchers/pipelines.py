"""What a tool of experiments starts by its file: the stages of DVC, the program of a sweep of Weights & Biases."""

import posixpath
from collections.abc import Sequence
from itertools import pairwise

import re2

from schedmate.readers.code.configs.merging import put_path
from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.libraries.argument_words import guess, word_text
from schedmate.readers.code.values.value import SourceLocation, Value, find_in, first, held, mapping_of, sequence_of
from schedmate.tools.repository import Repository, inside

STAGES = "dvc.yaml"
SETTINGS = "params.yaml"
SETS = ("-S", "--set-param")

NAMED = re2.compile(r"\$\{([\w.\-]+)\}")
"""A setting's name in a stage's command."""
MOST_STAGES, MOST_LINES, MOST_OPTIONS = 100, 100, 200
LONGEST = 20_000
ENDINGS = (".yaml", ".yml")

USUAL = ("${interpreter}", "${program}", "${args}")
"""How an agent starts the program where the sweep says nothing of it."""
NO_WORDS = ("${env}", "/usr/bin/env")


def pipeline(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what DVC or a sweep's agent starts; nothing where the command is another one, or its file is not here."""
    name = posixpath.basename(launch.name) if launch.kind == "tool" else ""
    words = [word_text(word) for word in launch.words[1:]]
    if name == "dvc" and (words[:1] == ["repro"] or words[:2] == ["exp", "run"]):
        return stages(repository, launch, words[1 if words[0] == "repro" else 2 :])
    if name == "wandb" and words[:1] == ["agent"]:
        return swept(repository, launch.workdir, words[1:])
    return []


def stages(repository: Repository, launch: Launch, words: Sequence[str]) -> list[InnerCommand]:
    """Give the commands of the stages that are named, else of all; a stage that starts its own file again is left."""
    named = [word for word, before in zip(words, ["", *words], strict=False) if word[:1] != "-" and before not in SETS]
    file, _, stage = named[0].rpartition(":") if len(named) == 1 and STAGES in named[0] else ("", "", "")
    path = posixpath.normpath(inside(launch.workdir, file or stage or STAGES))
    if path in launch.scripts:
        return []
    folder = posixpath.dirname(path) or "."
    settings = read_file(repository, posixpath.normpath(inside(folder, SETTINGS)))
    known = {str(name): one for name, one in mapping_of(find_in(read_file(repository, path), "stages")).items()}
    wanted = [stage] if file else [] if stage else named
    if any(name not in known for name in wanted):
        return []
    given = given_settings(launch)
    if given and settings is not None:
        for one, word in given.items():
            put_path(settings, one.rpartition(":")[2], Value(guess(word_text(word)), word.src))
        launch.written[posixpath.normpath(inside(folder, SETTINGS))] = settings
    found: list[InnerCommand] = []
    for name in (wanted or list(known))[:MOST_STAGES]:
        body = find_in(known[name], "do") if find_in(known[name], "foreach") is not None else known[name]
        below = held(find_in(body, "wdir"), str)
        workdir = posixpath.normpath(inside(folder, below)) if below else folder
        for line in lines_of(find_in(body, "cmd")):
            number = line.src[0].line if line.src else 1
            found.append(InnerCommand(filled(line.data, settings), path, number, workdir=workdir))
    return found


def given_settings(launch: Launch) -> dict[str, Value]:
    """Give the settings that the command sets, by name: `-S rate=0.1`."""
    found: dict[str, Value] = {}
    for before, word in pairwise(launch.words):
        name, equals, text = word_text(word).partition("=")
        if word_text(before) in SETS and equals:
            found[name] = Value(text, word.src)
    return found


def lines_of(command: Value | None) -> list[Value]:
    """Give a stage's command, or each of several."""
    lines = sequence_of(command) or ([command] if command is not None else [])
    return [line for line in lines[:MOST_LINES] if isinstance(line.data, str)]


def filled(command: str, settings: Value | None) -> str:
    """Put settings into a stage's command, once; what is not among them stays a variable."""
    parts, end = [], 0
    for match in NAMED.finditer(command[:LONGEST]):
        value = find_in(settings, match.group(1))
        known = value is not None and isinstance(value.data, (str, int, float))
        text = str(value.data) if value is not None and known else match.group(0)
        parts += [command[end : match.start()], text]
        end = match.end()
    return "".join([*parts, command[end:LONGEST]])[:LONGEST]


def swept(repository: Repository, workdir: str, words: Sequence[str]) -> list[InnerCommand]:
    """Give the program of the sweep's file that the words name, or of the only one in the folder."""
    named = [found for word in words if (found := repository.find_file(word, workdir, ".")) is not None]
    paths = named or sweeps(repository, workdir)
    file = read_file(repository, paths[0]) if len(paths) == 1 else None
    program = find_in(file, "program")
    if program is None or not isinstance(program.data, str):
        return []
    spot = program.src[0] if program.src else SourceLocation(paths[0], 1)
    rows = list(mapping_of(find_in(file, "parameters")).items())[:MOST_OPTIONS]
    start = Value("python", (spot,))
    parts = {
        "${program}": [program],
        "${interpreter}": [start],
        "${args}": [option_of(f"--{name}", row, spot) for name, row in rows],
        "${args_no_hyphens}": [option_of(str(name), row, spot) for name, row in rows],
    }
    told = lines_of(find_in(file, "command")) or [Value(word, (spot,)) for word in USUAL]
    started = [one for word in told if word.data not in NO_WORDS for one in parts.get(word.data, [word])]
    return [InnerCommand(words=started, workdir=workdir)]


def option_of(name: str, row: Value, spot: SourceLocation) -> Value:
    """Write a parameter as the option that the agent gives; which of several values it gives only the run knows."""
    value = first(row, "value")
    if value is None or not isinstance(value.data, (str, int, float)):
        return Value(f"{name}=${name.lstrip('-')}", row.src or (spot,))
    return Value(f"{name}={value.data}", value.src or (spot,))


def sweeps(repository: Repository, folder: str) -> list[str]:
    """Find the files of a folder that describe a sweep."""
    names = repository.list_folder(folder, MOST_STAGES)[1]
    paths = [posixpath.normpath(inside(folder, name)) for name in names if name.endswith(ENDINGS)]
    texts = ((path, repository.glimpse(path)) for path in paths)
    return [path for path, text in texts if "program:" in text and "parameters:" in text and "method:" in text]


def read_file(repository: Repository, path: str) -> Value | None:
    """Read a file of YAML, if it is here."""
    text = repository.readable_text(path) if repository.is_file(path) else None
    return read_yaml(text, path) if text is not None else None
