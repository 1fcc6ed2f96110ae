"""Sizes out of a README's table of models: the row that names the chosen configuration, in the column of parameters."""

import posixpath

import re2

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation

ENDINGS = (".py", ".yaml", ".yml", ".json", ".toml", ".gin", ".sh")
READMES = ("README.md", "readme.md", "MODEL_ZOO.md", "model_zoo.md")
NUMBER = re2.compile(r"(?i)^[~ *]*([0-9]+(?:\.[0-9]+)?) ?([mbk]?)(?:illion|illions|params)?[ *]*$")
UNIT = re2.compile(r"(?i)\(([mbk])\)|\bin ([mbk])")

SHORTEST = 8
"""Letters of a file's name that a row has to hold: `train` and `base` stand in many."""


def by_readme(view: View) -> None:
    """Take the size of the row that links the configuration which the command names."""
    program = view.launch.name
    paths = [text for word in view.launch.words if (text := word_text(word)).endswith(ENDINGS) and text != program]
    stems = [stem for path in paths if len(stem := posixpath.splitext(posixpath.basename(path))[0]) >= SHORTEST]
    if not stems:
        return
    folders = (view.launch.workdir, *(posixpath.dirname(path) for path in paths), ".")
    for folder in dict.fromkeys(folders):
        for name in READMES:
            path = posixpath.normpath(posixpath.join(folder, name))
            page = view.run.repository.readable_text(path) if not path.startswith(("/", "..")) else None
            found = size_in(page.split("\n"), stems) if page is not None else None
            if found is not None:
                size, line = found
                view.keep("param_size", size, (SourceLocation(path, line),), "the table of models")
                return


def size_in(lines: list[str], stems: list[str]) -> tuple[str, int] | None:
    """Find the row of a table that names one of some files, and what stands in its column of parameters."""
    head: list[str] = []
    for number, line in enumerate(lines, 1):
        if "|" not in line:
            head = []
            continue
        cells = line.strip().strip("|").split("|")
        head = head or cells
        place = next((at for at, cell in enumerate(head) if "param" in cell.lower()), None)
        if place is None or place >= len(cells) or not any(f"{stem}." in line for stem in stems):
            continue
        match, unit = NUMBER.search(cells[place].strip()), UNIT.search(head[place])
        letter = (match.group(2) or (unit and (unit.group(1) or unit.group(2))) or "") if match is not None else ""
        if match is not None and letter:
            return f"{match.group(1)}{letter.upper()}", number
    return None
