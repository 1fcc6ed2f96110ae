"""Settings that authors keep to themselves: the template beside them stands in, which users copy and fill in."""

import posixpath

import re2

from schedmate.tools.repository import Repository

MARKS = ("template", "example", "sample", "dist")
"""How a file is called that is there to be copied."""
ENDS_OF_SETTINGS = (".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".conf")
"""How the names of files end that hold settings."""

SETTINGS_MODULE = re2.compile(r"(?i)(conf|cfg|setting|param|option|constant|secret|credential)")
"""How modules are called that hold settings."""


def stand_in(repository: Repository, path: str) -> str | None:
    """Give the template of a file of settings that is not there, where there is exactly one beside it.

    A name with one ending more than settings have, `run.yaml.local`, is made from the file without it.
    """
    folder, name = posixpath.split(path)
    stem, ending = posixpath.splitext(name)
    if stem.endswith(ENDS_OF_SETTINGS) and ending.isascii():
        plain = posixpath.join(folder, stem)
        return plain if repository.is_file(plain) else None
    if ending not in ENDS_OF_SETTINGS and not (ending == ".py" and SETTINGS_MODULE.search(stem)):
        return None
    names = [made for mark in MARKS for made in spelled(stem, ending, mark)]
    places = [posixpath.join(folder, one) for one in names]
    places += [posixpath.join(below, one) for below in folders_of_templates(folder) for one in (name, *names)]
    found = [place for place in places if repository.is_file(place)]
    return found[0] if len(found) == 1 else None


def folders_of_templates(folder: str) -> list[str]:
    """Give how a folder may be called in which the templates of a folder's settings lie: `configs_template`."""
    return [f"{folder}{joint}{mark}{end}" for mark in MARKS for joint in "_-." for end in ("", "s")] if folder else []


def spelled(stem: str, ending: str, mark: str) -> tuple[str, ...]:
    """Give the ways in which a template's name is made from that of the file."""
    joined = tuple(f"{mark}{joint}{stem}{ending}" for joint in "_-.")
    return (f"{stem}{ending}.{mark}", *(f"{stem}{joint}{mark}{ending}" for joint in "_-."), *joined)
