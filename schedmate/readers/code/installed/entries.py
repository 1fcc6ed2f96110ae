"""Which programs are read by their configuration, not followed: installed ones, and those whose source is not here."""

import posixpath

import re2

from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.programs import ProgramRow, programs
from schedmate.readers.code.entry_points import entry_point
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.script_lookup import locate
from schedmate.readers.code.launchers.started_programs import ASIDE
from schedmate.readers.code.libraries.argument_words import split_words
from schedmate.tools.notebook import is_notebook
from schedmate.tools.repository import Repository, inside

TRAINER = re2.compile(r"(?i)(^|[_\-.])(pre-?train\w*|train\w*|fine-?_?tun\w*|sft|dpo|orpo|kto|grpo|rlhf)($|[_\-.])")
"""How scripts are called that train."""
OF_TRAINING = frozenset({
    "learning_rate", "epochs", "total_steps", "batch_size", "global_batch_size", "accumulation", "optimizer", "warmup",
    "weight_decay"
})  # fmt: skip
LAUNCHERS_OF_TORCH = ("torch", "deepspeed", "accelerate")


def row_of_absent(launch: Launch) -> ProgramRow | None:
    """Find how a program that is not here is read: by a known signature of options, else as any trainer."""
    if launch.kind not in ("script", "module") or launch.name.endswith(".sh") or is_notebook(launch.name):
        return None
    stem, given = stem_of(launch), given_names(launch)
    for row in programs().values():
        signature = row.get("signature", ())
        if signature and sum(name in given for name in signature) >= row.get("signature_least", len(signature)):
            return row
    told = {field for name in given if (field := field_of_name().get(name, ("", 0))[0]) in OF_TRAINING}
    about_training = [name for name in given if name.startswith("train")]  # `--train_files`, `--train_batch_size`
    is_named = bool(TRAINER.search(stem) or len(about_training) > 1) and not ASIDE.search(stem)
    return programs()["any trainer"] if is_named and (told or launch.ranks) else None


def row_of_absent_library(repository: Repository, launch: Launch) -> ProgramRow | None:
    """Find how a script is read that hands its work to a trainer's package which is not here: by its options' names."""
    path = locate(repository, launch) if launch.kind == "script" else None
    for row in programs().values() if path is not None else ():
        package, signature = row.get("package"), row.get("signature", ())
        if package and signature and given_names(launch).issuperset(signature):
            folders = {launch.workdir, ".", "src", *parents(str(path))}
            uses_it = re2.search(rf"(?m)^\s*(?:from|import) {package}\b", repository.glimpse(str(path)))
            if uses_it and not any(repository.is_folder(posixpath.normpath(inside(one, package))) for one in folders):
                return row
    return None


def parents(path: str) -> list[str]:
    """Give the folders that a file lies in."""
    found = []
    while path := posixpath.dirname(path):
        found.append(path)
    return found


def stem_of(launch: Launch) -> str:
    """Give a script's or module's own name."""
    if launch.kind == "module":
        return launch.name.rpartition(".")[2]
    return posixpath.basename(launch.name).removesuffix(".py")


def given_names(launch: Launch) -> set[str]:
    """Name the options that the program is given."""
    options, _ = split_words(list(launch.words[1:]))
    return {squashed(one.name) for one in options}


def tell_framework(view: View) -> None:
    """Take the framework of which the launcher starts nothing else."""
    for name, spot in view.launch.launchers:
        if any(part in name for part in LAUNCHERS_OF_TORCH):
            view.keep("framework", "PyTorch", (spot,), f"started by {name}")


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
    if entry is not None and entry.get("follow_own") and is_here(repository, launch):
        return None
    entry = entry or row_of_absent_library(repository, launch)
    if entry is None or entry.get("follow"):
        return None
    if entry.get("never") and launch.kind in ("script", "module") and locate(repository, launch) is not None:
        return None
    return entry


def is_here(repository: Repository, launch: Launch) -> bool:
    """Tell a program whose own source the repository is, or holds under the module's name."""
    if entry_point(repository, launch) is not None:
        return True
    return launch.kind == "module" and locate(repository, launch) is not None
