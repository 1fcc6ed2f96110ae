"""What a site knows of its own systems: failures and log formats in files of its own, each entry checked when read.

Files lie in `<data directory>/knowledge/*.toml`, or come with an installed package that names itself under the entry
point group `schedmate.knowledge`. A bad entry is named by file and line, and the rest works.
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import re2

from schedmate.knowledge.catalogue import Failure, Role, failure_from
from schedmate.knowledge.disk_cache import kept
from schedmate.schemas import Category, Restart, Subcategory
from schedmate.user_dirs import data_directory, data_may_lie_elsewhere

GROUP = "schedmate.knowledge"
FOLDER = "knowledge"
MOST_FILES = 200
MOST_BYTES = 1 << 20
LONGEST_PATTERN = 2000

WORDS = {"id": str, "pattern": str, "role": str, "category": str, "restart": str, "meaning": str, "action": str}
ALLOWED = {"role": Role, "category": Category, "restart": Restart, "subcategory": Subcategory}
MORE = {
    "literal",
    "weight",
    "sample",
    "near_miss",
    "subcategory",
    "source",
    "general",
    "daemon",
    "overlaps",
    "after",
    "outside",
}
IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9_]+")
START = re.compile(r"^[ \t]*\[\[[ \t]*failure[ \t]*\]\]", re.MULTILINE)


class Placed(NamedTuple):
    """A failure and where it is written down."""

    place: str
    failure: Failure


class Trouble(NamedTuple):
    """What cannot be used, where it stands, and why."""

    place: str
    why: str


class SiteFile(NamedTuple):
    """What one file holds."""

    path: Path
    failures: tuple[Placed, ...] = ()
    format_text: str = ""
    """the whole text, where the file describes what a program prints"""
    troubles: tuple[Trouble, ...] = ()


def kept_in() -> Path:
    """Name the data directory; the settings, slow to import, are read only where they may name another."""
    if not data_may_lie_elsewhere():
        return data_directory()
    from schedmate.settings import get_settings

    return get_settings().data_dir


def users_folder(name: str) -> Path:
    """Name a folder in the data directory."""
    return kept_in() / name


@lru_cache(maxsize=1)
def site_files() -> tuple[SiteFile, ...]:
    """Read what this site knows, once a process."""
    try:
        names = sorted(name for name in os.listdir(users_folder(FOLDER)) if name.endswith(".toml"))
    except OSError:
        names = []
    paths = [users_folder(FOLDER) / name for name in names[:MOST_FILES]]
    return tuple(read_file(path) for path in [*paths, *files_of_packages()])


def site_failures() -> tuple[Failure, ...]:
    """Give the site's own entries; of two with one id the later file's counts."""
    return tuple({one.failure.id: one.failure for file in site_files() for one in file.failures}.values())


def site_troubles() -> tuple[Trouble, ...]:
    """Give what of the site's own knowledge is not used."""
    return tuple(trouble for file in site_files() for trouble in file.troubles)


def files_of_packages() -> list[Path]:
    """List the files that installed packages bring; looking through all packages takes long, so that is kept."""
    seen = "\0".join(f"{place}:{os.stat(place).st_mtime_ns}" for place in sys.path if os.path.isdir(place))
    return [Path(path) for path in json.loads(kept("plugins", seen.encode(), lambda: json.dumps(named()).encode()))]


def named() -> list[str]:
    """Ask the installed packages."""
    from importlib.metadata import entry_points
    from importlib.resources import files

    found = []
    for point in entry_points(group=GROUP):
        folder = Path(str(files(point.value)))
        found += sorted(str(path) for path in folder.glob("*.toml"))
    return found[:MOST_FILES]


def read_file(path: Path) -> SiteFile:
    """Read one file and check each of its entries."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            return SiteFile(path, troubles=(Trouble(str(path), f"larger than {MOST_BYTES:,} bytes"),))
        text = raw.decode("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        return SiteFile(path, troubles=(Trouble(str(path), f"cannot be read: {error.strerror}"),))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return SiteFile(path, troubles=(Trouble(str(path), str(error)),))
    failures, troubles = list[Placed](), list[Trouble]()
    for place, entry in entries_of(path, text, data.get("failure", [])):
        if problem := problem_of(entry):
            troubles.append(Trouble(place, problem))
        else:
            failures.append(Placed(place, failure_from({"near_miss": (), "source": str(path), **entry})))
    if "failure" not in data and "line" not in data:
        troubles.append(Trouble(str(path), "holds neither [[failure]] entries nor a log format's [[line]] patterns"))
    return SiteFile(path, tuple(failures), text if "line" in data else "", tuple(troubles))


def entries_of(path: Path, text: str, entries: object) -> Iterator[tuple[str, Any]]:
    """Give each entry with its place."""
    lines = [text.count("\n", 0, found.start()) + 1 for found in START.finditer(text)]
    rows = entries if isinstance(entries, list) else [entries]
    for number, entry in enumerate(rows):
        yield f"{path}:{lines[number] if number < len(lines) else 1}", entry


def problem_of(entry: Any) -> str:
    """Say what is wrong with an entry, whatever TOML made of it; empty where it can be used."""
    if not isinstance(entry, dict):
        return "is no table: write [[failure]] above it"
    if missing := sorted(({*WORDS} | {"literal", "weight", "sample"}) - set(entry)):
        return f"lacks {', '.join(missing)}"
    if unknown := sorted(set(entry) - {*WORDS} - MORE):
        return f"has fields that there are none of: {', '.join(unknown)}"
    if wrong := [name for name in WORDS if not isinstance(entry[name], str) or not entry[name].strip()]:
        return f"{wrong[0]} has to be text"
    for name, words in ALLOWED.items():
        if name in entry and entry[name] not in get_args(words):
            return f"{name} has to be one of {', '.join(get_args(words))}"
    if not IDENTIFIER.fullmatch(entry["id"]):
        return "id has to be area.symptom, in small letters"
    weight = entry["weight"]
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
        return "weight has to be a number from 0 to 1"
    return problem_of_words(entry)


def problem_of_words(entry: dict[str, Any]) -> str:
    """Try the pattern on its own samples, as the catalogue's tests do with every entry that is shipped."""
    for name in ("literal", "sample", "near_miss"):
        rows = entry.get(name, [])
        rows = [rows] if name == "literal" and isinstance(rows, str) else rows
        if not isinstance(rows, list) or not all(isinstance(row, str) and row for row in rows):
            return f"{name} has to be a list of texts"
        if not rows and name != "near_miss":
            return f"{name} is empty"
    literals = [entry["literal"]] if isinstance(entry["literal"], str) else entry["literal"]
    if len(entry["pattern"]) > LONGEST_PATTERN:
        return f"the pattern has more than {LONGEST_PATTERN:,} characters"
    options = re2.Options()
    options.log_errors, options.max_mem = False, 1 << 22
    try:
        pattern = re2.compile(entry["pattern"], options)
    except re2.error as error:
        return f"the pattern is none of RE2's: {str(error)[:100]}"
    for sample in entry["sample"]:
        if not pattern.search(sample):
            return f"the pattern misses its sample: {sample[:80]}"
        if not any(literal.casefold() in sample.casefold() for literal in literals):
            return f"no literal is in the sample: {sample[:80]}"
    wrong = [miss for miss in entry.get("near_miss", []) if pattern.search(miss)]
    return f"the pattern matches a near miss: {wrong[0][:80]}" if wrong else ""
