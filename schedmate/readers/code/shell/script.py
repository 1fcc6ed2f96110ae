"""Follow a shell script or command line and collect the programs that it starts, with arguments and environment."""

import posixpath
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import re2

from schedmate.readers.code.shell.expansion import Names, expand, expand_one
from schedmate.readers.code.shell.tokens import Token, tokenize
from schedmate.readers.code.values import COMMAND, Spot, Val
from schedmate.tools.repository import NotReadable, Repository

ASSIGNMENT = re2.compile(r"^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=")
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
DECLARERS = frozenset({"export", "declare", "local", "readonly", "typeset"})
DEEPEST = 10
MOST_COMMANDS = 400
MOST_ROUNDS = 40
LARGEST_SCRIPT = 400_000
Condition = bool | None


@dataclass
class Started:
    """A program that is started: its words, its environment, where, and whether it certainly is."""

    words: list[Val]
    environment: dict[str, Val]
    workdir: str
    sure: bool
    scripts: tuple[str, ...]
    headers: list[tuple[str, Spot]] = field(default_factory=list)


class Leave(Exception):
    """Say that the script ends here."""


@dataclass
class Shell:
    """A shell that starts nothing."""

    repository: Repository
    workdir: str = "."
    started: list[Started] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scripts: tuple[str, ...] = ()
    unsure: int = 0
    steps: int = 0
    headers: list[tuple[str, Spot]] = field(default_factory=list)
    loops: dict[str, list[Val]] = field(default_factory=dict)


@dataclass
class Reader:
    """Walk over tokens."""

    tokens: list[Token]
    place: int = 0

    def peek(self) -> Token | None:
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

    def skip_blank(self) -> None:
        """Go over newlines and semicolons."""
        while self.at_operator("\n", ";"):
            self.place += 1


