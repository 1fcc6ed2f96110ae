"""The command that a tool of a site's own is handed as an option's text: `cluster submit --cmd "bash run.sh 8"`."""

import posixpath

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.launchers.batch_scripts import REQUESTED, SHELL_ENDINGS, SHELLS
from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.launchers.launcher_options import PYTHONS
from schedmate.readers.code.libraries.argument_words import split_words, word_text
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository

OPTIONS = frozenset({"cmd", "command", "wrap", "exec", "execute", "run", "job_command", "job-command", "entry_command"})
"""Options whose text is a command."""


def handed_command(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the command in an option of a tool that is none of those that are known, with what it asks for."""
    if launch.kind != "tool" or launch.name in launchers() or posixpath.basename(launch.name) in SHELLS:
        return []
    given, _ = split_words(launch.words[1:])
    for one in given:
        if one.name in OPTIONS and one.value is not None and starts_program(one.value):
            inner = text_of(one.value)
            asked = [(REQUESTED[other.name], other.value) for other in given if other.name in REQUESTED]
            inner.asked = {name: value for name, value in asked if value is not None}
            return [inner]
    return []


def starts_program(value: Value) -> bool:
    """Tell a text that begins with a script, or with a shell, Python or a launcher and what it starts.

    What the text sets for them may stand before; a shell's or Python's name alone has its script in the words behind.
    """
    words = word_text(value).split()
    while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
        del words[0]
    name = posixpath.basename(words[0]) if words else ""
    starts = name in launchers() or name in SHELLS or bool(PYTHONS.match(name))
    return (starts and len(words) > 1) or name.endswith((".py", *SHELL_ENDINGS))
