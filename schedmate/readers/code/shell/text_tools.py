"""What small tools make of a text, as scripts count the GPUs they are given: `echo 0,1,2 | awk -F, '{print NF}'`."""

import shlex
from dataclasses import dataclass, field

import re2

from schedmate.readers.code.values.whole_numbers import whole_count

ESCAPED = {"\\n": "\n", "\\t": "\t"}
MOST_TEXT = 10_000
PLAIN = re2.compile(r"[\w =,:@%/-]+")
NUMBERS = frozenset(str(number) for number in range(1, 30))


def filtered(words: list[str], text: str) -> str | None:
    """Give what a tool prints that is fed a text; None where that is not plain."""
    tool = TOOLS.get(words[0]) if words else None
    return tool(words[1:], text) if tool is not None and "$" not in text and len(text) <= MOST_TEXT else None


def fields_counted(words: list[str], text: str) -> str | None:
    """Follow `awk -F ',' '{print NF}'` and `{print $2}`; what else awk prints stays open."""
    between: str | None = None
    if words[:1] == ["-F"] and len(words) > 1:
        between, words = words[1], words[2:]
    elif words and words[0].startswith("-F"):
        between, words = words[0][2:], words[1:]
    told = [word.replace(" ", "") for word in words]
    if len(told) == 1 and told[0].startswith("NR=="):
        number, brace, rest = told[0].removeprefix("NR==").partition("{")
        line = line_at(text, number)
        if line is None or not brace or rest == "print}":
            return line
        text, told = line, [rest]
    told = [word.strip("{}") for word in told]
    if len(told) != 1 or len(between or " ") != 1:
        return None
    if told == ["printNF"]:
        return "\n".join(str(len(line.split(between)) if line else 0) for line in text.split("\n"))
    return field_of_each(text, between, told[0].removeprefix("print$"))


def field_of_each(text: str, between: str | None, number: str) -> str | None:
    """Give one field of each line, where all lines have it."""
    rows = [line.split(between) for line in text.split("\n")]
    if number not in NUMBERS or any(len(parts) < int(number) for parts in rows):
        return None
    return "\n".join(parts[int(number) - 1] for parts in rows)


def translated(words: list[str], text: str) -> str | None:
    """Follow `tr ',' ' '` and `tr -d '[]'`."""
    if len(words) != 2 or "[:" in words[1]:
        return None
    if words[0] == "-d":
        return "".join(letter for letter in text if letter not in words[1])
    first, second = (ESCAPED.get(word, word) for word in words)
    return text.replace(first, second) if len(first) == len(second) == 1 else None


def counted(words: list[str], text: str) -> str | None:
    """Follow `wc -l` and `wc -w`."""
    if words not in (["-l"], ["-w"]):
        return None
    return str(len(text.split("\n")) if words == ["-l"] else len(text.split()))


def cut_out(words: list[str], text: str) -> str | None:
    """Follow `cut -d_ -f2`."""
    joined, waiting = list[str](), list(words)
    while waiting:
        word = waiting.pop(0)
        joined.append(word + waiting.pop(0) if word in ("-d", "-f") and waiting else word)
    marks = [word[2:].strip("'\"") or word[2:] for word in joined if word.startswith("-d")]
    fields = [word[2:] for word in joined if word.startswith("-f")]
    if len(joined) != 2 or len(marks) != 1 or len(marks[0]) != 1 or len(fields) != 1 or fields[0] not in NUMBERS:
        return None
    return field_of_each(text, marks[0], fields[0])


def taken_lines(words: list[str], text: str) -> str | None:
    """Follow `sed -n 3p` and `sed '3q;d'`."""
    told = words[1] if len(words) == 2 and words[0] == "-n" else ""
    number = told.removesuffix("p") if told.endswith("p") else ""
    if len(words) == 1 and words[0].replace(" ", "").endswith("q;d"):
        number = words[0].replace(" ", "").removesuffix("q;d")
    return line_at(text, number)


def line_at(text: str, number: str) -> str | None:
    """Give a line by its number."""
    lines = text.split("\n")
    place = whole_count(number)
    return lines[place - 1] if place is not None and 0 < place <= len(lines) else None


def first_lines(words: list[str], text: str) -> str | None:
    """Follow `head -n 3` and `head -3`."""
    number = line_count(words)
    return "\n".join(text.split("\n")[:number]) if number is not None else None


