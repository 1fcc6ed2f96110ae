"""A long JSON array read item by item, so that a file of any size takes little memory."""

import json
from collections.abc import Iterator
from typing import Any, TextIO

from schedmate.errors import InputError

CHUNK = 1 << 20
LONGEST_ITEM = 1 << 26
BLANKS = " \t\r\n"


class JsonText:
    """A text of which one value at a time is decoded."""

    def __init__(self, stream: TextIO, hint: str) -> None:
        self.stream = stream
        self.hint = hint
        self.decoder = json.JSONDecoder()
        self.text = ""
        self.at = 0
        self.ended = False

    def refill(self) -> None:
        """Read as much again as is held, so that a long value is looked at few times."""
        self.text = self.text[self.at :]
        self.at = 0
        if len(self.text) > LONGEST_ITEM:
            raise self.error(f"one value is longer than {LONGEST_ITEM >> 20} MB")
        more = self.stream.read(max(CHUNK, len(self.text)))
        self.ended = not more
        self.text += more

    def peek(self) -> str:
        """Give the next character that is not blank; empty at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in BLANKS:
                self.at += 1
            if self.at < len(self.text) or self.ended:
                return self.text[self.at : self.at + 1]
            self.refill()

    def take(self, wanted: str) -> None:
        """Pass over a character that has to stand here."""
        if self.peek() != wanted:
            raise self.error(f"{wanted!r} was expected before {self.text[self.at : self.at + 20]!r}")
        self.at += 1

    def value(self) -> Any:
        """Decode the next value."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except (json.JSONDecodeError, RecursionError) as error:
                if self.ended or isinstance(error, RecursionError):
                    raise self.error(str(error)) from error
            else:
                # A number may go on behind what is held.
                if end < len(self.text) or self.ended:
                    self.at = end
                    return value
            self.refill()

    def items(self) -> Iterator[Any]:
        """Decode an array item by item."""
        self.take("[")
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            yield self.value()
            if self.peek() == "]":
                self.at += 1
                return
            self.take(",")

    def error(self, why: str) -> InputError:
        """Say that this is not the JSON that was expected."""
        return InputError(f"this is not JSON, or it breaks off: {why}", self.hint)


def json_items(stream: TextIO, key: str = "", hint: str = "", alone: bool = False) -> Iterator[Any]:
    """Give the items of an array, or of the array under `key` of an object; `alone` takes objects without that key."""
    text = JsonText(stream, hint)
    if text.peek() == "[":
        yield from text.items()
        return
    if not key or text.peek() != "{":
        raise InputError("this is not a JSON list of jobs", hint)
    while text.peek() == "{":
        whole: dict[str, Any] = {}
        found = False
        text.take("{")
        while text.peek() != "}":
            name = text.value()
            text.take(":")
            if name == key and text.peek() == "[":
                found = True
                yield from text.items()
            else:
                whole[str(name)] = text.value()
            if text.peek() == ",":
                text.at += 1
        text.take("}")
        if not found and not alone:
            raise InputError(f"this JSON has no list of {key}", hint)
        if not found:
            yield whole
