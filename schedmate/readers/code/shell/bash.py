"""Bash: commands plain and compound, the shell's own, and the programs that it starts."""

from schedmate.readers.code.shell.assignments import ASSIGNMENT, read_assignment
from schedmate.readers.code.shell.builtins import OWN
from schedmate.readers.code.shell.compound_commands import COMPOUNDS
from schedmate.readers.code.shell.cursor import TokenCursor
from schedmate.readers.code.shell.expansion import expand
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.redirections import fed, keep_written
from schedmate.readers.code.shell.scripts import DEEPEST, follow_shell
from schedmate.readers.code.shell.session import Condition, StartedProgram
from schedmate.readers.code.shell.substitution import printed_by
from schedmate.readers.code.shell.tokens import ShellToken
from schedmate.readers.code.values.value import Value

MOST_COMMANDS = 400


class Bash(ShellInterpreter):
    """Follow the commands of a script."""

    def command(self, cursor: TokenCursor) -> Condition:
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

    def plain(self, cursor: TokenCursor) -> Condition:
        """Follow a plain command: assignments, then words."""
        raws, redirections = cursor.take_command()
        own: dict[str, Value] = {}
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

    def words_of(self, raw: ShellToken) -> list[Value]:
        """Expand one raw word."""
        if ASSIGNMENT.match(raw.text) and "=(" in raw.text[:80]:
            return [Value(raw.text, (self.spot(raw),))]
        return expand(raw.text, self.names, self.spot(raw))

    def start(self, words: list[Value], own: dict[str, Value]) -> Condition:
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
            started = StartedProgram(words, environment, shell.workdir, sure, shell.scripts, self.stdin)
            shell.started.append(started)
        return None

    def printed_by(self, command: str) -> Value | None:
        """Give what a plain command prints; None where only the run can tell."""
        return printed_by(self, command)