class Interpreter:
    """Follow one text with one set of names."""

    def __init__(self, shell: Shell, names: Names, path: str) -> None:
        self.shell = shell
        self.names = names
        self.path = path
        self.functions: dict[str, list[Token]] = {}
        self.exported: dict[str, Val] = {}
        names.substitute = self.substitute

    def run(self, tokens: list[Token]) -> None:
        """Follow all commands."""
        self.block(Reader(tokens), ())

    def block(self, reader: Reader, ends: tuple[str, ...]) -> None:
        """Follow commands up to one of the words that end the block."""
        while True:
            reader.skip_blank()
            token = reader.peek()
            if token is None or (not token.is_operator and token.text in ends):
                return
            if token.is_operator and token.text in (")", ";;", ";;&"):
                return
            before = reader.place
            self.chain(reader)
            if reader.place == before:
                reader.place += 1

    def chain(self, reader: Reader) -> None:
        """Follow `a && b || c`, skipping what a known condition rules out."""
        status = self.pipeline(reader)
        while reader.at_operator("&&", "||"):
            operator = reader.tokens[reader.place].text
            reader.place += 1
            while reader.at_operator("\n"):
                reader.place += 1
            wanted = operator == "&&"
            if status is None or status is wanted:
                maybe = status is None and operator == "||"
                self.shell.unsure += maybe
                try:
                    status = self.pipeline(reader)
                except Leave:
                    if not maybe:
                        raise
                finally:
                    self.shell.unsure -= maybe
            else:
                self.skip(reader)
        if reader.at_operator(";", "&", "\n"):
            reader.place += 1

    def skip(self, reader: Reader) -> None:
        """Pass over a command that is not run: it is followed on a copy whose effects are dropped."""
        kept = len(self.shell.started), dict(self.names.variables), list(self.names.arguments), self.shell.workdir
        try:
            self.pipeline(reader)
        except Leave:
            self.to_end_of_command(reader)
        del self.shell.started[kept[0] :]
        self.names.variables, self.names.arguments, self.shell.workdir = kept[1], kept[2], kept[3]

    def to_end_of_command(self, reader: Reader) -> None:
        """Go to where the command ends."""
        while reader.peek() is not None and not reader.at_operator("\n", ";", "&&", "||", "|", ";;", ")"):
            reader.place += 1

    def pipeline(self, reader: Reader) -> Condition:
        """Follow `a | b`."""
        negate = False
        while reader.at_word("!"):
            reader.place += 1
            negate = not negate
        status = self.command(reader)
        while reader.at_operator("|", "|&"):
            reader.place += 1
            while reader.at_operator("\n"):
                reader.place += 1
            self.command(reader)
            status = None
        return (not status) if negate and status is not None else status

    def command(self, reader: Reader) -> Condition:
        """Follow one command, plain or compound."""
        self.shell.steps += 1
        if self.shell.steps > 20_000:
            raise Leave
        token = reader.peek()
        if token is None:
            return None
        if token.is_operator:
            if token.text == "(":
                reader.place += 1
                self.block(reader, ())
                if reader.at_operator(")"):
                    reader.place += 1
                return None
            return None
        if token.text in COMPOUND:
            return COMPOUND[token.text](self, reader)
        following = reader.tokens[reader.place + 1 : reader.place + 3]
        if len(following) == 2 and following[0].text == "(" and following[1].text == ")":
            reader.place += 3
            self.define(reader, token.text)
            return True
        return self.plain(reader)

    def define(self, reader: Reader, name: str) -> None:
        """Keep a function's body."""
        reader.skip_blank()
        start = reader.place
        skip_braces(reader)
        self.functions[name] = reader.tokens[start : reader.place]

    def plain(self, reader: Reader) -> Condition:
        """Follow a plain command: assignments, then words; redirections are left out."""
        raws: list[Token] = []
        while (token := reader.peek()) is not None:
            if token.is_operator:
                if token.text in ("<", ">", ">>", "<<", "<<-", "<<<", "&>", ">&", "<&", "&>>", ">|"):
                    reader.place += 2
                    if raws and raws[-1].text.isdigit() and len(raws[-1].text) == 1:
                        raws.pop()
                    continue
                break
            raws.append(token)
            reader.place += 1
        own: dict[str, Val] = {}
        while raws and (match := ASSIGNMENT.match(raws[0].text)) is not None:
            name, value = self.assignment(raws[0], match)
            own[name] = value
            raws.pop(0)
        if not raws:
            for name, value in own.items():
                self.set(name, value)
            return True
        if raws[0].text.startswith("(("):
            return None
        words = [word for raw in raws for word in self.words_of(raw)]
        return self.start(words, own) if words else None

    def words_of(self, raw: Token) -> list[Val]:
        """Expand one raw word."""
        if ASSIGNMENT.match(raw.text) and "=(" in raw.text[:80]:
            return [Val(raw.text, (self.spot(raw),))]
        return expand(raw.text, self.names, self.spot(raw))

    def spot(self, token: Token) -> Spot:
        """Name the place of a token."""
        return Spot(self.path, token.line)

    def assignment(self, token: Token, match: "re2._Match[str]") -> tuple[str, Val]:
        """Read `NAME=value`, `NAME+=value` and `NAME=(a b)`."""
        name, plus, raw = str(match.group(1)), match.group(3), token.text[match.end() :]
        before = self.names.variables.get(name)
        value: Val
        if raw.startswith("(") and raw.endswith(")"):
            inner = [t for t in tokenize(raw[1:-1], token.line) if not t.is_operator]
            items = [word for part in inner for word in self.words_of(part)]
            if plus and before is not None and isinstance(before.data, list):
                items = [*before.data, *items]
            value = Val(items, (self.spot(token),))
        else:
            value = expand_one(raw, self.names, self.spot(token))
            if plus and before is not None and isinstance(before.data, str):
                value = Val(before.data + value.data, (*before.src[:2], *value.src)[:4])
        return name, value

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
        if name in BUILTINS:
            return BUILTINS[name](self, words, own)
        script = self.script_of(words)
        if script is not None:
            path, arguments = script
            self.follow_script(path, arguments, own)
            return None
        if len(self.shell.started) < MOST_COMMANDS:
            environment = {**self.exported, **own}
            for key in ("CUDA_VISIBLE_DEVICES",):
                if key in self.names.variables and key in self.exported:
                    environment.setdefault(key, self.names.variables[key])
            self.shell.started.append(
                Started(
                    words,
                    environment,
                    self.shell.workdir,
                    self.shell.unsure == 0,
                    self.shell.scripts,
                    list(self.shell.headers),
                )
            )
        return None

    def call_function(self, name: str, arguments: list[Val]) -> Condition:
        """Follow a function of the script."""
        saved, scripts = self.names.arguments, self.shell.scripts
        self.names.arguments = arguments
        self.shell.scripts = (*scripts, f"{name}()")
        try:
            self.run(self.functions[name])
        finally:
            self.names.arguments, self.shell.scripts = saved, scripts
        return None

    def script_of(self, words: list[Val]) -> tuple[str, list[Val]] | None:
        """Find the script that a command means, if it is a shell script of the repository."""
        name = str(words[0].data)
        base = posixpath.basename(name)
        if base in SHELLS:
            place = 1
            while place < len(words) and str(words[place].data).startswith("-"):
                if str(words[place].data) in ("-c", "-lc", "-ic", "-xc", "-ec") and place + 1 < len(words):
                    self.follow_text(str(words[place + 1].data), words[place + 2 :], words[place + 1])
                    return ("", [])
                place += 2 if str(words[place].data) in ("-o", "--rcfile") else 1
            if place >= len(words):
                return None
            path = self.locate(str(words[place].data))
            return (path, words[place + 1 :]) if path else None
        if base in ("source", "."):
            path = self.locate(str(words[1].data)) if len(words) > 1 else None
            return (path, words[2:]) if path else None
        if name.endswith((".sh", ".bash", ".slurm", ".sbatch", ".job")) or ("/" in name and "." not in base):
            path = self.locate(name)
            return (path, words[1:]) if path and self.is_script(path) else None
        return None

    def is_script(self, path: str) -> bool:
        """Tell a shell script from other programs."""
        if path.endswith((".sh", ".bash", ".slurm", ".sbatch", ".job")):
            return True
        try:
            first = self.shell.repository.read_text(path, largest=LARGEST_SCRIPT).partition("\n")[0]
        except NotReadable:
            return False
        return first.startswith("#!") and any(first.rstrip().endswith(shell) for shell in SHELLS)

    def locate(self, name: str) -> str | None:
        """Find a script from the working directory, the calling script's folder or the root."""
        cleaned = name.replace("${PWD}/", "").replace("$PWD/", "").replace("$(pwd)/", "")
        for base in (self.shell.workdir, posixpath.dirname(self.path), "."):
            path = posixpath.normpath(posixpath.join(base, cleaned))
            if self.shell.repository.is_file(path):
                return path
        return None

    def follow_script(self, path: str, arguments: list[Val], own: dict[str, Val], same: bool = False) -> None:
        """Follow a script in a shell of its own, or with `source` in this one."""
        if not path:
            return
        if len(self.shell.scripts) >= DEEPEST or path in self.shell.scripts:
            self.shell.notes.append(f"{path} calls itself: not followed further")
            return
        try:
            text = self.shell.repository.read_text(path, largest=LARGEST_SCRIPT)
        except NotReadable as error:
            self.shell.notes.append(str(error))
            return
        saved = self.shell.scripts, self.shell.workdir
        self.shell.scripts = (*self.shell.scripts, path)
        try:
            if same:
                inner_path, self.path = self.path, path
                try:
                    self.run(tokenize(text))
                finally:
                    self.path = inner_path
            else:
                names = Names({**self.exported, **own, **slurm_names(self.names)}, arguments, path)
                inner = Interpreter(self.shell, names, path)
                inner.exported = {**self.exported, **own}
                inner.run(tokenize(text))
        except Leave:
            pass
        finally:
            self.shell.scripts = saved[0]
            if not same:
                self.shell.workdir = saved[1]

    def follow_text(self, text: str, arguments: list[Val], word: Val) -> None:
        """Follow `bash -c '...'`."""
        spot = word.src[0] if word.src else Spot(COMMAND, 1)
        inner = Interpreter(self.shell, Names(dict(self.names.variables), arguments, self.path), spot.path)
        inner.exported = dict(self.exported)
        if len(self.shell.scripts) < DEEPEST:
            saved = self.shell.scripts, self.shell.workdir
            self.shell.scripts = (*self.shell.scripts, "-c")
            try:
                inner.run(tokenize(text, spot.line))
            except Leave:
                pass
            finally:
                self.shell.scripts, self.shell.workdir = saved

    def substitute(self, command: str) -> Val | None:
        """Give what a plain command prints; None where only the run can tell."""
        words = [w for token in tokenize(command) if not token.is_operator for w in self.words_of(token)]
        texts = [str(word.data) for word in words]
        if not texts or any(token.is_operator and token.text in "|<>" for token in tokenize(command)):
            return None
        if texts[0] == "echo":
            return Val(" ".join(texts[1:]), words[-1].src)
        if texts[0] == "pwd":
            return Val(".")
        if texts[0] in ("dirname", "basename") and len(texts) > 1 and "$" not in texts[1]:
            function = posixpath.dirname if texts[0] == "dirname" else posixpath.basename
            text = function(texts[1])
            if texts[0] == "basename" and len(texts) > 2:
                text = text.removesuffix(texts[2])
            return Val(text or ".", words[1].src)
        if texts[0] in ("realpath", "readlink") and "$" not in texts[-1]:
            return Val(texts[-1], words[-1].src)
        if texts[0] == "cd" and len(texts) > 1 and "pwd" in texts:
            return Val(texts[1] or ".", words[1].src)
        return None

    def test(self, words: list[Val]) -> Condition:
        """Evaluate `[ ... ]`, as far as plain comparisons go."""
        texts = [str(word.data) for word in words]
        if texts and texts[0] == "!":
            inner = self.test(words[1:])
            return None if inner is None else not inner
        for joint in ("||", "-o", "&&", "-a"):
            if joint in texts[1:-1]:
                place = texts.index(joint)
                sides = [self.test(words[:place]), self.test(words[place + 1 :])]
                decisive = joint in ("||", "-o")
                return decisive if decisive in sides else None if None in sides else not decisive
        if any("$(" in text for text in texts):
            return None
        texts = ["" if text.startswith("${") and text.endswith("}") else text for text in texts]
        if len(texts) == 2 and texts[0] in ("-z", "-n"):
            return (texts[1] == "") == (texts[0] == "-z")
        if len(texts) == 1:
            return bool(texts[0])
        if len(texts) == 2 and texts[0] in ("-f", "-e", "-d", "-s"):
            return True if self.locate(texts[1]) else None
        if len(texts) == 3:
            return compare(texts[0], texts[1], texts[2])
        return None

    def if_block(self, reader: Reader) -> Condition:
        """Follow `if`: a known condition chooses, an unknown one lets both ways be seen."""
        done, maybe = False, False
        reader.place += 1
        while True:
            status = self.condition(reader, "then")
            taken = not done and status is not False
            self.way(reader, ("elif", "else", "fi"), taken, status is None or maybe)
            done = done or (status is True and not maybe)
            maybe = maybe or status is None
            if reader.at_word("elif"):
                reader.place += 1
                continue
            if reader.at_word("else"):
                reader.place += 1
                self.way(reader, ("fi",), not done, maybe)
            if reader.at_word("fi"):
                reader.place += 1
            return None

    def condition(self, reader: Reader, end: str) -> Condition:
        """Follow the commands between `if` or `while` and `then` or `do`."""
        status: Condition = None
        while True:
            reader.skip_blank()
            if reader.peek() is None or reader.at_word(end):
                break
            before = reader.place
            status = self.pipeline(reader)
            while reader.at_operator("&&", "||"):
                operator = reader.tokens[reader.place].text
                reader.place += 1
                right = self.pipeline(reader)
                decisive = operator == "||"
                sides = [status, right]
                status = decisive if decisive in sides else None if None in sides else not decisive
            if reader.place == before:
                reader.place += 1
        reader.place += 1
        return status

    def way(self, reader: Reader, ends: tuple[str, ...], taken: bool, maybe: bool) -> None:
        """Follow a branch, or pass over it."""
        if not taken:
            skip_block(reader, ends)
            return
        self.shell.unsure += maybe
        kept = dict(self.names.variables)
        try:
            self.block(reader, ends)
        except Leave:
            if not maybe:
                raise
            self.names.variables = kept
            skip_block(reader, ends)
        finally:
            self.shell.unsure -= maybe

    def for_block(self, reader: Reader) -> Condition:
        """Follow `for`: over one item with it, over several with the variable left open."""
        reader.place += 1
        name = reader.tokens[reader.place].text if reader.peek() else ""
        reader.place += 1
        items: list[Val] = list(self.names.arguments)
        if reader.at_word("in"):
            reader.place += 1
            items = []
            while (token := reader.peek()) is not None and not token.is_operator:
                items += self.words_of(token)
                reader.place += 1
        reader.skip_blank()
        if reader.at_word("do"):
            reader.place += 1
        if len(items) == 1:
            self.names.variables[name] = items[0]
        else:
            self.names.variables.pop(name, None)
            self.shell.loops[name] = items
        self.block(reader, ("done",))
        if reader.at_word("done"):
            reader.place += 1
        return None

    def while_block(self, reader: Reader) -> Condition:
        """Follow `while`: round by round while the condition is known to hold, else one round."""
        start = reader.place + 1
        until = reader.at_word("until")
        for count in range(MOST_ROUNDS):
            reader.place = start
            status = self.condition(reader, "do")
            if status is not None and status is until:
                skip_block(reader, ("done",))
                break
            self.block(reader, ("done",))
            if status is None or count == MOST_ROUNDS - 1:
                break
        if reader.at_word("done"):
            reader.place += 1
        return None

    def case_block(self, reader: Reader) -> Condition:
        """Follow `case`."""
        reader.place += 1
        token = reader.peek()
        words = self.words_of(token) if token is not None else []
        subject = str(words[0].data) if words else ""
        reader.place += 1
        reader.skip_blank()
        if reader.at_word("in"):
            reader.place += 1
        done = "${" in subject or "$(" in subject
        while True:
            reader.skip_blank()
            if reader.peek() is None or reader.at_word("esac"):
                break
            if reader.at_operator("("):
                reader.place += 1
            patterns: list[str] = []
            while reader.peek() is not None and not reader.at_operator(")"):
                if not reader.at_operator("|"):
                    patterns.append(reader.tokens[reader.place].text.strip("'\""))
                reader.place += 1
            reader.place += 1
            fits = not done and any(fnmatchcase(subject, pattern[:200]) for pattern in patterns)
            self.way(reader, ("esac",), fits, False)
            done = done or fits
            if reader.at_operator(";;", ";;&"):
                reader.place += 1
        reader.place += 1
        return None

    def brace_block(self, reader: Reader) -> Condition:
        """Follow `{ ...; }`."""
        reader.place += 1
        self.block(reader, ("}",))
        if reader.at_word("}"):
            reader.place += 1
        return None

    def function_block(self, reader: Reader) -> Condition:
        """Follow `function name { ... }`."""
        reader.place += 1
        name = reader.tokens[reader.place].text if reader.peek() else ""
        reader.place += 1
        while reader.at_operator("(", ")"):
            reader.place += 1
        self.define(reader, name)
        return True

    def double_bracket(self, reader: Reader) -> Condition:
        """Evaluate `[[ ... ]]`, whose operators are no operators."""
        reader.place += 1
        words: list[Val] = []
        while (token := reader.peek()) is not None and token.text not in ("]]", "\n"):
            words += [Val(token.text)] if token.is_operator else (self.words_of(token) or [Val("")])
            reader.place += 1
        if reader.at_word("]]"):
            reader.place += 1
        return self.test([word for word in words if word.data not in ("(", ")")])


