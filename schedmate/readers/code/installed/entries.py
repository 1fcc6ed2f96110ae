"""Find what is known of an installed program: by its name, or by its path beside the package that it belongs to."""

import posixpath

from schedmate.knowledge.programs import ProgramRow, programs
from schedmate.readers.code.entry_points import entry_point
from schedmate.readers.code.installed.missing_sources import row_of_absent
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.script_lookup import locate
from schedmate.tools.repository import Repository, inside


def entry_of(repository: Repository, launch: Launch) -> ProgramRow | None:
    """Find the program's entry by its name, or by its path beside the package that it belongs to."""
    table = programs()
    for name in (launch.name, posixpath.basename(launch.name)):
        entry = table.get(name)
        if entry is not None and (launch.kind != "script" or "/" in name):
            return entry
    if launch.kind == "script":
        for name, entry in table.items():
            path, mark, package = name.partition("#")
            if mark and posixpath.normpath(launch.name).endswith(path):
                for base in (launch.workdir, ".", "src"):
                    if repository.is_folder(posixpath.normpath(inside(base, package))):
                        return entry
    return None


def reads_as_tool(repository: Repository, launch: Launch) -> ProgramRow | None:
    """Give the entry of a program that is read by its configuration rather than followed."""
    entry = entry_of(repository, launch)
    if entry is None and locate(repository, launch) is None and entry_point(repository, launch) is None:
        return row_of_absent(launch)
    if entry is None or entry.get("follow"):
        return None
    if entry.get("never") and launch.kind in ("script", "module") and locate(repository, launch) is not None:
        return None
    if entry.get("follow_own") and entry_point(repository, launch) is not None:
        return None
    return entry
