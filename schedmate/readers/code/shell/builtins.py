"""The shell's own commands, and those that start no program of interest."""

import posixpath
from collections.abc import Callable
from itertools import pairwise, takewhile

from schedmate.knowledge.code_words import words
from schedmate.readers.code.shell.assignments import ASSIGNMENT, MOST_ITEMS, read_assignment
from schedmate.readers.code.shell.compound_commands import evaluate
from schedmate.readers.code.shell.expansion import NAME, arithmetic
from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.item_lists import evaluate_text, flags_of, for_each
from schedmate.readers.code.shell.scripts import locate, source_script
from schedmate.readers.code.shell.session import Condition, FunctionReturn, LoopLeft, ShellExit
from schedmate.readers.code.shell.tokens import ShellToken
from schedmate.readers.code.values.run import by_names
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.readers.code.values.whole_numbers import whole_count
from schedmate.tools.secrets import names_secret


def take_options(one: ShellInterpreter) -> None:
    """Set a variable for each leading option of the script's arguments; files behind `--config` come first."""
    arguments = one.names.arguments
    for option, value in zip(list(arguments), arguments[1:], strict=False):
        path = locate(one, str(value.data)) if option.data == "--config" else None
        if path is not None:
            source_script(one, path, [])
    while len(arguments) > 1 and str(arguments[0].data).startswith("--"):
        name = str(arguments[0].data)[2:].replace("-", "_")
        if not name.isidentifier():
            break
        one.set(name, arguments[1])
        del arguments[:2]


LONGEST_FILE = 100_000
READ_VALUES = ("-d", "-n", "-N", "-p", "-t", "-u")