def last_lines(words: list[str], text: str) -> str | None:
    """Follow `tail -n 1`, `tail -1` and `tail -n +2`."""
    number = line_count(words)
    lines = text.rstrip("\n").split("\n")
    if number is None or number < 1:
        return None
    return "\n".join(lines[number - 1 :] if any("+" in word for word in words) else lines[-number:])


def line_count(words: list[str]) -> int | None:
    """Read how many lines are asked for."""
    told = "".join(words).removeprefix("-").removeprefix("n").removeprefix("+")
    return whole_count(told)


def replaced(words: list[str], text: str) -> str | None:
    """Follow `sed 's/plain/other/'`, without a pattern."""
    if len(words) != 1 or len(words[0]) < 4 or words[0][0] != "s":
        return None
    parts = words[0][1:].split(words[0][1])
    if (
        len(parts) != 4
        or parts[3] not in ("", "g")
        or not PLAIN.fullmatch(parts[1])
        or "&" in parts[2]
        or "\\" in parts[2]
    ):
        return None
    return "\n".join(line.replace(parts[1], parts[2], -1 if parts[3] else 1) for line in text.split("\n"))


def edited(words: list[str], text: str) -> str | None:
    """Follow `sed`."""
    line = taken_lines(words, text)
    return line if line is not None else replaced(words, text)


TOOLS = {
    "awk": fields_counted,
    "tr": translated,
    "wc": counted,
    "cut": cut_out,
    "sed": edited,
    "head": first_lines,
    "tail": last_lines,
}


@dataclass
class OptionSpec:
    """What `getopt` is told: its own words come first, those of the script behind `--`."""

    letters: str = ""
    names: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    unquoted: bool = False

    def takes(self, option: str) -> int | None:
        """Tell how many colons stand behind an option; None for one that it does not know."""
        if option.startswith("--"):
            found = [name for name in self.names if name.rstrip(":") == option[2:]]
            return len(found[0]) - len(found[0].rstrip(":")) if found else None
        place = self.letters.find(option[1:])
        behind = self.letters[place + 1 :]
        return len(behind) - len(behind.lstrip(":")) if place >= 0 and option[1:] != ":" else None


VALUED = ("-o", "--options", "-l", "--longoptions", "--long", "-n", "--name", "-s", "--shell")
PLACES = {"-o": "letters", "--options": "letters", "-l": "names", "--longoptions": "names", "--long": "names"}


def spec_of(words: list[str]) -> OptionSpec:
    """Read what `getopt` is told, in its newer form or its older one, `getopt ab: "$@"`."""
    if words[:1] and not words[0].startswith("-"):
        return OptionSpec(words[0], words=words[1:], unquoted=True)
    spec, waiting = OptionSpec(), list(words)
    while waiting and (word := waiting.pop(0)) != "--":
        name, equals, value = word.partition("=")
        if name[:2] in VALUED and not name.startswith("--") and len(name) > 2:
            name, value = word[:2], word[2:]
        elif name in VALUED and not equals:
            value = waiting.pop(0) if waiting else ""
        if PLACES.get(name) == "letters":
            spec.letters = value
        elif PLACES.get(name) == "names":
            spec.names += value.split(",")
        spec.unquoted = spec.unquoted or name in ("-u", "--unquoted")
    spec.words = waiting
    return spec


def sorted_options(words: list[str]) -> str | None:
    """Follow `getopt -o c: -l config: -- "$@"`: options and values, `--`, the rest; None where one is unknown."""
    spec = spec_of(words)
    waiting, options, rest = list(spec.words), list[str](), list[str]()
    while waiting and (word := waiting.pop(0)) != "--":
        if not word.startswith("-") or word == "-":
            rest.append(word)
            continue
        name, equals, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        colons = spec.takes(name)
        if colons is None or (colons == 1 and not equals and not waiting):
            return None
        options.append(name)
        if colons:
            value = value if equals or colons == 2 else waiting.pop(0)
            options.append(value if spec.unquoted else shlex.quote(value))
        elif equals:
            if name.startswith("--"):
                return None
            waiting.insert(0, f"-{value}")
    rest += waiting
    return " ".join([*options, "--", *(rest if spec.unquoted else map(shlex.quote, rest))])
