"""The command that a tool which nobody here knows is handed: an option's text, the words behind `--`, its last word.

`cluster submit --cmd "bash run.sh 8"`, `kubectl exec pod -- bash -c "..."`, `runai submit -g 1 --command -- python go`,
`arena submit pytorchjob --gpus=1 "python a.py"`. They begin with what starts programs, or they are no command; and a
tool that tells people of a command, lists or ends jobs runs none: `slack post new "python a.py is done"`.
"""

import posixpath

from schedmate.knowledge.code_words import meanings, words
from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.launchers.batch_scripts import REQUESTED, SHELL_ENDINGS, SHELLS
from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.launchers.launcher_options import PYTHONS
from schedmate.readers.code.launchers.tool_commands import runs_what_it_is_handed
from schedmate.readers.code.launchers.torchx import split_at_dashes
from schedmate.readers.code.libraries.argument_words import split_words, word_text
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository

OPTIONS = words("processes.command_options")
"""Options whose text is a command."""
COUNTED = meanings("processes.job_tool_options")
"""What a cluster's own tool is asked for, by the tool and its option, under the names that batch headers have."""

WORKERS = frozenset({"workers", "worker_count", "replicas", "num_workers"})
"""Options that tell of pods beside the first; whether that one counts among them, each tool has in its own way."""


def handed_command(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the command that a tool is handed which is none of those that are known, with what it asks for."""
    tool = posixpath.basename(launch.name)
    if launch.kind != "tool" or launch.name in launchers() or tool in SHELLS:
        return []
    own, behind = split_at_dashes(launch.words[1:])
    is_run = runs_what_it_is_handed(tool, own)
    if is_run is False:
        return []
    inner = of_option(own) or of_words(behind, is_run is True) or (of_last_word(own) if is_run else None)
    if inner is None:
        return []
    inner.asked = asked_of(tool, own)
    return [inner]


def of_option(own: list[Value]) -> InnerCommand | None:
    """Give the text of an option that holds commands."""
    given, _ = split_words(own)
    told = [one.value for one in given if one.name in OPTIONS and one.value is not None]
    return next((text_of(value) for value in told if starts_program(value)), None)


def of_words(behind: list[Value], is_run: bool) -> InnerCommand | None:
    """Give the words behind `--`, where they start a program; one text alone, or a file, where the tool runs such."""
    if is_run and len(behind) == 1 and starts_program(behind[0]):
        return text_of(behind[0])
    if len(behind) < 2 or not starts_program(Value(f"{word_text(behind[0])} {word_text(behind[1])}")):
        return None
    is_file = word_text(behind[0]).endswith((".py", *SHELL_ENDINGS))
    return InnerCommand(words=behind) if is_run or not is_file else None


def of_last_word(own: list[Value]) -> InnerCommand | None:
    """Give the text that stands last, where no option has it for a value."""
    if len(own) < 1 or " " not in word_text(own[-1]) or not starts_program(own[-1]):
        return None
    before = [word_text(word) for word in own[:-1]]
    is_value = bool(before) and before[-1].startswith("-") and "=" not in before[-1]
    return text_of(own[-1]) if not is_value else None


def asked_of(tool: str, own: list[Value]) -> dict[str, Value]:
    """Give what a tool is asked for; of how many machines together stays open where it is told of workers."""
    given, _ = split_words(own)
    asked: dict[str, Value] = {}
    for one in given:
        meaning = COUNTED.get(f"{tool} {one.name}") or REQUESTED.get(one.name)
        if meaning is not None and one.value is not None:
            asked[meaning] = one.value
        elif one.name in WORKERS and one.value is not None and "nodes" not in asked:
            asked["nodes"] = Value(f"${{{one.name}}}", one.value.src)
    return asked


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
