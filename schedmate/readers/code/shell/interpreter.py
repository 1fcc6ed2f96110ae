"""Follow shell text command by command, with variables, branches and functions, and collect what it starts."""

import contextlib
from abc import ABC, abstractmethod
from typing import Self

from schedmate.readers.code.shell.cursor import TokenCursor
from schedmate.readers.code.shell.session import Condition, FunctionReturn, ShellExit, ShellSession, ShellVariables
from schedmate.readers.code.shell.tokens import ShellToken
from schedmate.readers.code.values.value import SourceLocation, Value


class ShellInterpreter(ABC):
    """Follow one text with one set of names: the one object that the parts of the shell come back to."""

    def __init__(self, shell: ShellSession, names: ShellVariables, path: str) -> None:
        self.shell = shell
        self.names = names
        self.path = path
        self.functions: dict[str, list[ShellToken]] = {}
        self.exported: dict[str, Value] = {}
        self.exports_all = False
        self.stdin: Value | None = None
        self.printed: Value | None = None
        self.line = 1
        self.assumed = False
        """whether the last condition was settled by taking a variable for empty that nobody has set here"""
        names.substitute = self.printed_by

    def child(self, names: ShellVariables, path: str) -> Self:
        """Make an interpreter for text that runs in a shell of its own."""
        return type(self)(self.shell, names, path)

    def run(self, tokens: list[ShellToken]) -> None:
        """Follow all commands; `exit` and `return` come out of it."""
        self.block(TokenCursor(tokens), ())

    def run_to_end(self, tokens: list[ShellToken]) -> None:
        """Follow a script, to its last command or to where it ends itself."""
        with contextlib.suppress(ShellExit, FunctionReturn):
            self.run(tokens)

    def block(self, cursor: TokenCursor, ends: tuple[str, ...]) -> None:
        """Follow commands up to one of the words that end the block."""
        while True:
            cursor.skip_blank()
            token = cursor.peek()
            if token is None or (not token.is_operator and token.text in ends):
                return
            if token.is_operator and token.text in (")", ";;", ";;&"):
                return
            before = cursor.place
            self.chain(cursor)
            if cursor.place == before:
                cursor.place += 1

    def chain(self, cursor: TokenCursor) -> None:
        """Follow `a && b || c`, passing over what a known condition rules out."""
        status = self.pipeline(cursor)
        while cursor.at_operator("&&", "||"):
            wanted = cursor.peek_text() == "&&"
            cursor.place += 1
            cursor.skip_newlines()
            if status is None or status is wanted:
                status = self.guarded(cursor, status is None and not wanted)
            else:
                cursor.skip_pipeline()
        cursor.take_operator(";", "&", "\n")

    def guarded(self, cursor: TokenCursor, is_open: bool) -> Condition:
        """Follow what stands behind `&&` or `||`; an `exit` behind what is open or assumed does not end the script."""
        start, kept, assumed = cursor.place, dict(self.names.variables), self.assumed
        try:
            with self.shell.maybe(is_open):
                return self.pipeline(cursor)
        except (ShellExit, FunctionReturn):
            if not is_open and not assumed:
                raise
            self.names.variables, cursor.place = kept, start
            cursor.skip_pipeline()
            return None

    def pipeline(self, cursor: TokenCursor) -> Condition:
        """Follow `a | b`; what the first prints plainly is fed to the second."""
        negate = False
        while cursor.at_word("!"):
            cursor.place += 1
            negate = not negate
        self.stdin = self.printed = None
        status = self.command(cursor)
        while cursor.at_operator("|", "|&"):
            cursor.place += 1
            cursor.skip_newlines()
            self.stdin, self.printed = self.printed, None
            self.command(cursor)
            status = None
        return (not status) if negate and status is not None else status

    def subshell(self, cursor: TokenCursor) -> None:
        """Follow `( ... )`: its `cd` and `exit` are its own."""
        cursor.place += 1
        variables, exports_all = dict(self.names.variables), self.exports_all
        with self.shell.inside("()"), contextlib.suppress(ShellExit):
            self.block(cursor, ())
        self.names.variables, self.exports_all = variables, exports_all
        cursor.skip_bracket()

    def define(self, cursor: TokenCursor, name: str) -> None:
        """Keep a function's body."""
        cursor.skip_blank()
        start = cursor.place
        cursor.skip_braces()
        self.functions[name] = cursor.tokens[start : cursor.place]

    def spot(self, token: ShellToken) -> SourceLocation:
        """Name the place of a token."""
        return SourceLocation(self.path, token.line)

    def set(self, name: str, value: Value) -> None:
        """Set a variable; in a branch that may not be taken a different value makes it open."""
        if self.shell.unsure and name in self.names.variables and self.names.variables[name].data != value.data:
            value = Value(f"${{{name}}}", value.src)
        self.names.variables[name] = value
        if name in self.exported or self.exports_all:
            self.exported[name] = value

    def call_function(self, name: str, arguments: list[Value]) -> Condition:
        """Follow a function of the script."""
        saved = self.names.arguments
        self.names.arguments = arguments
        try:
            with self.shell.inside(f"{name}()", keep_workdir=True), contextlib.suppress(FunctionReturn):
                self.run(self.functions[name])
        finally:
            self.names.arguments = saved
        return None

    @abstractmethod
    def command(self, cursor: TokenCursor) -> Condition:
        """Follow one command, plain or compound."""

    @abstractmethod
    def words_of(self, raw: ShellToken) -> list[Value]:
        """Expand one raw word."""

    @abstractmethod
    def start(self, words: list[Value], own: dict[str, Value]) -> Condition:
        """Start a program."""

    @abstractmethod
    def printed_by(self, command: str) -> Value | None:
        """Give what a plain command prints."""
