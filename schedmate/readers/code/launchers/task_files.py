"""Task files, what SkyPilot, dstack and others are told to run on what; and tasks that pixi, poe and others name."""

import posixpath
from collections.abc import Mapping
from itertools import pairwise
from typing import cast

from schedmate.knowledge.manifests import ManifestRow, manifests
from schedmate.readers.code.configs.yaml_text import read_toml, read_yaml
from schedmate.readers.code.launchers.batch_requests import gpus_of
from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, find_in, first, mapping_of, sequence_of
from schedmate.tools.repository import Repository, inside

ENDINGS = (".yaml", ".yml")

ASKED = {"nodes": "nodes", "gpus": "gpus_per_node", "total_gpus": "gpus", "hardware": "constraint"}
"""The table's kinds of keys, and the names that batch headers have for them."""
MOST_PARTS = 200


def task_file(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what a launcher's task file runs; its options on the command line win over the file."""
    entry = manifests().get(posixpath.basename(launch.name)) if launch.kind == "tool" else None
    if entry is None:
        return []
    path = file_among(repository, launch, entry.get("file", ""))
    text = repository.readable_text(path) if path is not None else None
    task = read_yaml(text, path or "") if text is not None else None
    asked = asked_by_options(entry, launch.words)
    if task is None:
        texts = [word_text(word) for word in launch.words]
        words = launch.words[texts.index("--") + 1 :] if "--" in texts else []
        return [InnerCommand(words=words, asked=asked)] if words else []
    script = first(task, *entry["script"])
    if script is None:
        return []
    asked = {**asked_by_file(entry, task), **asked}
    environment = environment_of(entry, task, launch.words, asked)
    parts = parts_of(script, repository, path)
    given = parameters_of(entry, task, launch.words)
    return [
        InnerCommand(with_parameters(text, given), path or "", line, environment={**environment, **given}, asked=asked)
        for text, line in parts
    ]


def parameters_of(entry: ManifestRow, task: Value, words: list[Value]) -> dict[str, Value]:
    """Give the parameters of a task file's command: their defaults, and what the command line says over them."""
    found: dict[str, Value] = {}
    for name, told in mapping_of(first(task, *entry.get("parameters", ()))).items():
        default = told if not isinstance(told.data, dict) else find_in(told, "default")
        if default is not None and default.data is not None:
            found[str(name)] = Value(str(default.data), default.src)
    for before, word in pairwise(words):
        name, equals, text = word_text(word).partition("=")
        if word_text(before) in entry.get("parameter_options", ()) and equals:
            found[name] = Value(text, word.src)
    return found


def with_parameters(text: str, given: dict[str, Value]) -> str:
    """Write `{rate}` as the variable that holds the parameter."""
    for name in given:
        text = text.replace(f"{{{name}}}", f"${{{name}}}").replace(f"$${{{name}}}", f"${{{name}}}")
    return text


def file_among(repository: Repository, launch: Launch, usual: str) -> str | None:
    """Find the task file among the words; some launchers have one by a usual name."""
    for word in launch.words[1:]:
        text = word_text(word).removeprefix("--file=").removeprefix("-f=")
        if text.endswith(ENDINGS) and (path := repository.find_file(text, launch.workdir, ".")) is not None:
            return path
    return repository.find_file(usual, launch.workdir) if usual else None


def parts_of(script: Value, repository: Repository, path: str | None) -> list[tuple[str, int]]:
    """Give a script's texts with their lines: one block, or a list of commands."""
    items = script.data[:MOST_PARTS] if isinstance(script.data, list) else [script]
    parts = []
    for item in items:
        line = item.src[0].line if item.src else 1
        text = str(item.data)
        if path is not None and "\n" in text.strip("\n"):
            line = first_line(repository.peek(path).split("\n"), text, line)
        parts.append((text, line))
    return parts or [("", 1)]


def first_line(lines: list[str], text: str, line: int) -> int:
    """Find where a block's text begins: behind the line of its `|`."""
    wanted = text.strip().split("\n")[0].strip()
    return next((n for n in range(line, min(line + 20, len(lines)) + 1) if lines[n - 1].strip() == wanted), line + 1)


def asked_by_file(entry: ManifestRow, task: Value) -> dict[str, Value]:
    """Take nodes, GPUs and hardware that the file asks for."""
    asked: dict[str, Value] = {}
    rows = cast("Mapping[str, list[str]]", entry)
    for kind, name in ASKED.items():
        value = first(task, *rows.get(kind, ()))
        if value is None:
            continue
        if isinstance(value.data, dict) and len(value.data) == 1:
            kind_of_gpu, count = next(iter(value.data.items()))
            asked[name] = Value(f"{kind_of_gpu}:{count.data}", count.src or value.src)
        elif isinstance(value.data, (str, int)) and not isinstance(value.data, bool):
            asked[name] = Value(with_count(name, str(value.data)), value.src)
    return asked


def asked_by_options(entry: ManifestRow, words: list[Value]) -> dict[str, Value]:
    """Take nodes and GPUs that the command line asks for."""
    asked: dict[str, Value] = {}
    options: dict[str, str] = entry.get("options", {})
    for place, word in enumerate(words):
        key, equals, inline = word_text(word).partition("=")
        if key in options and (equals or place + 1 < len(words)):
            text = inline if equals else word_text(words[place + 1])
            asked[options[key]] = Value(with_count(options[key], text), word.src)
    return asked


def with_count(name: str, text: str) -> str:
    """Write `A100` as `A100:1`: a GPU that is named is one."""
    kind, count = gpus_of(text)
    return f"{kind}:1" if name == "gpus_per_node" and kind and count is None else text


def environment_of(entry: ManifestRow, task: Value, words: list[Value], asked: dict[str, Value]) -> dict[str, Value]:
    """Collect variables: those of the launcher, the file's, the command line's."""
    found: dict[str, Value] = {}
    for variable, name in entry.get("variables", {}).items():
        if name in asked:
            count = gpus_of(str(asked[name].data))[1] if name == "gpus_per_node" else asked[name].data
            found[variable] = Value(str(count), asked[name].src)
    here = SourceLocation(COMMAND, 1)
    found.update({name: Value(text, (here,)) for name, text in entry.get("first", {}).items()})
    for key in entry.get("environment", []):
        value = find_in(task, key)
        for key_inside, item in mapping_of(value).items():
            found[str(key_inside)] = Value(str(item.data), item.src)
        for item in sequence_of(value):
            name, equals, text = str(item.data).partition("=")
            if equals:
                found[name] = Value(text, item.src)
    for place, word in enumerate(words[:-1]):
        if word_text(word) in entry.get("environment_options", []):
            name, _, text = word_text(words[place + 1]).partition("=")
            found[name] = Value(text, words[place + 1].src)
    return found


FILES = ("pixi.toml", "pyproject.toml")
TABLES = ("tasks", "tool.pixi.tasks", "tool.pdm.scripts", "tool.poe.tasks", "tool.rye.scripts", "tool.taskipy.tasks")
RUNNERS = ("pixi", "pdm", "hatch", "rye", "uv", "poetry")
TASK_PROGRAMS = ("poe", "task")


def task_of_table(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the command of a task that is started by its name; words behind the name go to its end."""
    words = list(launch.words)
    if launch.kind == "tool" and posixpath.basename(launch.name) in TASK_PROGRAMS:
        words = words[1:]
    elif launch.kind != "tool" or not any(name in RUNNERS for name, _ in launch.launchers):
        return []
    name = str(words[0].data) if words else ""
    if ":" in name and any(runner == "hatch" for runner, _ in launch.launchers):
        return [InnerCommand(words=[Value(name.partition(":")[2], words[0].src), *words[1:]])]
    for folder in dict.fromkeys((launch.workdir, ".")):
        for file in FILES:
            found = command_of(repository, posixpath.normpath(inside(folder, file)), name) if name else None
            if found is not None:
                rest = " ".join(str(word.data) for word in words[1:])
                inner = text_of(found)
                inner.text = f"{inner.text} {rest}".strip()
                inner.workdir = folder
                return [inner]
    return []


def command_of(repository: Repository, path: str, name: str) -> Value | None:
    """Find a task's command in a file's tables."""
    text = repository.readable_text(path)
    table = read_toml(text, path) if text is not None else None
    environments = find_in(table, "tool.hatch.envs")
    scripts = [find_in(table, key) for key in TABLES]
    scripts += [find_in(one, "scripts") for one in mapping_of(environments).values()]
    for tasks in scripts:
        task = mapping_of(tasks).get(name)
        command = task if not mapping_of(task) else mapping_of(task).get("cmd") or mapping_of(task).get("shell")
        if command is not None and isinstance(command.data, list):
            parts = [str(part.data) for part in command.data]
            several = not mapping_of(task) and any(" " in part for part in parts)
            return Value((" && " if several else " ").join(parts), task.src if task is not None else ())
        if command is not None and isinstance(command.data, str):
            return command
    return None
