"""Make: a target's recipe, those of the targets that it needs, and the variables, as shell lines in their places."""

import posixpath

import re2

from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository, inside

NAMES = ("GNUmakefile", "makefile", "Makefile")
VARIABLE = re2.compile(r"^\s*(?:export\s+|override\s+)*([A-Za-z_][\w.]*)\s*([:?+]{0,3}=)\s*(.*)$")
RULE = re2.compile(r"^([^\s:#=][^:#=]*):(?:[^=]|$)")
CONDITIONAL = ("ifdef", "ifndef", "ifeq", "ifneq", "else", "endif", "include", "-include", ".", "define", "endef")
MOST_TARGETS = 200


def make_target(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `make target NAME=value` runs."""
    if launch.kind != "tool" or posixpath.basename(launch.name) not in ("make", "gmake"):
        return []
    folder, name, targets, given = arguments_of(launch)
    names = [name] if name else NAMES
    path = next((found for n in names if repository.is_file(found := posixpath.normpath(inside(folder, n)))), None)
    text = repository.readable_text(path) if path is not None else None
    if path is None or text is None:
        return []
    lines = text.split("\n")
    wanted = needed(lines, targets)
    shell = "\n".join(shell_lines(lines, wanted, set(given)))
    return [InnerCommand(text=shell, path=path, environment={"MAKE": Value("make"), **given}, workdir=folder)]


def arguments_of(launch: Launch) -> tuple[str, str, list[str], dict[str, Value]]:
    """Give folder, file, targets and variables of make's command line."""
    folder, name, targets, given = launch.workdir, "", [], {}
    words = launch.words[1:]
    while words:
        word = words.pop(0)
        text = word_text(word)
        if text in ("-C", "--directory", "-f", "--file") and words:
            value = word_text(words.pop(0))
            folder, name = (posixpath.normpath(inside(folder, value)), name) if text[-1] in "Cy" else (folder, value)
        elif text in ("-j", "-l", "-o", "-I") and words and word_text(words[0]).isdigit():
            words.pop(0)
        elif "=" in text and not text.startswith("-"):
            given[text.partition("=")[0]] = Value(text.partition("=")[2], word.src)
        elif not text.startswith("-"):
            targets.append(text)
    return folder, name, targets, given


def needed(lines: list[str], targets: list[str]) -> set[str]:
    """Name the wanted targets with what they need; without any the file's first."""
    needs: dict[str, list[str]] = {}
    for line in lines:
        match = RULE.match(line)
        if match is not None and not line.startswith(CONDITIONAL):
            for target in str(match.group(1)).split():
                needs.setdefault(target, []).extend(line[match.end(1) + 1 :].partition("#")[0].lstrip(":").split())
    waiting = list(targets or list(needs)[:1])
    found: set[str] = set()
    while waiting and len(found) < MOST_TARGETS:
        target = waiting.pop()
        if target not in found:
            found.add(target)
            waiting += needs.get(target, [])
    return found


def shell_lines(lines: list[str], wanted: set[str], given: set[str]) -> list[str]:
    """Rewrite the file as shell, a line for a line; a recipe's line has a shell of its own."""
    written: list[str] = []
    inside_wanted = goes_on = False
    for line in lines:
        ends_open = line.endswith("\\")
        if line.startswith("\t") or goes_on:
            body = as_shell(line.lstrip("\t")) if inside_wanted else ""
            if inside_wanted and not goes_on:
                body = "(" + body.lstrip("@-+ ")
            if inside_wanted and not ends_open:
                body += " )"
            written.append(body)
            goes_on = ends_open
            continue
        rule, variable = RULE.match(line), VARIABLE.match(line)
        if variable is not None:
            written.append(assignment(str(variable.group(1)), str(variable.group(2)), str(variable.group(3)), given))
        else:
            if rule is not None:
                inside_wanted = bool(wanted.intersection(str(rule.group(1)).split()))
            written.append("")
    return written


def assignment(name: str, operator: str, value: str, given: set[str]) -> str:
    """Write `NAME ?= value` as shell; what the command line gives is left alone."""
    if name in given or value.endswith("\\"):
        return ""
    quoted = '"' + as_shell(value.strip()).replace('"', '\\"') + '"'
    if operator == "?=":
        return f": ${{{name}:={as_shell(value.strip())}}}"
    return f"{name}+={quoted}" if operator == "+=" else f"{name}={quoted}"


def as_shell(text: str) -> str:
    """Write make's `$(NAME)` as `${NAME}` and `$$` as `$`; `$(shell ...)` stays a substitution."""
    written, place, open_names = [], 0, 0
    while place < len(text):
        if text.startswith("$$", place):
            written.append("$")
            place += 2
        elif text.startswith("$(shell ", place):
            written.append("$(")
            place += 8
        elif text.startswith("$(", place) and text[place + 2 : place + 3] != "(":
            written.append("${")
            place += 2
            open_names += 1
        elif text[place] == ")" and open_names:
            written.append("}")
            place += 1
            open_names -= 1
        else:
            written.append(text[place])
            place += 1
    return "".join(written)
