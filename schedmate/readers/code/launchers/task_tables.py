"""Tasks that a project names in a table: pixi, pdm, hatch, poe, rye, taskipy."""

import posixpath

from schedmate.readers.code.configs.yaml_text import read_toml
from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.values.value import Value, find_in, mapping_of
from schedmate.tools.repository import Repository, inside

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
