"""Follow shell text command by command, with variables, branches and functions, and collect what it starts."""

import contextlib
from functools import partial

from schedmate.readers.code.shell.assignments import ASSIGNMENT, read_assignment
from schedmate.readers.code.shell.compounds import COMPOUNDS
from schedmate.readers.code.shell.conditions import Condition
from schedmate.readers.code.shell.cursor import Cursor
from schedmate.readers.code.shell.expansion import expand
from schedmate.readers.code.shell.names import Names
from schedmate.readers.code.shell.own_commands import OWN
from schedmate.readers.code.shell.redirections import fed, keep_written
from schedmate.readers.code.shell.scripts import DEEPEST, follow_shell
from schedmate.readers.code.shell.shell import Leave, Return, Shell, Started
from schedmate.readers.code.shell.substitution import printed_by
from schedmate.readers.code.shell.tokens import Token
from schedmate.readers.code.values import Spot, Val

MOST_COMMANDS = 400


class Interpreter:
    """Follow one text with one set of names."""

    def __init__(self, shell: Shell, names: Names, path: str) -> None:
        self.shell = shell
        self.names = names
        self.path = path
        self.functions: dict[str, list[Token]] = {}
        self.exported: dict[str, Val] = {}
        self.stdin: Val | None = None
        self.printed: Val | None = None
        self.assumed = False
        """whether the last condition was settled by taking a variable for empty that nobody has set here"""
        names.substitute = partial(printed_by, self)

    def child(self, names: Names, path: str) -> "Interpreter":
        """Make an interpreter for text that runs in a shell of its own."""
        return Interpreter(self.shell, names, path)

    def run(self, tokens: list[Token]) -> None:
        """Follow all commands; `exit` and `return` come out of it."""
        self.block(Cursor(tokens), ())

    def run_to_end(self, tokens: list[Token]) -> None:
        """Follow a script, to its last command or to where it ends itself."""
        with contextlib.suppress(Leave, Return):
            self.run(tokens)

    def block(self, cursor: Cursor, ends: tuple[str, ...]) -> None:
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

    def chain(self, cursor: Cursor) -> None:
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
        if cursor.at_operator(";", "&", "\n"):
            cursor.place += 1

    def guarded(self, cursor: Cursor, is_open: bool) -> Condition:
        """Follow what stands behind `&&` or `||`; an `exit` behind what is open or assumed does not end the script."""
        start, kept, assumed = cursor.place, dict(self.names.variables), self.assumed
        try:
            with self.shell.maybe(is_open):
                return self.pipeline(cursor)
        except (Leave, Return):
            if not is_open and not assumed:
                raise
            self.names.variables, cursor.place = kept, start
            cursor.skip_pipeline()
            return None

    def pipeline(self, cursor: Cursor) -> Condition:
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

    def command(self, cursor: Cursor) -> Condition:
        """Follow one command, plain or compound."""
        token = cursor.peek()
        self.assumed = False
        if token is None:
            return None
        with self.shell.command():
            if token.is_operator:
                if token.text == "(":
                    self.subshell(cursor)
                return None
            if token.text in COMPOUNDS:
                return COMPOUNDS[token.text](self, cursor)
            following = cursor.tokens[cursor.place + 1 : cursor.place + 3]
            if len(following) == 2 and following[0].text == "(" and following[1].text == ")":
                cursor.place += 3
                self.define(cursor, token.text)
                return True
            return self.plain(cursor)

    def subshell(self, cursor: Cursor) -> None:
        """Follow `( ... )`: its `cd` and `exit` are its own."""
        cursor.place += 1
        variables = dict(self.names.variables)
        with self.shell.inside("()"), contextlib.suppress(Leave):
            self.block(cursor, ())
        self.names.variables = variables
        cursor.skip_bracket()

    def define(self, cursor: Cursor, name: str) -> None:
        """Keep a function's body."""
        cursor.skip_blank()
        start = cursor.place
        cursor.skip_braces()
        self.functions[name] = cursor.tokens[start : cursor.place]

    def plain(self, cursor: Cursor) -> Condition:
        """Follow a plain command: assignments, then words."""
        raws, redirections = cursor.take_command()
        own: dict[str, Val] = {}
        while raws and (match := ASSIGNMENT.match(raws[0].text)) is not None:
            name, value = read_assignment(self, raws.pop(0), match)
            own[name] = value
        if not raws:
            for name, value in own.items():
                self.set(name, value)
            return True
        if raws[0].text.startswith("(("):
            return None
        words = [word for raw in raws for word in self.words_of(raw)]
        self.stdin = fed(self, redirections) or self.stdin
        status = self.start(words, own) if words else None
        keep_written(self, redirections)
        return status

    def words_of(self, raw: Token) -> list[Val]:
        """Expand one raw word."""
        if ASSIGNMENT.match(raw.text) and "=(" in raw.text[:80]:
            return [Val(raw.text, (self.spot(raw),))]
        return expand(raw.text, self.names, self.spot(raw))

    def spot(self, token: Token) -> Spot:
        """Name the place of a token."""
        return Spot(self.path, token.line)

    def set(self, name: str, value: Val) -> None:
        """Set a variable; in a branch that may not be taken a different value makes it open."""
        if self.shell.unsure and name in self.names.variables and self.names.variables[name].data != value.data:
            value = Val(f"${{{name}}}", value.src)
        self.names.variables[name] = value
        if name in self.exported:
            self.exported[name] = value

    def start(self, words: list[Val], own: dict[str, Val]) -> Condition:
        """Start a program: the shell's own commands are followed, others are collected."""
        name = str(words[0].data)
        if name in self.functions and len(self.shell.scripts) < DEEPEST:
            return self.call_function(name, words[1:])
        if name in OWN:
            return OWN[name](self, words, own)
        if not follow_shell(self, words, own) and len(self.shell.started) < MOST_COMMANDS:
            shell = self.shell
            environment = {**self.exported, **own}
            sure = shell.unsure == 0
            started = Started(words, environment, shell.workdir, sure, shell.scripts, self.stdin)
            shell.started.append(started)
        return None

    def call_function(self, name: str, arguments: list[Val]) -> Condition:
        """Follow a function of the script."""
        saved = self.names.arguments
        self.names.arguments = arguments
        try:
            with self.shell.inside(f"{name}()", keep_workdir=True), contextlib.suppress(Return):
                self.run(self.functions[name])
        finally:
            self.names.arguments = saved
        return None
