"""What a tool that nobody here knows is told to do: to start something, or to list it, end it or tell people of it.

`farm jobs new` starts what stands behind it; `slack post`, `farm delete job` and `mail -s` only speak of a command.
"""

import posixpath

import re2

from schedmate.knowledge.code_words import words
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value

STARTING = frozenset(words("processes.starting_commands"))
"""Commands of tools by which a job is started: `submit`, `launch`."""
MAKING = frozenset(words("processes.making_commands"))
"""Commands by which jobs are made, and all sorts of other things: `new`, `add`."""
JOBS = frozenset(words("processes.made_jobs"))
"""What is made, where it is a job."""
MAKING_TOOLS = frozenset(words("processes.making_tools"))
"""Tools that make nothing but jobs."""
OTHERS = frozenset(words("processes.other_commands"))
"""Commands that look at jobs, end them or tell of them."""
TELLING = frozenset(words("processes.telling_tools"))
"""Parts of the names of tools that tell of things."""
WRAPPING_TOOLS = frozenset(words("processes.wrapping_tools"))
"""Tools that tell of things, and run what they are handed to tell of its end."""

NAME_PARTS = re2.compile(r"[-_.]+")


def runs_what_it_is_handed(name: str, own: list[Value]) -> bool | None:
    """Tell a tool that is told to start a job from one that is told something else; None where no word says.

    The first word decides that is no option, no option's value and no job's kind: `farm jobs new`, `farm list run`.
    """
    tool = posixpath.basename(name)
    if tool in WRAPPING_TOOLS:
        return None
    told = commands_of(own)
    verb = next((text for text in told if text not in JOBS), "")
    if verb in OTHERS or not TELLING.isdisjoint(NAME_PARTS.split(tool.lower())):
        return False
    is_made = verb in MAKING and (tool in MAKING_TOOLS or not JOBS.isdisjoint(told[: told.index(verb) + 2]))
    return True if verb in STARTING or is_made else None


def commands_of(own: list[Value]) -> list[str]:
    """Give a tool's words that are neither options nor what may be their values."""
    texts = [word_text(word) for word in own]
    pairs = zip(["", *texts], texts, strict=False)
    return [text for last, text in pairs if not text.startswith("-") and (not last.startswith("-") or "=" in last)]
