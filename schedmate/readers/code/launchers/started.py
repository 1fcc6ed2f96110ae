"""Follow a command through shells, launchers, batch scripts and make to the programs that it starts."""

import contextlib
import posixpath

from schedmate.readers.code.commandline.words import word_text
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.likelihood import likelihood
from schedmate.readers.code.launchers.prefixes import take_off
from schedmate.readers.code.launchers.slurm import read_headers, slurm_variables
from schedmate.readers.code.places import find_script
from schedmate.readers.code.shell.interpreter import Interpreter
from schedmate.readers.code.shell.names import Names
from schedmate.readers.code.shell.shell import Leave, Shell, Started
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values import COMMAND, Val
from schedmate.tools.repository import NotReadable, Repository, inside

SHELL_ENDINGS = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs", ".lsf")


MOST_PROGRAMS = 40


def programs_of(repository: Repository, command: str, workdir: str) -> tuple[list[Launch], list[str]]:
    """Follow the command through shells and launchers to the programs that it starts, the likeliest job first."""
    shell = Shell(repository, workdir)
    interpreter = Interpreter(shell, Names(), COMMAND)
    with contextlib.suppress(Leave):
        interpreter.run(tokenize(command))
    launches: list[Launch] = []
    for started in shell.started[:MOST_PROGRAMS]:
        launches += opened(repository, started, Launch(), 0)
    launches = launches[:MOST_PROGRAMS]
    order = sorted(range(len(launches)), key=lambda place: (-likelihood(repository, launches[place]), place))
    return [launches[place] for place in order], shell.notes


def opened(repository: Repository, started: Started, outer: Launch, depth: int) -> list[Launch]:
    """Take a started program's launchers off; a batch script behind them is followed with its headers."""
    launch = Launch(
        environment={**outer.environment, **started.environment},
        workdir=started.workdir,
        launchers=list(outer.launchers),
        per_node=outer.per_node,
        nodes=outer.nodes,
        total=outer.total,
        options=dict(outer.options),
        slurm=dict(outer.slurm),
        distributed=outer.distributed,
        sure=started.sure,
        scripts=started.scripts,
    )
    take_off(started.words, launch)
    name = launch.name
    wrapped = launch.options.get("sbatch.wrap")
    if wrapped is not None and not name and depth < 8:
        return inner_programs(repository, launch, str(wrapped.data), depth)
    is_batch = any(kind in ("sbatch", "salloc", "qsub", "bsub") for kind, _ in launch.launchers)
    if (
        depth < 8
        and launch.kind in ("tool", "script")
        and (name.endswith(SHELL_ENDINGS) or (is_batch and launch.kind == "tool"))
    ):
        path = find_script(repository, launch)
        if path is not None:
            return batch_programs(repository, launch, path, depth, is_batch)
    if launch.kind == "tool" and posixpath.basename(name) in ("bash", "sh") and depth < 8:
        rest = [word for word in launch.words[1:] if not word_text(word).startswith("-")]
        text = next((word_text(word) for word in launch.words[1:] if " " in word_text(word)), "")
        if "-c" in [word_text(word) for word in launch.words] and text:
            return inner_programs(repository, launch, text, depth)
        if rest:
            launch.name, launch.words = word_text(rest[0]), rest
            path = find_script(repository, launch)
            if path is not None:
                return batch_programs(repository, launch, path, depth, is_batch)
    if launch.kind == "tool" and posixpath.basename(name) == "make":
        return make_programs(repository, launch, depth)
    return [launch]


def batch_programs(repository: Repository, launch: Launch, path: str, depth: int, is_batch: bool) -> list[Launch]:
    """Follow a script with its batch headers in force."""
    try:
        text = repository.read_text(path)
    except NotReadable:
        return [launch]
    if is_batch:
        launch.slurm = {**read_headers(text, path), **launch.slurm}
    exported = launch.options.get("sbatch.export")
    for part in str(exported.data).split(",") if exported is not None else []:
        key, equals, value = part.partition("=")
        if equals:
            launch.environment[key] = Val(value, exported.src if exported is not None else ())
    return inner_programs(repository, launch, text, depth, path)


def inner_programs(repository: Repository, launch: Launch, text: str, depth: int, path: str = COMMAND) -> list[Launch]:
    """Follow shell text that a launcher starts."""
    shell = Shell(repository, launch.workdir, scripts=(*launch.scripts, path))
    names = Names({**launch.environment, **slurm_variables(launch)}, launch.words[1:], path)
    interpreter = Interpreter(shell, names, path)
    interpreter.exported = dict(launch.environment)
    with contextlib.suppress(Leave):
        interpreter.run(tokenize(text))
    found: list[Launch] = []
    for started in shell.started[:MOST_PROGRAMS]:
        found += opened(repository, started, launch, depth + 1)
    return found


def make_programs(repository: Repository, launch: Launch, depth: int) -> list[Launch]:
    """Follow a Makefile's target as the shell lines that it is."""
    path = next(
        (
            found
            for name in ("Makefile", "makefile", "GNUmakefile")
            if repository.is_file(found := posixpath.normpath(inside(launch.workdir, name)))
        ),
        None,
    )
    if path is None:
        return [launch]
    text = repository.read_text(path)
    target = next((word_text(word) for word in launch.words[1:] if not word_text(word).startswith("-")), "")
    lines = text.split("\n")
    kept, inside_target = [], False
    for line in lines:
        if line.startswith("\t"):
            kept.append(
                line[1:].lstrip("@-").replace("$(", "${").replace("$$", "$").replace(")", "}")
                if inside_target and "$(" in line
                else line[1:].lstrip("@-").replace("$$", "$")
                if inside_target
                else ""
            )
            continue
        head, colon, rest = line.partition(":")
        if colon and not rest.startswith("="):
            inside_target = target in head.split()
            kept.append("")
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            kept.append(f"{name.strip(' ?:+')}='{value.strip()}'")
        else:
            kept.append("")
    return inner_programs(repository, launch, "\n".join(kept), depth, path) or [launch]