def compare(left: str, operator: str, right: str) -> Condition:
    """Compare two texts or numbers as `test` does."""
    if operator in ("=", "=="):
        return fnmatchcase(left, right[:200])
    if operator == "!=":
        return not fnmatchcase(left, right[:200])
    numeric = {"-eq": 0, "-ne": 1, "-lt": 2, "-le": 3, "-gt": 4, "-ge": 5}
    if operator in numeric and left.lstrip("-").isdigit() and right.lstrip("-").isdigit() and len(left + right) < 30:
        a, b = int(left), int(right)
        return (a == b, a != b, a < b, a <= b, a > b, a >= b)[numeric[operator]]
    return None


def slurm_names(names: Names) -> dict[str, Val]:
    """Hand down what a batch job's environment holds."""
    return {key: value for key, value in names.variables.items() if key.startswith("SLURM_")}


OPENERS = {"if": "fi", "for": "done", "while": "done", "until": "done", "case": "esac", "select": "done"}


def skip_block(reader: Reader, ends: tuple[str, ...]) -> None:
    """Pass over commands up to a word that ends the block, with the blocks inside."""
    waiting: list[str] = []
    at_start = True
    while (token := reader.peek()) is not None:
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
            at_start = token.text in ("then", "do", "else", "elif", "!", "{")
        reader.place += 1


