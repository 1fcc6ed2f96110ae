"""Bash: commands plain and compound, the shell's own, and the programs that it starts."""

import posixpath
from itertools import islice

import re2

from schedmate.readers.code.shell.assignments import ASSIGNMENT, read_assignment
from schedmate.readers.code.shell.builtins import COPIERS, OWN, READERS
from schedmate.readers.code.shell.compound_commands import COMPOUNDS
from schedmate.readers.code.shell.converted_notebooks import keep_converted
from schedmate.readers.code.shell.counted_loops import numbers_of
from schedmate.readers.code.shell.cursor import TokenCursor
from schedmate.readers.code.shell.expansion import NOWHERE, arithmetic, expand, expand_one
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.scripts import DEEPEST, follow_shell, locate
from schedmate.readers.code.shell.session import Condition, StartedProgram
from schedmate.readers.code.shell.substitution import follow_inside
from schedmate.readers.code.shell.text_tools import TOOLS, filtered, sorted_options
from schedmate.readers.code.shell.tokens import ShellToken, tokenize
from schedmate.readers.code.values.value import SourceLocation, Value, join_spots

LONGEST_BODY = 100_000
FED = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs", ".lsf", ".sub", ".bsub", ".py")


def fed(one: ShellInterpreter, redirections: list[tuple[str, ShellToken]]) -> Value | None:
    """Give what a command is fed by `<<EOF`, `<<<` or `< file`."""
    found: Value | None = None
    for operator, target in redirections:
        if target.body is not None:
            found = body_of(one, target)
        elif operator == "<":
            found = file_of(one, target)
        elif operator == "<<<":
            found = expand_one(target.text, one.names, one.spot(target))
    return found


def file_of(one: ShellInterpreter, word: ShellToken) -> Value | None:
    """Give the text of a file of the repository that a command is fed, as `bsub < job.lsf` is."""
    path = locate(one, str(expand_one(word.text, one.names, one.spot(word)).data))
    if path is None or not path.endswith(FED):
        return None
    text = one.shell.repository.readable_text(path)
    return Value(text[:LONGEST_BODY], (SourceLocation(path, 1),)) if text is not None else None


def body_of(one: ShellInterpreter, word: ShellToken) -> Value:
    """Expand a here-document line by line; a quoted mark keeps it as it stands."""
    body = (word.body or "")[:LONGEST_BODY]
    spot = SourceLocation(one.path, word.body_line)
    if word.text[:1] in "'\"\\":
        return Value(body, (spot,))
    lines = []
    for number, line in enumerate(body.split("\n"), word.body_line):
        quoted = '"' + line.replace('"', '\\"') + '"' if "$" in line or "`" in line else None
        lines.append(
            str(expand_one(quoted, one.names, SourceLocation(one.path, number)).data) if quoted is not None else line
        )
    return Value("\n".join(lines), (spot,))


def keep_written(one: ShellInterpreter, redirections: list[tuple[str, ShellToken]]) -> None:
    """Remember a text that goes into a file: `cat > job.sh <<EOF`."""
    text = one.printed
    for operator, target in redirections:
        if operator in (">", ">|", ">>"):
            name = str(expand_one(target.text, one.names, one.spot(target)).data)
            one.shell.write(name, text, behind=operator == ">>")
            one.printed = None


CHANGE = re2.compile(r"^\s*([A-Za-z_]\w*)\s*(?:(\+\+|--)|(=|[-+*/%]=)([^=].*))\s*$")
"""What counts in `(( ... ))`: `i++`, `width += 512`, `n = nodes * 8`."""


def holds(one: ShellInterpreter, formula: str) -> Condition:
    """Tell whether the arithmetic of `(( ... ))` gives anything but zero, and change the variable that it changes."""
    changed = CHANGE.match(formula)
    if changed is not None:
        name, step, sign, by = (changed.group(place) or "" for place in (1, 2, 3, 4))
        before = f"{name} {(step or sign)[0]} " if sign != "=" else ""
        one.set(name, expand_one(f"$(({before}({by or 1})))", one.names, SourceLocation(one.path, one.line)))
        return None
    piece = arithmetic(formula, str(expand_one(formula, one.names, NOWHERE).data), one.names)
    return piece.text != "0" if piece.text.lstrip("-").isdigit() else None


LARGEST_PRINTED = 4_000

SILENCED = re2.compile(r"(?:[12&]?>{1,2} ?/dev/null|2> ?&1)")
"""What keeps a command from being heard: it prints nothing else for that."""


def printed_by(one: ShellInterpreter, command: str) -> Value | None:
    """Give what a plain command prints; None where only the run can tell."""
    tokens = tokenize(SILENCED.sub(" ", command))[:-1]
    if {token.text for token in tokens if token.is_operator} == {"|"}:
        return piped(one, tokens)
    words = [word for token in tokens if not token.is_operator for word in one.words_of(token)]
    texts = [str(word.data) for word in words]
    if texts and tokens[0].text == "<" and len(texts) == 1:
        return contents(one, texts[0])
    if not texts or any(token.is_operator and token.text in "|<>" for token in tokens):
        return None
    name, arguments = texts[0], texts[1:]
    if name == "expr":
        piece = arithmetic(" ".join(arguments), " ".join(arguments), one.names)
        return Value(piece.text, piece.src) if piece.text.lstrip("-").isdigit() else None
    if name == "seq":
        numbers = numbers_of(arguments)
        return Value("\n".join(map(str, numbers)), words[-1].src) if numbers else None
    if name == "echo":
        return Value(" ".join(text for text in arguments if text != "-n"), words[-1].src)
    if name == "getopt" and (sorted_words := sorted_options(arguments)) is not None:
        spots = join_spots(*words[1:])
        return Value(sorted_words, tuple(spot for spot in spots if spot.path != one.path))
    if name == "printf" and arguments and arguments[0].strip("'\"") in ("%s", "%d", "%s\\n") and len(arguments) == 2:
        return Value(arguments[1], words[-1].src)
    return folder_printed(one, words) or cut_from_file(one, texts)


