"""Words of the command line that stand in a file: argparse's `@file`, and the files of Transformers' parser."""

import posixpath

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.objects import BoundMethod, Function, Instance
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import SourceLocation, Value, held, sequence_of

MOST_FILES = 16
"""Files that may name each other."""
MOST_LINES = 2_000


def with_told_files(call: Call, words: list[Value]) -> list[Value]:
    """Put the words of Transformers' files before the others: those told by name or flag, `train.args`."""
    flag, named = call.constant(4, "args_file_flag"), call.constant(3, "args_filename")
    looks = call.constant(2, "look_for_args_file", True) is True
    program = word_text(call.run.argv[0]) if call.run.argv else ""
    usual = f"{posixpath.splitext(program)[0]}.args" if looks and program else ""
    files = [named] if isinstance(named, str) else [usual]
    rest: list[Value] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        option, equals, inline = word_text(word).partition("=")
        if not isinstance(flag, str) or option != flag or not (equals or waiting):
            rest.append(word)
            continue
        files.append(inline if equals else word_text(waiting.pop()))
    return [*(word for file in files[:MOST_FILES] if file for word in split_lines(call, file)), *rest]


def split_lines(call: Call, name: str) -> list[Value]:
    """Give the words of a file with blanks between them, where it is there; each knows its line, and marks go."""
    path = path_in_repository(call.run, Value(name), call.scope)
    lines = (call.run.read_text(path) or "").splitlines()[:MOST_LINES] if path is not None else []
    spots = [SourceLocation(path or "", number) for number in range(1, len(lines) + 1)]
    return [Value(word.strip("\"'"), (spot,)) for line, spot in zip(lines, spots, strict=True) for word in line.split()]


def with_files(call: Call, marks: str, wearer: Value | None, words: list[Value]) -> list[Value]:
    """Put in place of each word that begins with a mark the words of the file that it names."""
    waiting, found, files = list(reversed(words)), list[Value](), 0
    while waiting:
        word = waiting.pop()
        text = word_text(word)
        if not text.startswith(tuple(marks)) or files >= MOST_FILES:
            found.append(word)
            continue
        files += 1
        waiting += reversed(words_of_lines(call, text[1:], wearer))
    return found


def words_of_lines(call: Call, name: str, wearer: Value | None) -> list[Value]:
    """Give the words of one file; each knows its line."""
    path = posixpath.normpath(posixpath.join(call.run.workdir, name))
    lines = (call.run.read_text(path) or "").splitlines()[:MOST_LINES]
    found: list[Value] = []
    for number, line in enumerate(lines, 1):
        spot = SourceLocation(path, number)
        found += [Value(one.data, (spot,)) for one in taken_apart(call, wearer, Value(line, (spot,)))]
    return found


def taken_apart(call: Call, wearer: Value | None, line: Value) -> list[Value]:
    """Take a line as one word, or as the program's own parser does."""
    own = held(wearer, Instance)
    way = own.cls.find("convert_arg_line_to_args") if own is not None else None
    if wearer is None or way is None or not isinstance(way.data, Function):
        return [line]
    return list(sequence_of(call.run.call(Value(BoundMethod(wearer, way.data)), [line], {}, call.spot)))
