"""Commands inside others, `id=$(sbatch job.sh)`: what they print is open, what they start is started all the same."""

import contextlib
import posixpath

from schedmate.knowledge.launchers import is_batch
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.scripts import SHELLS
from schedmate.readers.code.shell.session import FunctionReturn, ShellExit
from schedmate.readers.code.shell.tokens import tokenize

CLUSTERS = ("kubectl", "oc", "argo", "vcctl", "arena")
"""Programs that hand a file to a cluster, which starts what it describes."""
SUBMITS = ("create", "apply", "submit", "replace")


def follow_inside(one: ShellInterpreter, command: str, line: int) -> None:
    """Follow a command whose output is put in, if it hands a job over or runs a script; its variables are its own."""
    tokens = tokenize(command, line)
    words = [token.text for token in tokens if not token.is_operator]
    if not hands_over(words):
        return
    variables, fed, printed = dict(one.names.variables), one.stdin, one.printed
    with one.shell.inside("$()"), contextlib.suppress(ShellExit, FunctionReturn):
        one.run(tokens)
    one.names.variables, one.stdin, one.printed = variables, fed, printed


def hands_over(words: list[str]) -> bool:
    """Tell a command that submits a job, or a shell that runs a script."""
    while words and "=" in words[0]:
        words = words[1:]
    name = posixpath.basename(words[0]) if words else ""
    if name in CLUSTERS:
        return any(word in SUBMITS for word in words[1:4])
    return is_batch(name) or (name in SHELLS and len(words) > 1 and not words[1].startswith("-"))
