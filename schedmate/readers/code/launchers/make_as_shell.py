"""A makefile written as shell, a line for a line: variables, conditions, and the recipes that are wanted."""

from dataclasses import dataclass, field

import re2

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value

VARIABLE = re2.compile(r"^\s*(?:export\s+|override\s+)*([A-Za-z_][\w.]*)\s*([:?+]{0,3}=)\s*(.*)$")
RULE = re2.compile(r"^([^\s:#=][^:#=]*):(?:[^=]|$)")

FOR_TARGETS = re2.compile(r"^([^\s:#=][^:#=]*):\s*(?:export\s+|override\s+)*([A-Za-z_][\w.]*)\s*([:?+]{0,3}=)\s*(.*)$")
"""Variables that only some targets have: `big: RATE = 2`."""
QUOTED = re2.compile(r"""^["']([^"']*)["']\s*["']([^"']*)["']$""")
SET = re2.compile(r"^(ifdef|ifndef)\s+([A-Za-z_]\w*)$")
STRIPPED = re2.compile(r"\$\(strip\s+([^()\s]*)\s*\)")

CALLED = re2.compile(r"\$[({][a-z]+\s")
"""A call of one of make's functions, `$(shell ...)` among them."""
OPEN = "$(make)"
"""What only make knows, as text of the shell."""
NAME = re2.compile(r"\$[({]([A-Za-z_]\w*)[)}]")

OF_PATHS = re2.compile(r"\$[({](dir|notdir|abspath|realpath)\s+((?:[^(){}$]|\$[({][\w.-]+[)}])*)[)}]")
"""A function of make's that gives a part of one path."""
PATH_TOOLS = {"dir": "dirname {})/", "notdir": "basename {})", "abspath": "echo {})", "realpath": "echo {})"}
"""What does the same in the shell, to the end of the call."""
NESTED = re2.compile(r"(\$\([A-Za-z_][\w\-]*)\$[({]([A-Za-z_]\w*)[)}]")
"""A name with a variable in it: `$(RATE_$(MODE))`."""
AUTOMATIC = "@<^*"
"""Names that each recipe has."""
INCLUDED = "\x1f"
"""What stands between the variables of an included file."""


def stem_of(pattern: str, target: str) -> str:
    """Give what stands for `%` in a pattern that a target fits."""
    before, mark, after = pattern.partition("%")
    fits = mark and target.startswith(before) and target.endswith(after) and len(target) > len(before) + len(after)
    return target[len(before) : len(target) - len(after)] if fits else ""


def automatic_names(rule: str, line: str, wanted: set[str]) -> dict[str, str] | None:
    """Give what `$@`, `$<`, `$^` and `$*` are in a rule's recipe; None where nobody wants the rule."""
    for pattern in rule.split():
        target = next((one for one in sorted(wanted) if one == pattern or stem_of(pattern, one)), None)
        if target is not None:
            stem = stem_of(pattern, target)
            needs = line.partition(";")[0].partition("#")[0].lstrip(":").split("|")[0].split()
            needs = [one.replace("%", stem) for one in needs]
            return {"@": target, "<": needs[0] if needs else "", "^": " ".join(needs), "*": stem}
    return None


