"""Task files: what SkyPilot, dstack, Determined and others are told to run, and on how many nodes and GPUs."""

import posixpath
from collections.abc import Mapping
from typing import cast

from schedmate.knowledge.manifests import ManifestRow, manifests
from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.batch_requests import gpus_of
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
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
    return [InnerCommand(text, path or "", line, environment=environment, asked=asked) for text, line in parts]


def file_among(repository: Repository, launch: Launch, usual: str) -> str | None:
    """Find the task file among the words; some launchers have one by a usual name."""
    for word in launch.words[1:]:
        text = word_text(word).removeprefix("--file=").removeprefix("-f=")
        if text.endswith(ENDINGS):
            for folder in dict.fromkeys((launch.workdir, ".")):
                path = posixpath.normpath(inside(folder, text))
                if repository.is_file(path):
                    return path
    path = posixpath.normpath(inside(launch.workdir, usual)) if usual else ""
    return path if path and repository.is_file(path) else None


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