def cut_from_file(one: ShellInterpreter, texts: list[str]) -> Value | None:
    """Give what `sed -n 3p jobs.txt` and other small tools print of a small file of the repository."""
    held = contents(one, texts[-1]) if texts[0] in TOOLS and len(texts) > 2 else None
    text = filtered(texts[:-1], str(held.data)) if held is not None else None
    if held is None or text is None:
        return None
    found = text.partition("\n")[0]
    line = next((number for number, said in enumerate(str(held.data).split("\n"), 1) if found in said), 1)
    text = f"{text} {texts[-1]}" if texts[0] == "wc" else text
    return Value(text, (SourceLocation(held.src[0].path, line),))


def folder_printed(one: ShellInterpreter, words: list[Value]) -> Value | None:
    """Give the folder or file that a command names: `pwd`, `dirname`, `realpath`, `cd there && pwd`."""
    texts = [str(word.data) for word in words]
    name, arguments = texts[0], [text for text in texts[1:] if text not in ("--", "-P", "-L")]
    if name == "pwd":
        return Value(".")
    if name == "cat" and len(arguments) == 1:
        return contents(one, arguments[0])
    if name in ("dirname", "basename") and arguments and "$" not in arguments[0]:
        text = posixpath.dirname(arguments[0]) if name == "dirname" else posixpath.basename(arguments[0])
        return Value(text.removesuffix(arguments[1] if len(arguments) > 1 else "") or ".", words[-1].src)
    if name in ("realpath", "readlink") and "$" not in texts[-1]:
        return Value(texts[-1], words[-1].src)
    if name == "cd" and arguments and "pwd" in texts:
        return Value(arguments[0] or ".", words[1].src)
    if texts[:2] == ["git", "rev-parse"] and "--show-toplevel" in texts:
        return Value(posixpath.relpath(".", one.shell.workdir))
    return None


def piped(one: ShellInterpreter, tokens: list[ShellToken]) -> Value | None:
    """Give what a pipe prints whose first command prints something plain, and whose others count or change it."""
    places = [place for place, token in enumerate(tokens) if token.is_operator]
    made = printed_by(one, " ".join(token.text for token in tokens[: places[0]]))
    for place, end in zip(places, [*places[1:], len(tokens)], strict=True):
        words = [str(word.data) for token in tokens[place + 1 : end] for word in one.words_of(token)]
        text = filtered(words, str(made.data)) if made is not None else None
        made = Value(text, made.src) if made is not None and text is not None else None
    return made


def contents(one: ShellInterpreter, name: str) -> Value | None:
    """Give a small file of the repository, as `$(cat args.txt)` does."""
    path = locate(one, name)
    text = one.shell.repository.readable_text(path, LARGEST_PRINTED) if path is not None else None
    return Value(text.strip("\n"), (SourceLocation(path or "", 1),)) if text is not None else None


MOST_COMMANDS = 400

MOST_WORDS = 5_000
"""So many words a command has at most: `set -- "$@" "$@"` doubles them each time."""
WORDS_OF_A_STEP = 200
"""So many words cost as much as a command."""


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
        self.line = token.line if (token := cursor.peek()) is not None else self.line
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
            return holds(self, raws[0].text[2:].removesuffix("))"))
        words = list(islice((word for raw in raws for word in self.words_of(raw)), MOST_WORDS))
        self.shell.steps += len(words) // WORDS_OF_A_STEP
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
        given, words = words, [self.shell.original(word) for word in words]
        name = str(words[0].data)
        if name in self.functions and len(self.shell.scripts) < DEEPEST:
            return self.call_function(name, words[1:])
        if name in OWN:
            status = OWN[name](self, given if name in COPIERS else words, own)
            if name not in READERS:
                self.shell.touch([str(word.data) for word in given[1:]])
            return status
        if not follow_shell(self, words, own) and len(self.shell.started) < MOST_COMMANDS:
            shell = self.shell
            environment = {**self.exported, **own}
            sure = shell.unsure == 0
            files, copies = dict(shell.written), dict(shell.copied)
            started = StartedProgram(words, environment, shell.workdir, sure, shell.scripts, self.stdin, files, copies)
            shell.started.append(started)
            if not keep_converted(shell, words):
                shell.touch([text for word in given[1:] if not (text := str(word.data)).endswith(FED)])
        return None

    def printed_by(self, command: str) -> Value | None:
        """Give what a plain command prints; None where only the run can tell, and then what it starts is kept."""
        printed = printed_by(self, command)
        if printed is None:
            follow_inside(self, command, self.line)
        return printed
