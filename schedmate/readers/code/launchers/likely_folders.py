"""Find the folder that a command was written for, where several folders hold a script of its name.

A README deep in a repository says `python ../../run.py --config a.yaml` or `composer main.py yamls/a.yaml`: of the
folders from which the script is found, the one from which the other files that are named are found, too, is meant;
else the one whose script takes all the options.
"""

import posixpath

import re2

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository

MOST_PLACES = 40

MOST_FOLDERS, MOST_FILES = 4_000, 20
"""From so many folders so many of the files that the command names are looked for."""
FEWEST_OPTIONS = 3
A_FILE = re2.compile(r"^[\w.][\w./@+-]*\.(?:ya?ml|jsonc?|toml|gin|conf|cfg|ini|py|txt|sh)$")
AN_OPTION = re2.compile(r"^--?([A-Za-z][\w-]+)")


def likely_folder(repository: Repository, name: str, words: list[Value]) -> str | None:
    """Give the one folder from which a script is found with the files or the options that the command names."""
    climbed, rest = climbing(name)
    if not rest or rest.startswith(("/", "~", "$")):
        return None
    named = repository.by_name.get(posixpath.basename(rest), ())
    scripts = [path for path in named if f"/{path}".endswith(f"/{rest}")]
    if not 0 < len(scripts) <= MOST_PLACES:
        return None
    homes = folders_of(repository) if climbed else set()
    folders = sorted({place for path in scripts for place in places_below(homes, path, rest, climbed)})
    texts = [word_text(word) for word in words[1:]]
    files = {text.rpartition("=")[2] for text in texts} - {""}
    files = {file for file in files if A_FILE.match(file) and posixpath.basename(file) in repository.by_name}
    if len(folders) > MOST_FOLDERS or len(files) > MOST_FILES:
        return None
    best = the_best(folders, {place: sum(leads_to(repository, place, file) for file in files) for place in folders})
    if best is None and not climbed and len(scripts) > 1:
        best = the_one_that_takes(repository, folders, rest, texts)
    return best


def climbed_to(repository: Repository, name: str) -> str | None:
    """Give the only script that going up from some folder leads to, though it is not known from which of them."""
    climbed, rest = climbing(name)
    named = repository.by_name.get(posixpath.basename(rest), ()) if climbed and rest else ()
    scripts = [path for path in named if f"/{path}".endswith(f"/{rest}")]
    is_met = len(scripts) == 1 and places_below(folders_of(repository), scripts[0], rest, climbed)
    return scripts[0] if is_met else None


def climbing(name: str) -> tuple[int, str]:
    """Tell how many folders a path goes up first, and what follows."""
    parts = [part for part in name.split("/") if part not in ("", ".")] if not name.startswith("/") else []
    climbed = next((place for place, part in enumerate(parts) if part != ".."), len(parts))
    return climbed, posixpath.normpath("/".join(parts[climbed:])) if parts[climbed:] else ""


def folders_of(repository: Repository) -> set[str]:
    """Give the folders that hold files."""
    return {posixpath.dirname(path) for paths in repository.by_name.values() for path in paths}


def places_below(homes: set[str], script: str, rest: str, climbed: int) -> set[str]:
    """Give the folders from which going up so far leads to a script, but not the script's own."""
    base = script.removesuffix(rest).rstrip("/")
    if not climbed:
        return {base or "."}
    begin = f"{base}/" if base else ""
    below = (home.removeprefix(begin).split("/", climbed) for home in homes if home.startswith(begin))
    found = {begin + "/".join(parts[:climbed]) for parts in below if len(parts) >= climbed and parts[0]}
    return {folder for folder in found if not script.startswith(f"{folder}/")}


def leads_to(repository: Repository, folder: str, file: str) -> bool:
    """Tell whether a file is found from a folder."""
    path = posixpath.normpath(posixpath.join(folder, file))
    return path in repository.by_name.get(posixpath.basename(path), ())


def the_best(folders: list[str], weights: dict[str, int]) -> str | None:
    """Give the one folder that weighs most, if any weighs anything."""
    most = max((weights[folder] for folder in folders), default=0)
    best = [folder for folder in folders if weights[folder] == most]
    return best[0] if most and len(best) == 1 else None


def the_one_that_takes(repository: Repository, folders: list[str], rest: str, texts: list[str]) -> str | None:
    """Give the one folder whose script speaks of every option that the command gives."""
    given = {match.group(1) for text in texts if (match := AN_OPTION.match(text)) is not None}
    if len(given) < FEWEST_OPTIONS:
        return None
    said = {
        folder: repository.glimpse(posixpath.normpath(posixpath.join(folder, rest))).replace("-", "_")
        for folder in folders
    }
    whole = [folder for folder in folders if all(option.replace("-", "_") in said[folder] for option in given)]
    return whole[0] if len(whole) == 1 else None