@dataclass
class ShellWriter:
    """Writes one makefile as shell."""

    wanted: set[str]
    given: dict[str, Value]
    """what the command line sets"""
    names: dict[str, str] | None = None
    """of the recipe that is written; None where nobody wants it"""
    plain: dict[str, str] = field(default_factory=dict)
    """variables whose value is no more than a word, for names that are put together"""
    in_recipe: bool = False
    in_value: bool = False

    def written(self, lines: list[str]) -> list[str]:
        """Rewrite the lines; a recipe's line has a shell of its own."""
        self.plain = {name: word_text(value) for name, value in self.given.items()}
        return [self.rewritten(line) for line in lines]

    def rewritten(self, line: str) -> str:
        """Rewrite one line."""
        if self.in_value:
            return self.value_goes_on(line)
        if line.startswith("\t") or self.in_recipe:
            return self.recipe_line(line)
        rule, variable, own = RULE.match(line), VARIABLE.match(line), FOR_TARGETS.match(line)
        if INCLUDED in line:
            parts = [match for one in line.split(INCLUDED) if (match := VARIABLE.match(one)) is not None]
            return "; ".join(filter(None, (self.assignment(*map(str, one.groups())) for one in parts)))
        if variable is not None:
            return self.assignment(*map(str, variable.groups()))
        if own is not None:
            is_meant = automatic_names(str(own.group(1)), "", self.wanted) is not None
            return self.assignment(*map(str, own.groups()[1:])) if is_meant else ""
        if rule is not None and not line.startswith(("ifeq", "ifneq")):
            needs, mark, recipe = line[rule.end(1) + 1 :].partition(";")
            self.names = automatic_names(str(rule.group(1)), needs, self.wanted)
            return self.recipe_line(recipe.strip()) if mark and recipe.strip() else ""
        return condition(line)

    def recipe_line(self, line: str) -> str:
        """Rewrite a line of a recipe."""
        ends_open = line.endswith("\\")
        body = as_shell(self.resolved(line.lstrip("\t")), self.names) if self.names is not None else ""
        if self.names is not None and not self.in_recipe:
            body = "(" + body.lstrip("@-+ ")
        if self.names is not None and not ends_open:
            body += " )"
        self.in_recipe = ends_open
        return body

    def assignment(self, name: str, operator: str, value: str) -> str:
        """Write `NAME ?= value` as shell; what the command line gives is left alone."""
        self.in_value = value.endswith("\\")
        text = value.partition(" #")[0].rstrip() if not self.in_value else value
        if name in self.given:
            return ': "' + as_shell(text).replace('"', '\\"') + ("" if self.in_value else '"')
        if " " not in text and "$" not in text and not (operator == "?=" and name in self.plain):
            self.plain[name] = text
        inside = as_shell(self.resolved(text))
        if operator == "?=" and not self.in_value:
            return f": ${{{name}:={inside}}}"
        quoted = '"' + inside.replace('"', '\\"') + ("" if self.in_value else '"')
        return f'{name}+=" {quoted[1:]}' if operator == "+=" else f"{name}={quoted}"

    def value_goes_on(self, line: str) -> str:
        """Write one more line of a value."""
        self.in_value = line.endswith("\\")
        return as_shell(self.resolved(line.strip())).replace('"', '\\"') + ("" if self.in_value else '"')

    def resolved(self, text: str) -> str:
        """Put variables into names that are made of them."""
        if "$(" not in text:
            return text
        return str(NESTED.sub(lambda m: f"{m.group(1)}{self.plain.get(str(m.group(2)), m.group(0))}", text))


def condition(line: str) -> str:
    """Rewrite `ifeq (a,b)`, `ifdef NAME`, `else` and `endif`; any other line says nothing here."""
    line = " ".join(line.partition(" #")[0].split())
    begun, line = ("elif ", line.removeprefix("else ")) if line.startswith("else ") else ("if ", line)
    return opened(line).replace("if ", begun, 1)


def opened(line: str) -> str:
    """Write a condition, its other side or its end."""
    word = line.partition("(")[0].partition(" ")[0]
    if word in ("else", "endif"):
        return "else :" if word == "else" else "fi"
    if word in ("ifeq", "ifneq"):
        one, other = (held(side) for side in compared(line.removeprefix(word).strip()))
        return f'if [ "{one}" {"=" if word == "ifeq" else "!="} "{other}" ]; then :'
    is_set = SET.match(line)
    if is_set is not None:
        return f'if [ {"-n" if word == "ifdef" else "-z"} "${{{is_set.group(2)}:-}}" ]; then :'
    return f'if [ "{OPEN}" = "" ]; then :' if word in ("ifdef", "ifndef") else ""


def compared(text: str) -> tuple[str, str]:
    """Give the two sides of `(a,b)`, whose comma stands in no brackets of its own, or of `"a" "b"`."""
    said = QUOTED.match(text)
    if said is not None:
        return str(said.group(1)), str(said.group(2))
    inside, depth = text[1:-1], 0
    for place, letter in enumerate(inside if text[:1] == "(" and text[-1:] == ")" else ""):
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and not depth:
            return inside[:place], inside[place + 1 :]
    return OPEN, ""


def held(text: str) -> str:
    """Write what a condition compares: a variable that nobody sets is empty, what a function gives stays open."""
    plain = str(STRIPPED.sub(r"\1", NAME.sub(r"${\1:-}", text.strip())))
    return OPEN if CALLED.search(plain) or OPEN in plain else as_shell(plain).replace('"', '\\"')


def as_shell(text: str, names: dict[str, str] | None = None) -> str:
    """Write make's `$(NAME)` as `${NAME}` and `$$` as `$`; `$(shell ...)` stays a substitution, `$(dir x)` is one."""
    written, place, open_names = [], 0, 0
    text = str(OF_PATHS.sub(lambda m: f"$(shell {PATH_TOOLS[str(m.group(1))].format(m.group(2))}", text))
    while place < len(text):
        if text.startswith("$$", place):
            written.append("$")
            place += 2
        elif text[place] == "$" and text[place + 1 : place + 2] in AUTOMATIC and names is not None:
            written.append(names.get(text[place + 1 : place + 2], "$"))
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
