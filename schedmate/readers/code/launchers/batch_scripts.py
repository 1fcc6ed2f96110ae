"""Shell text behind a command: `sbatch job.sh`, `--wrap`, a here-document, `bash -c` behind a launcher."""

import posixpath

from schedmate.knowledge.code_words import meanings
from schedmate.knowledge.launchers import is_batch, launchers
from schedmate.readers.code.launchers.batch_requests import read_headers
from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.launchers.launcher_options import PYTHONS
from schedmate.readers.code.launchers.script_lookup import find_script
from schedmate.readers.code.libraries.argument_words import split_words, word_text
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, held
from schedmate.tools.repository import Repository

SHELL_ENDINGS = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs", ".lsf", ".sub")
SHELLS = ("bash", "sh", "zsh", "dash", "ksh")


def wrapped_text(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `sbatch --wrap '...'` runs, or the one quoted text that `ssh host` and `ray exec` are given."""
    wrapped = launch.options.get("sbatch.wrap")
    if wrapped is not None and not launch.name:
        inner = text_of(wrapped)
        inner.environment = exported(launch)
        return [inner]
    sent = keys_sent(launch)
    if sent is not None:
        return [text_of(sent)]
    if launch.kind == "tool" and len(launch.words) == 1 and " " in launch.name.strip():
        return [text_of(launch.words[0])]
    return []


def keys_sent(launch: Launch) -> Value | None:
    """Give the text that `tmux send-keys -t window 'command' Enter` types."""
    texts = [word_text(word) for word in launch.words]
    if launch.kind != "tool" or texts[:1] != ["tmux"] or not {"send-keys", "send"} & set(texts[1:2]):
        return None
    return next((word for word, text in zip(launch.words, texts, strict=True) if " " in text.strip()), None)


def shell_text(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the text of `bash -c '...'` behind launchers, and of what a shell or batch system is fed."""
    is_shell = launch.kind == "tool" and posixpath.basename(launch.name) in SHELLS
    texts = [word_text(word) for word in launch.words]
    if is_shell:
        for place, text in enumerate(texts[1:-1], 1):
            if text.startswith("-") and text.endswith("c") and not text.startswith("--"):
                inner = text_of(launch.words[place + 1])
                inner.arguments = launch.words[place + 3 :]
                return [inner]
        is_fed = all(text.startswith("-") for text in texts[1:])
    else:
        is_fed = is_submitted(launch) and not launch.name
    if not is_fed or launch.stdin is None:
        return []
    inner = text_of(launch.stdin)
    if is_submitted(launch):
        inner.asked = read_headers(inner.text, inner.path, inner.line)
    inner.arguments = []
    return [inner]


def begins_as_shell(repository: Repository, launch: Launch) -> bool:
    """Tell a submitted file whose first line says that a shell runs it, whatever its name ends with."""
    path = find_script(repository, launch) if not launch.by_python else None
    first = (repository.readable_text(path) or "").partition("\n")[0] if path is not None else ""
    return first.startswith("#!") and first.rstrip().endswith("sh")


def script_text(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give a shell script that a launcher starts; behind `sbatch` its headers are in force."""
    words = launch.words
    if launch.kind == "tool" and posixpath.basename(launch.name) in SHELLS:
        words = [word for word in words[1:] if not word_text(word).startswith("-")]
    name = word_text(words[0]) if words else ""
    is_shell = words is not launch.words or (is_submitted(launch) and launch.kind == "tool")
    is_shell = is_shell or (is_submitted(launch) and begins_as_shell(repository, launch))
    if not name or launch.kind not in ("tool", "script") or not (name.endswith(SHELL_ENDINGS) or is_shell):
        return []
    written = launch.written.get(posixpath.normpath(posixpath.join(launch.workdir, name)))
    if written is not None:
        if held(written, str) is None:
            return []
        inner = text_of(written)
    else:
        path = find_script(repository, Launch(name=name, workdir=launch.workdir, copied=launch.copied))
        folder = repository.find_only(name) if path is None and name.endswith(SHELL_ENDINGS) else None
        if folder is not None:  # written for another folder: the one that has a script of this name
            launch.workdir, path = folder, posixpath.normpath(posixpath.join(folder, name))
        text = repository.readable_text(path) if path is not None else ""
        if text is None:
            return []
        head = text.partition("\n")[0]
        if path is None or (head.startswith("#!") and "python" in head):
            launch.name, launch.words = name, words
            return []
        inner = InnerCommand(text=text, path=path)
    inner.arguments = words[1:]
    if is_submitted(launch):
        inner.asked = read_headers(inner.text, inner.path, inner.line)
        inner.environment = exported(launch)
    return [inner]


REQUESTED = meanings("processes.submitter_options")
"""What a project's own submitter is asked for, under the names that batch headers have."""


def submitted_words(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the command behind `--` that a project's own submitter is handed: `submit.py --gpus 8 -- python a.py`."""
    texts = [word_text(word) for word in launch.words]
    if launch.kind not in ("script", "module") or "--" not in texts[1:-1]:
        return []
    place = texts.index("--", 1)
    first = posixpath.basename(texts[place + 1])
    if not (first in launchers() or first in SHELLS or PYTHONS.match(first)):
        return []
    given, _ = split_words(launch.words[1:place])
    asked = {REQUESTED[one.name]: one.value for one in given if one.name in REQUESTED and one.value is not None}
    return [InnerCommand(words=launch.words[place + 1 :], asked=asked)]


def is_submitted(launch: Launch) -> bool:
    """Tell whether a batch system starts the program."""
    return any(is_batch(name) for name, _ in launch.launchers)


def exported(launch: Launch) -> dict[str, Value]:
    """Give the variables of `sbatch --export=ALL,LR=0.1`."""
    value = launch.options.get("sbatch.export") or launch.options.get("qsub.v")
    parts = str(value.data).split(",") if value is not None else []
    src = value.src if value is not None else (SourceLocation(COMMAND, 1),)
    return {key: Value(text, src) for key, equals, text in (part.partition("=") for part in parts) if equals}
