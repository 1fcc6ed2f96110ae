"""What a tool of experiments starts by its file: the stages of DVC, the program of a sweep of Weights & Biases."""

import posixpath
from itertools import islice

import re2

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation, Value, find_in, first, mapping_of, sequence_of
from schedmate.tools.repository import Repository, inside

STAGES = "dvc.yaml"
SETTINGS = "params.yaml"
NAMED = re2.compile(r"\$\{([\w.\-]+)\}")
"""A setting's name in a stage's command."""
MOST_STAGES = 100
MOST_FILES = 2_000
ENDINGS = (".yaml", ".yml")
PROGRAM_WORDS = ("${program}", "${args}", "${env}", "${interpreter}", "${args_no_hyphens}", "${args_json}")


def pipeline(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what DVC or a sweep starts; nothing where the command is another one, or its file is not here."""
    name = posixpath.basename(launch.name) if launch.kind == "tool" else ""
    words = [word_text(word) for word in launch.words[1:]]
    if name == "dvc" and words[:1] in (["repro"], ["exp"]):
        return stages(repository, launch.workdir, words)
    if name == "wandb" and words[:1] in (["agent"], ["sweep"]):
        return swept(repository, launch.workdir, words)
    return []


def stages(repository: Repository, workdir: str, words: list[str]) -> list[InnerCommand]:
    """Give the commands of the stages that are named, else of all."""
    path = posixpath.normpath(inside(workdir, STAGES))
    file = read_file(repository, path)
    settings = read_file(repository, posixpath.normpath(inside(workdir, SETTINGS)))
    known = {str(name): stage for name, stage in mapping_of(find_in(file, "stages")).items()}
    chosen = [name for name in words if name in known] or list(known)
    found = []
    for name in chosen[:MOST_STAGES]:
        body = find_in(known[name], "do") if find_in(known[name], "foreach") is not None else known[name]
        command = find_in(body, "cmd")
        folder = find_in(body, "wdir")
        below = inside(workdir, str(folder.data)) if folder is not None else workdir
        for line in sequence_of(command) or ([command] if command is not None else []):
            text, number = filled(str(line.data), settings), line.src[0].line if line.src else 1
            found.append(InnerCommand(text, path, number, workdir=posixpath.normpath(below)))
    return found


def filled(command: str, settings: Value | None) -> str:
    """Put settings into a stage's command; what is not among them stays a variable."""
    for name in set(NAMED.findall(command)):
        value = find_in(settings, name)
        if value is not None and isinstance(value.data, (str, int, float)):
            command = command.replace(f"${{{name}}}", str(value.data))
    return command


def swept(repository: Repository, workdir: str, words: list[str]) -> list[InnerCommand]:
    """Give the program of the sweep's file that the words name, or of the only one; a list of values stays open."""
    named = [found for word in words if (found := repository.find_file(word, workdir, ".")) is not None]
    paths = named or sweeps(repository)
    if len(paths) != 1:
        return []
    file = read_file(repository, paths[0])
    program = find_in(file, "program")
    if program is None or not isinstance(program.data, str):
        return []
    spot = program.src[0] if program.src else SourceLocation(paths[0], 1)
    start = [Value("python", (spot,))] if program.data.endswith(".py") else []
    told = [
        Value(str(word.data), word.src or (spot,))
        for word in sequence_of(find_in(file, "command"))
        if word.data not in PROGRAM_WORDS and str(word.data) not in ("/usr/bin/env", "python", "python3")
    ]
    options = [option_of(str(name), row, spot) for name, row in mapping_of(find_in(file, "parameters")).items()]
    return [InnerCommand(words=[*start, program, *told, *options], workdir=workdir)]


def option_of(name: str, row: Value, spot: SourceLocation) -> Value:
    """Write a parameter as the option that the agent gives; which of several values it gives only the run knows."""
    value = first(row, "value")
    if value is None or not isinstance(value.data, (str, int, float)):
        return Value(f"--{name}=${name}", row.src or (spot,))
    return Value(f"--{name}={value.data}", value.src or (spot,))


def sweeps(repository: Repository) -> list[str]:
    """Find the repository's files that describe a sweep."""
    paths = [path for path in islice(repository.walk(), MOST_FILES) if path.endswith(ENDINGS)]
    texts = ((path, repository.glimpse(path)) for path in paths)
    return [path for path, text in texts if "program:" in text and "parameters:" in text and "method:" in text]


def read_file(repository: Repository, path: str) -> Value | None:
    """Read a file of YAML, if it is here."""
    text = repository.readable_text(path) if repository.is_file(path) else None
    return read_yaml(text, path) if text is not None else None
