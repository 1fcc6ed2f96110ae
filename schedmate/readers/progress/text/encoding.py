"""Read logs that a shell has written in two bytes a character, as Windows PowerShell does."""

import codecs

MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Encoding:
    """How a log's bytes are to be read; the first two of them tell."""

    __slots__ = ("decoder", "held", "name", "odd", "told")

    def __init__(self) -> None:
        self.told = False
        self.held = b""
        self.name = ""
        self.decoder: codecs.IncrementalDecoder | None = None
        self.odd = False

    def plain(self, data: bytes) -> bytes:
        """Give bytes as they are, or what they say in UTF-8."""
        if not self.told:
            data, self.held = self.held + data, b""
            if len(data) < 2 and any(mark.startswith(data) for mark in MARKS):
                self.held = data
                return b""
            self.told, self.name = True, MARKS.get(data[:2], "")
            data = data[2:] if self.name else data
        if not self.name:
            return data
        if self.decoder is None:
            self.decoder = codecs.getincrementaldecoder(self.name)("replace")
        if self.odd and data:
            data, self.odd = data[1:], False
        return self.decoder.decode(data).encode("utf-8", "replace")

    def skip(self, offset: int) -> None:
        """Go on further down: a character begins at every even byte."""
        self.decoder, self.odd = None, bool(self.name) and offset % 2 == 1
