"""configargparse's configuration files: a line an option, under what the command itself says."""

import posixpath

import re2

from schedmate.readers.code.commandline.options import FLAGS, Option, OptionSet
from schedmate.readers.code.commandline.parsing import find_option, parse
from schedmate.readers.code.libraries.argument_words import YES
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import NotReadable

LINE = re2.compile(r"^(?:--)?([A-Za-z_][\w.\-]*)\s*(?:[=:\s]\s*(.*?))?\s*$")
MOST_LINES = 2_000


def words_of_files(parser: OptionSet, words: list[Value], call: Call) -> list[Value]:
    """Give the words that stand for the configuration files which the command names or the parser starts from."""
    told, _ = parse(call.run, parser, words, call)
    paths = [*parser.config_files, *(told[dest] for dest in parser.config_options if dest in told)]
    found: list[Value] = []
    for path in paths:
        for item in path.data if isinstance(path.data, (list, tuple)) else [path]:
            if isinstance(item.data, str) and item.data:
                found += words_of_file(parser, item.data, call)
    return found


def words_of_file(parser: OptionSet, name: str, call: Call) -> list[Value]:
    """Write the options of one file as words of a command; lines that no option takes are left out."""
    path = posixpath.normpath(posixpath.join(call.run.workdir, name))
    try:
        lines = call.run.repository.read_text(path).split("\n")[:MOST_LINES]
    except NotReadable as error:
        call.run.note(str(error))
        return []
    found: list[Value] = []
    for number, line in enumerate(lines, 1):
        match = LINE.match(line.strip()) if line.strip()[:1] not in ("", "#", ";", "[") else None
        option = find_option(parser, f"--{match.group(1)}")[0] if match is not None else None
        if match is not None and option is not None:
            text = str(match.group(2) or "").strip().strip("\"'")
            found += [Value(word, (SourceLocation(path, number),)) for word in said(option, str(match.group(1)), text)]
    return found


def said(option: Option, name: str, text: str) -> list[str]:
    """Say an option on a command line: a switch by its name alone, a list by its items."""
    if option.action in FLAGS:
        return [f"--{name}"] if text.lower() in YES or not text else []
    if text.startswith("[") and text.endswith("]"):
        return [f"--{name}", *(part.strip().strip("\"'") for part in text[1:-1].split(",") if part.strip())]
    return [f"--{name}={text}"]
