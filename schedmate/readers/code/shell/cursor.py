"""Walk over the tokens of shell text, and pass over blocks that are not followed."""

from dataclasses import dataclass

from schedmate.readers.code.shell.tokens import ShellToken

OPENERS = {"if": "fi", "for": "done", "while": "done", "until": "done", "case": "esac", "select": "done", "{": "}"}
STARTERS = ("then", "do", "else", "elif", "!", "{", "time")
REDIRECTIONS = ("<", ">", ">>", "<<", "<<-", "<<<", "&>", ">&", "<&", "&>>", ">|")
ENDS_OF_PIPELINE = ("\n", ";", "&", "&&", "||", ";;", ";;&", ")")


@dataclass
class TokenCursor:
    """A place among tokens that moves on."""

    tokens: list[ShellToken]
    place: int = 0

    def peek(self) -> ShellToken | None:
        """Give the next token."""
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def at_word(self, *texts: str) -> bool:
        """Tell whether the next token is one of these words."""
        token = self.peek()
        return token is not None and not token.is_operator and token.text in texts

    def at_operator(self, *texts: str) -> bool:
        """Tell whether the next token is one of these operators."""
        token = self.peek()
        return token is not None and token.is_operator and token.text in texts

    def take_word(self, *texts: str) -> bool:
        """Go over the next token if it is one of these words; tell whether it was."""
        taken = self.at_word(*texts)
        self.place += taken
        return taken

    def take_operator(self, *texts: str) -> bool:
        """Go over the next token if it is one of these operators; tell whether it was."""
        taken = self.at_operator(*texts)
        self.place += taken
        return taken

    def peek_text(self) -> str:
        """Give the next token's text; nothing at the end."""
        token = self.peek()
        return token.text if token is not None else ""

    def skip_blank(self) -> None:
        """Go over newlines and semicolons."""
        while self.at_operator("\n", ";"):
            self.place += 1

    def skip_newlines(self) -> None:
        """Go over newlines, as after `&&` and `|`."""
        while self.at_operator("\n"):
            self.place += 1

    def take_command(self) -> tuple[list[ShellToken], list[tuple[str, ShellToken]]]:
        """Take the words of a plain command, and its redirections without the number before them."""
        words: list[ShellToken] = []
        redirections: list[tuple[str, ShellToken]] = []
        while (token := self.peek()) is not None:
            if not token.is_operator:
                words.append(token)
            elif token.text in REDIRECTIONS:
                if token.is_glued and words and words[-1].text.isdigit() and len(words[-1].text) == 1:
                    words.pop()
                self.place += 1
                target = self.peek()
                if target is None or target.is_operator:
                    continue
                redirections.append((token.text, target))
            else:
                break
            self.place += 1
        return words, redirections

    def skip_pipeline(self) -> None:
        """Pass over a command that is not run, with the blocks and brackets in it."""
        waiting: list[str] = []
        at_start = True
        while (token := self.peek()) is not None:
            text = token.text
            if token.is_operator:
                if text == "(":
                    waiting.append(")")
                elif waiting and text == waiting[-1]:
                    waiting.pop()
                elif not waiting and text in ENDS_OF_PIPELINE:
                    return
                at_start = text != ")"
            elif waiting and text == waiting[-1] and at_start:
                waiting.pop()
                at_start = False
            elif at_start and text in OPENERS:
                waiting.append(OPENERS[text])
                at_start = text == "{"
            else:
                at_start = at_start and text in STARTERS
            self.place += 1

    def skip_block(self, ends: tuple[str, ...]) -> None:
        """Pass over commands up to a word that ends the block, with the blocks inside."""
        waiting: list[str] = []
        at_start = True
        while (token := self.peek()) is not None:
            if token.is_operator:
                if token.text in (";;", ";;&") and not waiting and "esac" in ends:
                    return
                at_start = token.text in ("\n", ";", "&&", "||", "|", "&", ";;", "(")
            else:
                if at_start and not waiting and token.text in ends:
                    return
                if waiting and token.text == waiting[-1] and at_start:
                    waiting.pop()
                elif at_start and token.text in OPENERS:
                    waiting.append(OPENERS[token.text])
                at_start = token.text in STARTERS
            self.place += 1

    def skip_braces(self) -> None:
        """Pass over a function's body."""
        depth = 0
        while (token := self.peek()) is not None:
            if not token.is_operator and token.text in ("{", "}"):
                depth += 1 if token.text == "{" else -1
            elif token.is_operator and token.text in "()":
                depth += 1 if token.text == "(" else -1
            self.place += 1
            if depth <= 0:
                return

    def skip_bracket(self) -> None:
        """Go over the bracket that closes a subshell, from where its `exit` may have left it."""
        depth = 1
        while (token := self.peek()) is not None and depth:
            if token.is_operator and token.text in "()":
                depth += 1 if token.text == "(" else -1
            self.place += 1
