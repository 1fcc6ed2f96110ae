"""The shell's own commands, and those that start no program of interest."""

import posixpath
from collections.abc import Callable
from typing import TYPE_CHECKING

from schedmate.readers.code.shell.assignments import ASSIGNMENT, read_assignment
from schedmate.readers.code.shell.conditions import Condition, evaluate
from schedmate.readers.code.shell.scripts import is_script, locate, source_script
from schedmate.readers.code.shell.shell import Leave, Return
from schedmate.readers.code.shell.tokens import Token, tokenize
from schedmate.readers.code.values import Val

if TYPE_CHECKING:
    from schedmate.readers.code.shell.interpreter import Interpreter


def declare(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `export A=b` and its kin."""
    for word in words[1:]:
        text = str(word.data)
        match = ASSIGNMENT.match(text)
        if match is not None:
            raw = text[match.end() :]
            if raw.startswith("(") and raw.endswith(")"):
                name, value = read_assignment(one, Token(text, word.src[-1].line if word.src else 1), match)
            else:
                name, value = str(match.group(1)), Val(raw, word.src)
            one.set(name, value)
            text = name
        if words[0].data in ("export", "declare", "typeset") and text in one.names.variables:
            one.exported[text] = one.names.variables[text]
    return True


def shift(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `shift`."""
    count = int(words[1].data) if len(words) > 1 and str(words[1].data).isdigit() else 1
    if count > len(one.names.arguments):
        raise Leave
    del one.names.arguments[: min(count, 1000)]
    return True


def change_folder(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `cd`; a folder that is not in the repository is taken as where we are."""
    target = str(words[1].data) if len(words) > 1 else ""
    path = posixpath.normpath(posixpath.join(one.shell.workdir, target))
    if target and one.shell.repository.is_folder(path):
        one.shell.workdir = path
    elif target and one.shell.repository.is_folder(posixpath.normpath(target)) and not target.startswith("/"):
        one.shell.workdir = posixpath.normpath(target)
    return True


def set_arguments(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `set -- a b`; `set -e` and its like change nothing."""
    if len(words) > 1 and words[1].data == "--":
        one.names.arguments = words[2:]
    return True


def source_file(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `source file`."""
    path = locate(one, str(words[1].data)) if len(words) > 1 else None
    if path and is_script(one, path):
        source_script(one, path, words[2:])
    return None


def leave(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `exit`."""
    raise Leave


def give_back(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `return`."""
    raise Return


def evaluate_text(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `eval "..."`."""
    text = " ".join(str(word.data) for word in words[1:])
    line = words[-1].src[-1].line if words[-1].src else 1
    if one.shell.steps < 10_000:
        one.run(tokenize(text, line))
    return None


def test_command(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `[ ... ]` and `test`."""
    inner = words[1:]
    if inner and inner[-1].data == "]":
        inner = inner[:-1]
    return evaluate(one, inner)


def execute(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `exec program ...`."""
    return one.start(words[1:], own) if len(words) > 1 else None


def nothing(one: "Interpreter", words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow what has no meaning here."""
    return None


DECLARERS = ("export", "declare", "local", "readonly", "typeset")
START_NOTHING = (
    "echo", "printf", "mkdir", "rm", "cp", "mv", "ls", "cat", "sleep", "wait", "trap", "ulimit", "umask", "module",
    "nvidia-smi", "hostname", "date", "touch", "chmod", "unset", "tee", "grep", "sed", "awk", "tail", "head", "pip",
    "pip3", "git", "wget", "curl", "tar", "unzip", "ln", "read", "let", "which", "env_parallel", "popd", "ml",
    "kill", "pkill", "killall", "scontrol", "squeue", "break", "continue",
)  # fmt: skip
"""Commands that start nothing of interest."""

OWN: "dict[str, Callable[[Interpreter, list[Val], dict[str, Val]], Condition]]" = {
    **dict.fromkeys(START_NOTHING, nothing),
    **dict.fromkeys(DECLARERS, declare),
    "shift": shift,
    "cd": change_folder,
    "pushd": change_folder,
    "set": set_arguments,
    "source": source_file,
    ".": source_file,
    "exit": leave,
    "return": give_back,
    "eval": evaluate_text,
    "[": test_command,
    "test": test_command,
    "exec": execute,
    "true": lambda one, words, own: True,
    "false": lambda one, words, own: False,
    ":": lambda one, words, own: True,
}
