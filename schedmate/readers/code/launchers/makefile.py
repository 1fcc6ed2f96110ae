"""Make: a target's recipe, those of the targets that it needs, and the variables, as shell lines in their places."""

import posixpath

from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.launchers.make_as_shell import FOR_TARGETS, INCLUDED, RULE, VARIABLE, ShellWriter, stem_of
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository, inside

NAMES = ("GNUmakefile", "makefile", "Makefile")
CONDITIONAL = ("ifdef", "ifndef", "ifeq", "ifneq", "else", "endif", "include", "-include", ".", "define", "endef")
MOST_TARGETS, MOST_INCLUDED = 200, 40


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
    lines = [with_included(repository, folder, line) for line in lines]
    wanted = needed(lines, targets)
    shell = "\n".join(ShellWriter(wanted, given).written(lines))
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


def with_included(repository: Repository, folder: str, line: str) -> str:
    """Put the variables of a file in the place of the line that includes it, all on this line."""
    words = line.split()
    if len(words) != 2 or words[0] not in ("include", "-include", "sinclude"):
        return line
    path = repository.find_file(words[1], folder, ".")
    text = repository.readable_text(path) if path is not None else None
    said = [match for one in (text or "").split("\n")[:MOST_TARGETS] if (match := VARIABLE.match(one)) is not None]
    return INCLUDED.join(str(match.group(0)) for match in said[:MOST_INCLUDED]) if said else line


def needed(lines: list[str], targets: list[str]) -> set[str]:
    """Name the wanted targets with what they need; without any the file's first."""
    needs: dict[str, list[str]] = {}
    for line in lines:
        match = RULE.match(line)
        if match is not None and not line.startswith(CONDITIONAL) and FOR_TARGETS.match(line) is None:
            for target in str(match.group(1)).split():
                needs.setdefault(target, []).extend(line[match.end(1) + 1 :].partition("#")[0].lstrip(":").split())
    waiting = list(targets or list(needs)[:1])
    found: set[str] = set()
    while waiting and len(found) < MOST_TARGETS:
        target = waiting.pop()
        if target not in found:
            found.add(target)
            pattern = next((one for one in needs if target not in needs and stem_of(one, target)), target)
            waiting += [one.replace("%", stem_of(pattern, target)) for one in needs.get(pattern, [])]
    return found
