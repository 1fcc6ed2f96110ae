"""Texts that are written out in a script: here-documents that feed a command, and files that it writes before use."""

import posixpath

from schedmate.readers.code.shell.expansion import expand_one
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.scripts import locate
from schedmate.readers.code.shell.tokens import ShellToken
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import NotReadable

LONGEST_BODY = 100_000
SCRIPTS = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs", ".lsf", ".sub", ".bsub")


def fed(one: ShellInterpreter, redirections: list[tuple[str, ShellToken]]) -> Value | None:
    """Give what a command is fed by `<<EOF`, `<<<` or `< file`."""
    found: Value | None = None
    for operator, target in redirections:
        if target.body is not None:
            found = body_of(one, target)
        elif operator == "<":
            found = file_of(one, target)
        elif operator == "<<<":
            found = expand_one(target.text, one.names, one.spot(target))
    return found


def file_of(one: ShellInterpreter, word: ShellToken) -> Value | None:
    """Give the text of a file of the repository that a command is fed, as `bsub < job.lsf` is."""
    path = locate(one, str(expand_one(word.text, one.names, one.spot(word)).data))
    if path is None or not path.endswith(SCRIPTS):
        return None
    try:
        text = one.shell.repository.read_text(path)
    except NotReadable:
        return None
    return Value(text[:LONGEST_BODY], (SourceLocation(path, 1),))


def body_of(one: ShellInterpreter, word: ShellToken) -> Value:
    """Expand a here-document line by line; a quoted mark keeps it as it stands."""
    body = (word.body or "")[:LONGEST_BODY]
    spot = SourceLocation(one.path, word.body_line)
    if word.text[:1] in "'\"\\":
        return Value(body, (spot,))
    lines = []
    for number, line in enumerate(body.split("\n"), word.body_line):
        quoted = '"' + line.replace('"', '\\"') + '"' if "$" in line or "`" in line else None
        lines.append(
            str(expand_one(quoted, one.names, SourceLocation(one.path, number)).data) if quoted is not None else line
        )
    return Value("\n".join(lines), (spot,))


def keep_written(one: ShellInterpreter, redirections: list[tuple[str, ShellToken]]) -> None:
    """Remember a text that goes into a file: `cat > job.sh <<EOF`."""
    text = one.printed
    for operator, target in redirections:
        if operator in (">", ">|", ">>") and text is not None:
            name = str(expand_one(target.text, one.names, one.spot(target)).data)
            one.shell.written[posixpath.normpath(posixpath.join(one.shell.workdir, name))] = text
            one.printed = None
