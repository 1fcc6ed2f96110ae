"""just: a recipe with its parameters, as shell lines in their places."""

import posixpath

import re2

from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository

NAMES = ("justfile", "Justfile", ".justfile")
RECIPE = re2.compile(r"^@?([A-Za-z_][\w\-]*)((?:\s+[^:]+)?)\s*:(?:[^=]|$)")
VARIABLE = re2.compile(r"^(?:export\s+)?([A-Za-z_][\w\-]*)\s*:=\s*(.*)$")
PARAMETER = re2.compile(r"""([*+$]?[A-Za-z_][\w\-]*)(?:=("[^"]*"|'[^']*'|[^\s]+))?""")
PLACEHOLDER = re2.compile(r"\{\{\s*([A-Za-z_][\w\-]*)\s*\}\}")


def just_recipe(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `just recipe a b` runs."""
    if launch.kind != "tool" or posixpath.basename(launch.name) != "just":
        return []
    path = next((found for name in NAMES if (found := repository.find_file(name, launch.workdir))), None)
    lines = (repository.readable_text(path) or "").split("\n") if path is not None else []
    words = launch.words[1:]
    environment: dict[str, Value] = {}
    while words and "=" in word_text(words[0]):
        key, _, value = word_text(words[0]).partition("=")
        environment[key] = Value(value, words.pop(0).src)
    headers = {str(match.group(1)): number for number, line in enumerate(lines) if (match := RECIPE.match(line))}
    name = word_text(words[0]) if words else next(iter(headers), "")
    if path is None or name not in headers:
        return []
    environment |= parameters_of(lines[headers[name]], words[1:])
    wanted = {name, *lines[headers[name]].partition(":")[2].split()}
    shell = "\n".join(shell_lines(lines, wanted, set(environment)))
    return [InnerCommand(text=shell, path=path, environment=environment, workdir=launch.workdir)]


def parameters_of(header: str, words: list[Value]) -> dict[str, Value]:
    """Bind a recipe's parameters to words and defaults; `*rest` takes all that are left."""
    match = RECIPE.match(header)
    found: dict[str, Value] = {}
    for parameter in PARAMETER.finditer(str(match.group(2))) if match is not None else ():
        name, default = str(parameter.group(1)), parameter.group(2)
        if name[0] in "*+":
            found[name[1:]] = Value(" ".join(word_text(word) for word in words), words[0].src if words else ())
            words = []
        elif words:
            found[name.lstrip("$")] = words.pop(0)
        elif default is not None:
            found[name.lstrip("$")] = Value(str(default).strip("'\""), ())
    return found


def shell_lines(lines: list[str], wanted: set[str], given: set[str]) -> list[str]:
    """Rewrite the file as shell, a line for a line."""
    written: list[str] = []
    inside_wanted = is_script = False
    for line in lines:
        if line[:1] in (" ", "\t"):
            body = str(PLACEHOLDER.sub(r"${\1}", line.strip())) if inside_wanted else ""
            is_script = is_script or body.startswith("#!")
            written.append(body if is_script or not body or body.endswith("\\") else body.lstrip("@-"))
            continue
        variable, recipe = VARIABLE.match(line), RECIPE.match(line)
        if variable is not None and str(variable.group(1)) not in given:
            written.append(f"{variable.group(1)}={variable.group(2)}")
        else:
            written.append("")
            if recipe is not None:
                inside_wanted, is_script = str(recipe.group(1)) in wanted, False
    return written
