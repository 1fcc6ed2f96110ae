"""A place in a line's tokens, with what can be seen from there."""

from schedmate.readers.progress.lines.tokens import Token


class Cursor:
    """Look around in a line's tokens without taking any."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.place = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """Look at a token without taking it."""
        place = self.place + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else None

    def is_mark(self, ahead: int, marks: str) -> bool:
        """Tell whether the token ahead is one of these marks."""
        token = self.peek(ahead)
        return token is not None and token.kind == "mark" and token.text in marks

    def is_word(self, ahead: int) -> bool:
        """Tell whether the token ahead is a word."""
        token = self.peek(ahead)
        return token is not None and token.kind == "word"

    def is_number(self, ahead: int) -> bool:
        """Tell whether the token ahead is a number."""
        token = self.peek(ahead)
        return token is not None and token.kind == "number"

    def words_ahead(self) -> int:
        """Count the words that follow without a mark."""
        ahead = 0
        while self.is_word(ahead):
            ahead += 1
        return ahead

    def touches(self, ahead: int) -> bool:
        """Tell whether no space stands between a token and the one before it."""
        here, before = self.peek(ahead), self.peek(ahead - 1)
        return here is not None and before is not None and here.start == before.end

    def spaced(self, token: Token) -> bool:
        """Tell whether a mark stands alone between spaces."""
        return self.text[token.start - 1 : token.start].isspace() and self.text[token.end : token.end + 1].isspace()
