"""HTCondor: what a description of jobs starts, with the GPUs that it asks for."""

import posixpath

import re2

from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.shell.expansion import NOWHERE, words_of_text
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import Repository

LINE = re2.compile(r"^\s*(\+?[A-Za-z_][\w.]*)\s*=\s*(.*?)\s*$")
MACRO = re2.compile(r"\$\(([A-Za-z_]\w*)(?::([^()]*))?\)")
MOST_LINES, MOST_ROUNDS, LONGEST = 400, 6, 10_000
HEADS = ("executable", "arguments")


def described_job(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `condor_submit job.sub NAME=value` starts: its executable with its arguments."""
    if not any(name == "condor_submit" for name, _ in launch.launchers):
        return []
    words = [word for word in launch.words if not word_text(word).startswith("-")]
    path = repository.find_file(word_text(words[0]), launch.workdir, ".") if words else None
    text = repository.readable_text(path) if path is not None else None
    if path is None or text is None or "executable" not in text.lower():
        return []
    told = read_description(text, path)
    for word in words[1:]:
        name, equals, value = word_text(word).partition("=")
        if equals:
            told[name.strip().lower()] = Value(value, word.src)
    started = [one for head in HEADS for one in words_in(expanded(told, head), told.get(head))]
    if started and word_text(started[0]).endswith(("/python", "/python3", "/bash", "/sh")):
        started[0] = Value(posixpath.basename(word_text(started[0])), started[0].src)
    elif started and word_text(started[0]).endswith((".sh", ".bash")):
        started = [Value("bash", started[0].src), *started]
    gpus = told.get("request_gpus")
    asked = {"gpus_per_node": gpus} if gpus is not None and str(gpus.data).isdigit() else {}
    return [InnerCommand(words=started, asked=asked)] if started else []


def read_description(text: str, path: str) -> dict[str, Value]:
    """Read `name = value` lines; what is set again after `queue` is of another job."""
    found: dict[str, Value] = {}
    for number, line in enumerate(text.split("\n")[:MOST_LINES], 1):
        match = LINE.match(line) if not line.lstrip().startswith("#") else None
        if line.strip().lower().startswith("queue") and found:
            break
        if match is not None:
            found[str(match.group(1)).lower()] = Value(str(match.group(2)), (SourceLocation(path, number),))
    return found


def expanded(told: dict[str, Value], head: str) -> str:
    """Put macros into a value; what only the queue tells stays open."""
    text = str(told[head].data) if head in told else ""
    for _ in range(MOST_ROUNDS):
        parts, end, size = [], 0, 0
        for match in MACRO.finditer(text):
            name, default = str(match.group(1)).lower(), match.group(2)
            value = str(told[name].data) if name in told else str(default) if default is not None else f"${{{name}}}"
            parts += [text[end : match.start()], value]
            end, size = match.end(), size + len(value)
            if size > LONGEST:
                break
        text = "".join([*parts, text[end:]])[:LONGEST]
    return text


def words_in(text: str, value: Value | None) -> list[Value]:
    """Take arguments apart, whether they stand in quotes or not."""
    inside = text[1:-1].replace('""', '"') if text[:1] == '"' and text[-1:] == '"' else text
    return words_of_text(inside, value.src[0] if value is not None and value.src else NOWHERE)