def declare(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `export A=b` and its kin."""
    for word in words[1:]:
        text = str(word.data)
        match = ASSIGNMENT.match(text)
        if match is not None:
            raw = text[match.end() :]
            if raw.startswith("(") and raw.endswith(")"):
                name, value = read_assignment(one, ShellToken(text, word.src[-1].line if word.src else 1), match)
            else:
                name, value = str(match.group(1)), Value(raw, word.src)
            one.set(name, value)
            text = name
        if words[0].data in ("export", "declare", "typeset") and text in one.names.variables:
            one.exported[text] = one.names.variables[text]
    return True


def shift(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `shift`."""
    given = str(words[1].data) if len(words) > 1 else "1"
    places = whole_count(given) or 0
    if places > len(one.names.arguments):
        return False
    del one.names.arguments[:places]
    return True


def change_folder(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `cd`; a folder that is not in the repository is taken as where we are, and kept in mind."""
    named = [str(word.data) for word in words[1:] if word.data not in ("--", "-P", "-L")]
    target = named[0] if named else ""
    below = posixpath.normpath(posixpath.join(one.shell.astray, target)) if target else "."
    if one.shell.astray and target.startswith("..") and not below.startswith(".."):
        one.shell.astray = "" if below == "." else below
        return True
    one.shell.astray = "" if target[:1] in ("/", "~", "$") or below.startswith(".") else below
    path = posixpath.normpath(posixpath.join(one.shell.workdir, target))
    if target and one.shell.repository.is_folder(path):
        one.shell.workdir, one.shell.astray = path, ""
    elif target and one.shell.repository.is_folder(posixpath.normpath(target)) and not target.startswith("/"):
        one.shell.workdir, one.shell.astray = posixpath.normpath(target), ""
    return True


def set_arguments(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `set -- a b`, and `set -a`, from which on all that is set is exported; `set -e` changes nothing."""
    texts = [str(word.data) for word in words]
    if texts[1:2] == ["--"]:
        one.names.arguments = words[2:]
    options = list(takewhile(lambda text: text != "--", texts))
    is_sure = not one.shell.unsure and "()" not in one.shell.scripts
    for before, text in pairwise(options):
        is_long = text == "allexport" and before in ("-o", "+o")
        if is_long or (text[:1] in ("-", "+") and text[1:].isalpha() and "a" in text[1:]):
            one.exports_all = (before if is_long else text).startswith("-") and is_sure
        elif text[:1] not in ("-", "+") and before not in ("-o", "+o"):
            break
    return True


def source_file(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `source file`."""
    # Kaldi's script, under whose name it is copied or linked into recipes.
    if len(words) > 1 and posixpath.basename(str(words[1].data)) == "parse_options.sh":
        take_options(one)
        return True
    path = locate(one, str(words[1].data)) if len(words) > 1 else None
    if path:
        source_script(one, path, words[2:])
    elif len(words) > 1 and names_secret(name := str(words[1].data)):
        one.shell.notes.append(f"{name} may hold secrets and is never read: what it sets is open")
    return None


def leave(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `exit`."""
    raise ShellExit


def leave_loop(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `break` and `continue`."""
    if one.shell.loops:
        raise LoopLeft(goes_on=words[0].data == "continue")
    return None


def give_back(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `return`."""
    raise FunctionReturn


def test_command(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `[ ... ]` and `test`."""
    inner = words[1:]
    if inner and inner[-1].data == "]":
        inner = inner[:-1]
    return evaluate(one, inner)


def compute(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `let "N=A/B"`; a name whose value cannot be computed stays as it was."""
    for word in words[1:]:
        name, mark, formula = str(word.data).partition("=")
        piece = arithmetic(formula, formula, one.names)
        if mark and NAME.fullmatch(name.strip()) and not piece.text.startswith("$("):
            one.set(name.strip(), Value(piece.text, piece.src or word.src))
    return None


def execute(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `exec program ...`."""
    return one.start(words[1:], own) if len(words) > 1 else None


def echo(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Print what stands behind `echo`."""
    shown = [word for word in words[1:] if word.data not in ("-e", "-n", "-en", "-ne")]
    one.printed = Value(" ".join(str(word.data) for word in shown), words[-1].src)
    return True


def concatenate(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Print what `cat` is fed, or the one file that it names."""
    named = [str(word.data) for word in words[1:] if not str(word.data).startswith("-")]
    path = locate(one, named[0]) if len(named) == 1 else None
    text = one.shell.repository.readable_text(path) if path is not None else None
    one.printed = one.stdin if not named else None
    if path is not None and text is not None:
        one.printed = Value(text[:LONGEST_FILE], (SourceLocation(path, 1),))
    return None


def split_by(line: str, between: str | None, times: int) -> list[str]:
    """Part a line at each letter of `IFS`, or at blanks where it has some or is not set."""
    marks = " " if between is None else between.lstrip("$").replace("\\t", "\t").replace("\\n", "\n")
    if not marks:
        return [line]
    has_blanks = any(mark.isspace() for mark in marks)
    line = line.translate(dict.fromkeys(map(ord, marks), " " if has_blanks else marks[0]))
    return line.split(None if has_blanks else marks[0], times)


def read_text(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `read -r -d '' NAME <<EOF`: a text that is written out goes into a name, whole or by its first line."""
    texts = [str(word.data) for word in words]
    whole = any(text == "-d" and after == "" for text, after in zip(texts, [*texts[1:], "x"], strict=True))
    pairs = zip(texts[1:], texts, strict=False)
    names = [text for text, before in pairs if NAME.fullmatch(text) and before not in READ_VALUES]
    if one.stdin is None or not names:
        return None
    text, src = str(one.stdin.data).replace("\\\n", " ").strip(), one.stdin.src
    line = text if whole else text.partition("\n")[0]
    between = str(own["IFS"].data) if "IFS" in own else None
    parts = [part.strip() for part in split_by(line, between, -1 if "a" in flags_of(texts) else len(names) - 1)]
    if "a" in flags_of(texts):
        one.set(names[-1], Value([Value(part, src) for part in parts[:MOST_ITEMS]], src))
    elif len(names) == 1:
        one.set(names[0], Value(line, src))
    else:
        for place, name in enumerate(names):
            one.set(name, Value(parts[place] if place < len(parts) else "", src))
    return None if whole else True


def read_lines(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `mapfile -t NAME`: the lines that are fed, where they are written out; else the array stays open."""
    texts = [str(word.data) for word in words]
    names = [text for text in texts[1:] if NAME.fullmatch(text)] or ["MAPFILE"]
    if one.stdin is None:
        one.set(names[-1], Value(f"${{{names[-1]}}}", words[0].src))
    else:
        lines = str(one.stdin.data).rstrip("\n").split("\n")[:MOST_ITEMS]
        one.set(names[-1], Value([Value(line, one.stdin.src) for line in lines], one.stdin.src))
    return True


def tee(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Write what `tee` is fed."""
    behind = any(word.data in ("-a", "--append") for word in words[1:])
    for word in words[1:]:
        if one.stdin is not None and not str(word.data).startswith("-"):
            one.shell.write(str(word.data), one.stdin, behind)
    one.printed = one.stdin
    return None


def copy_files(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Remember copies of files and folders, and links to them: a script may run its program from one."""
    texts = [str(word.data) for word in words]
    if any(text.startswith(("-t", "--target")) for text in texts):
        one.shell.touch(texts[1:])
        return None
    *sources, target = [str(word.data) for word in words[1:] if not str(word.data).startswith("-")] or [""]
    home = one.shell.workdir
    if any(source.startswith("../") for source in sources):
        home = posixpath.join(home, one.shell.astray)  # into another project
    place = posixpath.normpath(posixpath.join(home, target))
    if words[0].data == "ln" and any("s" in flag for flag in flags_of(texts)):
        home = place if one.shell.repository.is_folder(place) else posixpath.dirname(place)
    known = dict(one.shell.copied)
    for source in sources:
        path = posixpath.normpath(posixpath.join(home, source.removesuffix("*")))
        if one.shell.repository.is_folder(path) or one.shell.repository.is_file(path):
            inside = place if source.endswith(("/*", "/.")) else posixpath.join(place, posixpath.basename(path))
            one.shell.copy(inside, path)
            is_folder = target[-1:] == "/" or any(map(one.shell.repository.is_folder, (place, known.get(place, place))))
            if len(sources) == 1 and inside != place and not is_folder:
                one.shell.copy(place, path)
        else:
            one.shell.touch([target])
            one.shell.copied[place] = ""
        if words[0].data == "mv" and path in known:
            one.shell.touch([source])
    return None


def next_option(one: ShellInterpreter, words: list[Value], own: dict[str, Value]) -> Condition:
    """Follow `getopts SPEC NAME`: set the name to the next option's letter and OPTARG to its value."""
    if len(words) < 3:
        return False
    spec, name = str(words[1].data), str(words[2].data)
    arguments = words[3:] or one.names.arguments
    index = one.names.variables.setdefault("OPTIND", Value("1"))
    known = whole_count(str(index.data))
    place = known if known is not None else 1
    text = str(arguments[place - 1].data) if 1 <= place <= len(arguments) else ""
    if text.startswith("${") or "$(" in text:
        return None
    if len(text) < 2 or text[0] != "-" or text == "--":
        return False
    letter, value = text[1], Value(text[2:], arguments[place - 1].src)
    if f"{letter}:" in spec:
        if not value.data and place < len(arguments):
            value, place = arguments[place], place + 1
        one.names.variables["OPTARG"] = value
    one.names.variables[name] = Value(letter if letter in spec.replace(":", "") else "?", arguments[place - 1].src)
    one.names.variables["OPTIND"] = Value(str(place + 1))
    return True


COPIERS = ("cp", "rsync", "mv", "ln")

READERS = frozenset((
    *COPIERS, "cat", "echo", "printf", "[", "test", "source", ".", "cd", "pushd", "popd", "ls", "head", "tail", "grep",
    "chmod", "mkdir", "export", "declare", "local", "readonly", "typeset", "set", "shift", "read", "mapfile",
    "readarray", "exec", "xargs", "parallel", "true", ":", "false", "which", "let", "exit", "return",
))  # fmt: skip
"""Commands that leave the files as they are which they name, or that keep of them themselves what they do."""

DECLARERS = ("export", "declare", "local", "readonly", "typeset")

START_NOTHING = words("processes.start_nothing")
"""Commands that start nothing of interest."""

OWN: dict[str, Callable[[ShellInterpreter, list[Value], dict[str, Value]], Condition]] = {
    **dict.fromkeys(START_NOTHING, lambda one, words, own: None),
    **dict.fromkeys(DECLARERS, declare),
    "shift": shift,
    **by_names("cd pushd", change_folder),
    "set": set_arguments,
    **by_names("source .", source_file),
    "exit": leave,
    "return": give_back,
    **by_names("break continue", leave_loop),
    "eval": evaluate_text,
    **by_names("[ test", test_command),
    "let": compute,
    "exec": execute,
    **by_names("echo printf", echo),
    "cat": concatenate,
    "tee": tee,
    **by_names("cp rsync mv ln", copy_files),
    "getopts": next_option,
    "read": read_text,
    **by_names("mapfile readarray", read_lines),
    **by_names("xargs parallel", for_each),
    **by_names("true :", lambda one, words, own: True),
    "false": lambda one, words, own: False,
}
