"""Formats that were learnt on this machine: a readable file each in the user's directory, used like the known ones."""

import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from schedmate.errors import InputError
from schedmate.knowledge.site import site_files, users_folder
from schedmate.readers.progress.lines.formats import Format, Pattern, known_formats, parse_format

FOLDER = "logformats"

OPEN = ("step", "step_time_s", "loss")
"""A log that leaves one of these open is worth a format of its own."""
MAX_FILES = 1000
MAX_FILE_BYTES = 1 << 16


def learned_folder() -> Path:
    """Name the user's folder."""
    return users_folder(FOLDER)


def load_learned(folder: Path) -> tuple[Format, ...]:
    """Load what was learnt; a file that cannot be used is an error that names it."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".toml"))
    except OSError:
        return ()
    formats = []
    for name in names[:MAX_FILES]:
        path = folder / name
        try:
            with path.open("rb") as file:
                text = file.read(MAX_FILE_BYTES).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"log format {path} cannot be read: {error}", "mend the file or move it away") from error
        formats.append(parse_format(text, str(path)))
    return tuple(formats)


def all_formats() -> tuple[Format, ...] | None:
    """Give the known formats with the site's own and the learnt; None where there are none, as those are shared."""
    own = (*site_formats(), *load_learned(learned_folder()))
    return (*known_formats(), *own) if own else None


def site_formats() -> tuple[Format, ...]:
    """Give the formats that the site wrote down; one that cannot be used is left out, and `knowledge list` names it."""
    formats = []
    for file in site_files():
        with suppress(InputError):
            formats += [parse_format(file.format_text, str(file.path))] if file.format_text else []
    return tuple(formats)


def save_learned(one: Format, folder: Path, told: str) -> Path:
    """Write a format as a file that people can read and mend; another process sees all of it or nothing."""
    text = as_toml(one, told)
    parse_format(text, "the new format")
    slug = re.sub(r"[^a-z0-9]+", "-", one.framework.lower()).strip("-") or "format"
    path = folder / f"{slug}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=folder, suffix=".part", delete=False) as file:
            file.write(text)
        os.replace(file.name, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}", "set SCHEDMATE_DATA_DIR to a writable place") from error
    return path


def as_toml(one: Format, told: str) -> str:
    """Write a format in the form that comes with the package."""
    parts = [f"# {row}" for row in told.splitlines()]
    parts.append(f"framework = {quoted(one.framework)}")
    return "\n".join([*parts, *(table_of(pattern) for pattern in one.patterns)]) + "\n"


def table_of(pattern: Pattern) -> str:
    """Write one kind of line."""
    rows = ["", "[[line]]", f"contains = {quoted(pattern.contains)}", f"pattern = {quoted(pattern.text)}"]
    if pattern.units:
        rows.append("units = { " + ", ".join(f"{role} = {quoted(unit)}" for role, unit in pattern.units.items()) + " }")
    if pattern.work:
        rows.append(f"work = {quoted(pattern.work)}")
    rows.append(f"sample = {quoted(pattern.sample)}")
    rows.append("expect = { " + ", ".join(f"{role} = {value!r}" for role, value in pattern.expect.items()) + " }")
    return "\n".join(rows)


def quoted(text: str) -> str:
    """Write a TOML string, without escapes where that can be."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08X}" for char in escaped) + '"'


def longest_word(lines: Sequence[str]) -> str:
    """Give the longest word that all lines have, by which a pattern's lines are found in a hurry."""
    common = set.intersection(*(set(re.findall(r"[^\W\d_]{2,40}", line)) for line in lines)) if lines else set()
    return max(sorted(common), key=len, default="")
