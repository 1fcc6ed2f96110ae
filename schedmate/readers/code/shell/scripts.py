"""Find the shell script that a command means, and follow it."""

import posixpath

from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.session import ShellVariables
from schedmate.readers.code.shell.tokens import ShellToken, tokenize
from schedmate.readers.code.values.copies import lies_at
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, held
from schedmate.tools.repository import NotReadable

SCRIPT_ENDINGS = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs", ".lsf", ".sub", ".bsub")
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
DEEPEST = 10
LARGEST_SCRIPT = 400_000

MOST_TURNS = 3
"""How often a script may be on its way at once: with another word each time it does one stage after another."""


def follow_shell(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> bool:
    """Follow a command that means a shell script of the repository; tell whether it does."""
    name = str(words[0].data)
    base = posixpath.basename(name)
    if base in SHELLS:
        return follow_shell_program(one, words, own)
    if name.endswith(SCRIPT_ENDINGS) or ("/" in name and "." not in base):
        found = locate_anywhere(one, name)
        if found is not None and is_script(one, found[0]):
            follow_script(one, *found, words[1:], own)
            return True
    return False


def follow_shell_program(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> bool:
    """Follow `bash script`, `bash -c 'text'` and `bash <<EOF`; tell whether there was something to follow."""
    place = 1
    while place < len(words) and str(words[place].data).startswith("-"):
        text = str(words[place].data)
        if text.lstrip("-").endswith("c") and not text.startswith("--") and place + 1 < len(words):
            follow_text(one, words[place + 1], words[place + 2 :], own)
            return True
        place += 2 if text in ("-o", "--rcfile", "--init-file", "-O") else 1
    found = locate_anywhere(one, str(words[place].data)) if place < len(words) else None
    if found is None:
        return False
    follow_script(one, *found, words[place + 1 :], own)
    return True


def is_script(one: ShellInterpreter, path: str) -> bool:
    """Tell a shell script from other programs."""
    if path.endswith(SCRIPT_ENDINGS) or path in one.shell.written:
        return True
    first = (one.shell.repository.readable_text(path, LARGEST_SCRIPT) or "").partition("\n")[0]
    return first.startswith("#!") and any(first.rstrip().endswith(shell) for shell in SHELLS)


def locate(one: ShellInterpreter, name: str) -> str | None:
    """Find a script from the working directory, the calling script's folder or the root."""
    cleaned = without_pwd(name)
    for base in (one.shell.workdir, posixpath.dirname(one.path), "."):
        path = posixpath.normpath(posixpath.join(base, cleaned))
        if path in one.shell.written or one.shell.repository.is_file(path):
            return path
        there = lies_at(one.shell.repository, one.shell.copied, path)
        if there is not None and one.shell.repository.is_file(there):
            return there
    return None


def without_pwd(name: str) -> str:
    """Take the working directory off a name, as the shell's variable tells it."""
    return name.replace("${PWD}/", "").replace("$PWD/", "").replace("$(pwd)/", "")


def locate_anywhere(one: ShellInterpreter, name: str) -> tuple[str, str] | None:
    """Find a script that is run, else the only one so named, and the folder that it is started in."""
    path = locate(one, name)
    if path is not None:
        return path, one.shell.workdir
    copy = one.shell.copied_as(name)
    if copy is not None:
        return copy, one.shell.workdir
    folder = one.shell.repository.find_only(without_pwd(name)) if name.endswith(SCRIPT_ENDINGS) else None
    moved = one.shell.repository.find_namesake(name) if folder is None and name.endswith(SCRIPT_ENDINGS) else None
    if moved is not None:
        one.shell.notes.append(f"{name} is not here: {moved}, the only file of that name, is read in its place")
        return moved, one.shell.workdir
    if folder is None:
        return None
    one.shell.notes.append(f"{name} is only in {folder}: read as if it were started there")
    return posixpath.normpath(posixpath.join(folder, without_pwd(name))), folder


def follow_script(
    one: ShellInterpreter, path: str, workdir: str, arguments: list[Value], own: dict[str, Value]
) -> None:
    """Follow a script in a shell of its own: it inherits what is exported, and where it stands is its own."""
    found = opened(one, path)
    if found is None:
        return
    text, place, line = found
    run_apart(one, tokenize(text, line), place, ShellVariables(own, arguments, path), path, workdir)


def source_script(one: ShellInterpreter, path: str, arguments: list[Value]) -> None:
    """Follow a script in this shell, as `source` does: what it sets and where it goes stays."""
    found = opened(one, path)
    if found is None:
        return
    text, place, line = found
    saved = one.path, one.names.arguments
    one.path, one.names.arguments = place, arguments or one.names.arguments
    with one.shell.inside(path, keep_workdir=True):
        one.run_to_end(tokenize(text, line))
    one.path = saved[0]
    if arguments:
        one.names.arguments = saved[1]


def opened(one: ShellInterpreter, path: str) -> tuple[str, str, int] | None:
    """Give a script's text with the file and the line on which it begins; one that is on its way already is refused."""
    shell = one.shell
    if len(shell.scripts) >= DEEPEST or shell.scripts.count(path) >= MOST_TURNS:
        shell.notes.append(f"{path} calls itself: not followed further")
        return None
    written = shell.written.get(path)
    if written is not None:
        text, spot = held(written, str), written.src[0] if written.src else SourceLocation(COMMAND, 1)
        return (text, spot.path, spot.line) if text is not None else None
    try:
        return shell.repository.read_text(path, largest=LARGEST_SCRIPT), path, 1
    except NotReadable as error:
        shell.notes.append(str(error))
        return None


def follow_text(one: ShellInterpreter, word: Value, arguments: list[Value], own: dict[str, Value]) -> None:
    """Follow `bash -c '...'`, whose first argument is its `$0`; what it is told stands where its text stands."""
    spot = word.src[0] if word.src else SourceLocation(COMMAND, 1)
    name = str(arguments[0].data) if arguments else one.names.script
    if len(one.shell.scripts) < DEEPEST:
        tokens = tokenize(str(word.data), spot.line)
        run_apart(one, tokens, spot.path, ShellVariables(own, arguments[1:], name), "-c", one.shell.workdir)


def run_apart(
    one: ShellInterpreter, tokens: list[ShellToken], place: str, names: ShellVariables, script: str, workdir: str
) -> None:
    """Follow text in a shell of its own, to which goes what is exported and what the batch system has put there."""
    given = {name: value for name, value in one.names.variables.items() if name.startswith("SLURM_")}
    exported = {**one.exported, **names.variables}
    names.variables = {**given, **exported}
    inner = one.child(names, place)
    inner.exported = exported
    with one.shell.inside(script):
        one.shell.workdir = workdir
        inner.run_to_end(tokens)
