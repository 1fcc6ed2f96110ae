"""The one door through which commands speak: names, logs, source code and models' words come from anybody."""

import codecs
import os
import shutil
import sys
from io import TextIOBase, TextIOWrapper
from typing import NoReturn, TextIO, cast

from schedmate.tools.plain_text import plain

RED, PLAIN = "\x1b[31m", "\x1b[0m"
IN_ASCII = {"…": "~", "·": "-", "─": "-", "│": "|", "–": "-", "—": "-", "×": "x", "≤": "<=", "░": "."}
IN_ASCII |= dict(zip("▁▂▃▄▅▆▇█", "_.-=+*%#", strict=True)) | dict(zip("⎽⎼⎻⎺", "_.~^", strict=True))
"""What we print ourselves, where the terminal knows no such letters; columns stay columns."""


def open_streams() -> None:
    """Let no letter that the terminal's encoding lacks end a command."""
    codecs.register_error("schedmate", spelt_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="schedmate")


def spelt_out(error: UnicodeError) -> tuple[str, int]:
    """Write what cannot be encoded in letters that can."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return "".join(IN_ASCII.get(letter) or "?" for letter in letters), error.end


def say(text: str = "", err: bool = False) -> None:
    """Print lines; whatever of them could command a terminal is shown instead."""
    put(plain(text), sys.stderr if err else sys.stdout)


def put(text: str, stream: TextIO) -> None:
    """Write a line to a stream as it is set up: the library for commands writes UTF-8 where only ASCII is read."""
    stream.write(text + "\n")
    stream.flush()


class OnScreen(TextIOBase):
    """A terminal that is written to as if it were a file, by what knows nothing of terminals."""

    def write(self, text: str) -> int:
        """Print, and show what would command it."""
        sys.stdout.write(plain(text))
        return len(text)


def stand_in_last_line(text: str) -> None:
    """Let a line stand at the foot of the terminal until another takes its place; an empty one makes room."""
    room = shutil.get_terminal_size().columns - 1
    sys.stderr.write("\r\x1b[K" + plain(text)[:room])
    sys.stderr.flush()


def mark(word: str, color: str) -> None:
    """Print a word that is seen from afar; what follows stands in the same line."""
    bright = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    sys.stdout.write(f"{color if bright else ''}{plain(word)}{PLAIN if bright else ''}")


def data_stream() -> TextIO:
    """Give where data is printed: as it is into files and pipes, harmless on a terminal."""
    return cast(TextIO, OnScreen()) if sys.stdout.isatty() else sys.stdout


def leave_open() -> NoReturn:
    """End with exit code 2 and close nothing: SQLite would write what is left of a damaged log into the store."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(2)


def complain(message: str, hint: str = "") -> None:
    """Print a red line, and what to do next; what was printed before stands before it."""
    sys.stdout.flush()
    red = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    put(f"{RED if red else ''}error: {plain(message)}{PLAIN if red else ''}", sys.stderr)
    if hint:
        say(f"hint: {hint}", err=True)
