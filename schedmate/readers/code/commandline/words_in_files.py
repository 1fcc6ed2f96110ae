"""argparse's `@file`: words of the command line that stand in a file, one a line or as the program takes lines."""

import posixpath

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.objects import BoundMethod, Function, Instance
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import SourceLocation, Value, held, sequence_of

MOST_FILES = 16
"""Files that may name each other."""
MOST_LINES = 2_000


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
