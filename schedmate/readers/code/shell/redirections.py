"""Texts that are written out in a script: here-documents that feed a command, and files that it writes before use."""

import posixpath
from typing import TYPE_CHECKING

from schedmate.readers.code.shell.expansion import expand_one
from schedmate.readers.code.shell.tokens import Token
from schedmate.readers.code.values import Spot, Val

if TYPE_CHECKING:
    from schedmate.readers.code.shell.interpreter import Interpreter

LONGEST_BODY = 100_000


def fed(one: "Interpreter", redirections: list[tuple[str, Token]]) -> Val | None:
    """Give what a command is fed by `<<EOF` or `<<<`."""
    found: Val | None = None
    for operator, target in redirections:
        if target.body is not None:
            found = body_of(one, target)
        elif operator == "<<<":
            found = expand_one(target.text, one.names, one.spot(target))
    return found


def body_of(one: "Interpreter", word: Token) -> Val:
    """Expand a here-document line by line; a quoted mark keeps it as it stands."""
    body = (word.body or "")[:LONGEST_BODY]
    spot = Spot(one.path, word.body_line)
    if word.text[:1] in "'\"\\":
        return Val(body, (spot,))
    lines = []
    for number, line in enumerate(body.split("\n"), word.body_line):
        quoted = '"' + line.replace('"', '\\"') + '"' if "$" in line or "`" in line else None
        lines.append(str(expand_one(quoted, one.names, Spot(one.path, number)).data) if quoted is not None else line)
    return Val("\n".join(lines), (spot,))


def keep_written(one: "Interpreter", redirections: list[tuple[str, Token]]) -> None:
    """Remember a text that goes into a file: `cat > job.sh <<EOF`."""
    text = one.printed
    for operator, target in redirections:
        if operator in (">", ">|", ">>") and text is not None:
            name = str(expand_one(target.text, one.names, one.spot(target)).data)
            one.shell.written[posixpath.normpath(posixpath.join(one.shell.workdir, name))] = text
            one.printed = None
