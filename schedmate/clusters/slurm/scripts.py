"""What a job was handed in as: the batch script that the controller keeps, written out as a shell would be told."""

import posixpath
import shlex

from schedmate.clusters.slurm.commands import Commands
from schedmate.errors import SchedMateError

LIMIT_S = 20.0

MOST_BYTES = 1 << 20
"""Slurm itself takes no script of over 4 MiB; one that a person wrote has some lines."""
NAME = "job.sh"
"""What a script is called that came through a pipe, or with --wrap."""


def handed_in(job: str, command: str) -> str:
    """Ask for a job's script, which its file may no longer be; who may not read it has the name of the file alone.

    Only the job's user and operators may. A directory that the script names is not looked for here.
    """
    try:
        script = Commands(LIMIT_S, MOST_BYTES).run("scontrol", "write", "batch_script", job, "-")
    except SchedMateError:
        script = ""
    words = words_of(command)
    if not script.startswith("#!"):
        return f"sbatch {command}" if words else command
    name = posixpath.basename(words[0]) if words else NAME
    end = "END"
    while end in script.splitlines():
        end += "_"
    arguments = shlex.join([name, *words[1:]])
    return f"cat > {shlex.quote(name)} <<'{end}'\n{script.rstrip()}\n{end}\nsbatch {arguments}"


def words_of(command: str) -> list[str]:
    """Cut a command into words; one that no shell would take is one word."""
    try:
        return shlex.split(command)
    except ValueError:
        return [command]