def skip_braces(reader: Reader) -> None:
    """Pass over a function's body."""
    depth = 0
    while (token := reader.peek()) is not None:
        if not token.is_operator and token.text in ("{", "}"):
            depth += 1 if token.text == "{" else -1
        elif token.is_operator and token.text in "()":
            depth += 1 if token.text == "(" else -1
        reader.place += 1
        if depth <= 0:
            return


def declare(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `export A=b` and its kin."""
    for word in words[1:]:
        text = str(word.data)
        match = ASSIGNMENT.match(text)
        if match is not None:
            raw = text[match.end() :]
            if raw.startswith("(") and raw.endswith(")"):
                name, value = one.assignment(Token(text, word.src[-1].line if word.src else 1), match)
            else:
                name, value = str(match.group(1)), Val(raw, word.src)
            one.set(name, value)
            text = name
        if words[0].data in ("export", "declare", "typeset") and text in one.names.variables:
            one.exported[text] = one.names.variables[text]
    return True


def shift(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `shift`."""
    count = int(words[1].data) if len(words) > 1 and str(words[1].data).isdigit() else 1
    if count > len(one.names.arguments):
        raise Leave
    del one.names.arguments[: min(count, 1000)]
    return True


def change_folder(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `cd`; a folder that is not in the repository is taken as where we are."""
    target = str(words[1].data) if len(words) > 1 else ""
    path = posixpath.normpath(posixpath.join(one.shell.workdir, target))
    if target and one.shell.repository.is_folder(path):
        one.shell.workdir = path
    elif target and one.shell.repository.is_folder(posixpath.normpath(target)) and not target.startswith("/"):
        one.shell.workdir = posixpath.normpath(target)
    return True


def set_arguments(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `set -- a b`; `set -e` and its like change nothing."""
    if len(words) > 1 and words[1].data == "--":
        one.names.arguments = words[2:]
    return True


def source_file(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `source file`."""
    path = one.locate(str(words[1].data)) if len(words) > 1 else None
    if path and one.is_script(path):
        one.follow_script(path, words[2:], own, same=True)
    return None


def leave(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `exit`."""
    raise Leave


def evaluate_text(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `eval "..."`."""
    text = " ".join(str(word.data) for word in words[1:])
    line = words[-1].src[-1].line if words[-1].src else 1
    if one.shell.steps < 10_000:
        one.run(tokenize(text, line))
    return None


def test_command(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `[ ... ]` and `test`."""
    inner = words[1:]
    if inner and inner[-1].data == "]":
        inner = inner[:-1]
    return one.test(inner)


def execute(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow `exec program ...`."""
    return one.start(words[1:], own) if len(words) > 1 else None


def nothing(one: Interpreter, words: list[Val], own: dict[str, Val]) -> Condition:
    """Follow what has no meaning here."""
    return None


BUILTINS = {
    **dict.fromkeys(DECLARERS, declare),
    "shift": shift,
    "cd": change_folder,
    "pushd": change_folder,
    "set": set_arguments,
    "source": source_file,
    ".": source_file,
    "exit": leave,
    "return": leave,
    "eval": evaluate_text,
    "[": test_command,
    "test": test_command,
    "exec": execute,
    "true": lambda one, words, own: True,
    "false": lambda one, words, own: False,
    ":": lambda one, words, own: True,
    **dict.fromkeys(
        (
            "echo",
            "printf",
            "mkdir",
            "rm",
            "cp",
            "mv",
            "ls",
            "cat",
            "sleep",
            "wait",
            "trap",
            "ulimit",
            "umask",
            "module",
            "nvidia-smi",
            "hostname",
            "date",
            "touch",
            "chmod",
            "unset",
            "tee",
            "grep",
            "sed",
            "awk",
            "tail",
            "head",
            "pip",
            "pip3",
            "git",
            "wget",
            "curl",
            "tar",
            "unzip",
            "ln",
            "read",
            "let",
            "which",
            "env_parallel",
            "popd",
            "ml",
            "kill",
            "pkill",
            "killall",
            "scontrol",
            "squeue",
            "break",
            "continue",
            "local",
        ),
        nothing,
    ),
}
BUILTINS["local"] = declare
COMPOUND = {
    "if": Interpreter.if_block,
    "for": Interpreter.for_block,
    "while": Interpreter.while_block,
    "until": Interpreter.while_block,
    "case": Interpreter.case_block,
    "{": Interpreter.brace_block,
    "function": Interpreter.function_block,
    "[[": Interpreter.double_bracket,
}
