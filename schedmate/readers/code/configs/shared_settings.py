"""Settings of which the command leaves open which file is meant: what all that may be meant say alike is settled."""

import posixpath

import re2

from schedmate.readers.code.configs.files import SETTINGS, load_config
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Config, Items, Value, is_constant, unknown
from schedmate.tools.late_patterns import late_re2

OPEN = late_re2(r"\$\{\w+\}|\$\w+|\$\([^()]*\)")
"""A variable that nobody sets here: a loop gives it one name after the other."""
MOST_FILES = 40
DEEPEST = 12


def settle_open_settings(run: Run, words: list[Value]) -> None:
    """Put what the files have in common that a word such as `runs/$name/fast.yaml` may mean in that file's place."""
    for word in words:
        text = word_text(word).rpartition("=")[2]
        path = posixpath.normpath(posixpath.join(run.workdir, text))
        if "$" not in text or not text.endswith(SETTINGS) or path.startswith((".", "/")):
            continue
        found = files_like(run, path)
        values = [value for one in found if (value := load_config(run, one)) is not None]
        if 1 < len(values) == len(found) and all(isinstance(value.data, dict) for value in values):
            run.written[path] = Value(alike([value.data for value in values], 0), values[0].src)


def files_like(run: Run, path: str) -> list[str]:
    """Give the files that differ from a path only in what its variables stand for; none where they are many."""
    folder, name = posixpath.split(path)
    if "$" not in name:
        among = run.repository.by_name.get(name, [])
    elif "$" not in folder and run.repository.is_folder(folder or "."):
        among = [posixpath.join(folder, one) for one in run.repository.list_folder(folder or ".")[1]]
    else:
        return []
    parts = [re2.escape(part) for part in OPEN.split(path)]
    shape = re2.compile("[^/]+".join(parts))
    found = [one for one in among if shape.fullmatch(one)]
    return found if len(found) <= MOST_FILES else []


def alike(ways: list[Items], depth: int) -> Config:
    """Keep what is the same in all; the rest is open."""
    made = Config()
    for key, first in ways[0].items():
        values = [way[key] for way in ways if key in way]
        below = [value.data for value in values if isinstance(value.data, dict)]
        if len(values) < len(ways):
            continue
        if len(below) == len(ways) and depth < DEEPEST:
            made[key] = Value(alike(below, depth + 1), first.src)
        elif all(is_constant(value) and value.data == first.data for value in values):
            made[key] = first
        else:
            made[key] = unknown("settings of which several may be meant", *values[:2])
    return made
