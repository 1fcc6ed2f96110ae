"""What only other versions of Python read: 3.12's type parameters and quotes inside braces, and `async` as a name."""

import re2

from schedmate.readers.code.python.modules.type_parameters import without_type_parameters

ASYNC = re2.compile(r"\basync(\s*=[^=])")
"""The argument of `tensor.cuda(async=True)`, before the word became Python's own."""
FORMATTED = re2.compile(r"""\b[rR]?[fF][rR]?["'].*\{""")
BEGINS_TEXT = re2.compile(r"""(?:\b[A-Za-z]{1,2})?["']""")
BRACES = re2.compile(r"(\{[^{}]*\})")
LONGEST_LINE = 2_000
OTHER = {'"': "'", "'": '"'}


def as_before(text: str) -> str:
    """Rewrite a whole source; its lines keep their numbers."""
    text = str(ASYNC.sub(r"async_\1", text))
    text = without_type_parameters(text)
    return "\n".join(requoted(line) for line in text.split("\n"))


def requoted(line: str) -> str:
    """Write what stands in the braces of a formatted text with the other quote, wherever it has that text's own."""
    if len(line) > LONGEST_LINE or not FORMATTED.search(line):
        return line
    done, place = [], 0
    while (begun := BEGINS_TEXT.search(line, place)) is not None:
        done.append(line[place : begun.end()])
        place = begun.end()
        quote = line[place - 1]
        if line.startswith(quote * 2, place):
            done.append(line[place:])
            return "".join(done)
        formatted = "f" in str(begun.group()).lower()
        end = end_of_text(line, place, quote, formatted=formatted)
        said = line[place:end]
        done += [with_other_quotes(said, quote) if formatted else said, line[end : end + 1]]
        place = end + 1
    return "".join([*done, line[place:]])


def with_other_quotes(said: str, quote: str) -> str:
    """Exchange a formatted text's own quote; where both stand in it, only in the braces that have no other."""
    other = OTHER[quote]
    if other not in said:
        return said.replace(quote, other)
    return "".join(part if other in part else part.replace(quote, other) for part in BRACES.split(said))


def end_of_text(line: str, place: int, quote: str, *, formatted: bool) -> int:
    """Find the quote that ends a text: none inside the braces of a formatted one does."""
    depth = 0
    while place < len(line):
        letter = line[place]
        if letter == "\\":
            place += 1
        elif formatted and letter in "{}":
            depth = max(0, depth + (1 if letter == "{" else -1))
        elif letter == quote and not depth:
            return place
        place += 1
    return len(line)
