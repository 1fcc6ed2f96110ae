"""Know by the command that a shell tells of whether a signal ended the program of a job or a helper at its side."""

from itertools import pairwise
from posixpath import basename

import re2

from schedmate.tools.late_patterns import late, late_re2

SHELLS_WORD = re2.compile(
    r"(?:: line \d{1,6}: +\d{1,9} |^)(?P<how>Killed|Aborted|Terminated|Hangup|Segmentation fault|Bus error"
    r"|Illegal instruction|Floating point exception|User defined signal [12])(?: +\(core dumped\))?"
    r"(?:$| +(?P<command>.{0,400}))"
)
"""How a shell says which signal ended what: a script names the command, who runs a single one does not."""
CHAINED, PIPED = late(r";|&&|\|\|"), late(r"[|<>&]")
"""How commands follow each other, and what stands behind one that another reads."""
ASKED = frozenset({"Terminated", "Hangup", "User defined signal 1", "User defined signal 2"})
"""Signals that ask a program to end."""
ON_PURPOSE = ASKED | {"Killed"}
"""Signals by which a script ends what it had put in the background, too; nobody sends the others to end something."""
PROGRAMS = late_re2(
    r"^(?:python[\d.]*|pypy\d?|torchrun|accelerate|deepspeed|srun|mpirun|mpiexec(?:\.\w+)?|prun|jsrun|aprun|ibrun"
    r"|horovodrun|colossalai|composer|ray|uv|poetry|conda|mamba|apptainer|singularity|docker|podman|enroot|julia"
    r"|Rscript|R|java|matlab|node|numactl|taskset|timeout|time|env|exec|nohup|nice|bash|sh)$"
)
"""What starts the program of a job, by its name."""
HELPERS = late_re2(
    r"(?i)^(?:nvidia-smi|dcgmi|dcgm\w*|nvtop|nvitop|gpustat|rocm-smi|amd-smi|tensorboard|jupyter\S*|wandb|mlflow|aim"
    r"|tail|watch|h?top|sleep|ping|ssh|rsync|scp|tee|cat|vmstat|iostat|ifstat|sar|pidstat|dstat|mpstat|perf|free|dmesg"
    r"|nsys|redis-server|prometheus|node_exporter|inotifywait)$"
    r"|(?:^|[_.-])(?:[a-z]{0,8}monitor(?:s|ing)?|(?:gpu|cpu|mem|sys|power)mon|watch(?:er|dog)?|logger|heartbeat"
    r"|keep_?alive|exporter|dashboard|tensorboard|gpustat|nvidia_?smi|telemetry|uploader|tunnel)(?:[_.-]|$)"
)
"""What runs at the side of a program and looks at it or carries its files, by its name or by a script's."""


def tells_of_program(text: str) -> bool:
    """Tell a signal's word about a program from what a shell says of a helper, or of nobody that it names.

    Launchers, and a program of its own, speak of what they are.
    """
    told = SHELLS_WORD.search(text)
    if told is None:
        return True
    commands = [PIPED.split(part)[0] for part in CHAINED.split(told["command"] or "")]
    if told["how"] in ON_PURPOSE:
        return any(map(is_program, commands))
    return not all(map(is_helper, commands))


def is_program(command: str) -> bool:
    """Tell a command that starts a program by a launcher or an interpreter, or as a file, and is no helper."""
    words = words_of(command)
    by_name = bool(words) and (PROGRAMS.search(basename(words[0])) is not None or "/" in words[0])
    return by_name and not is_helper(command)


def is_helper(command: str) -> bool:
    """Tell what only looks at a job, by its own name, its module's or its script's."""
    words = words_of(command)
    scripts = [word for word in words if word.endswith((".py", ".sh", ".pl", ".R", ".jl"))][:1]
    modules = [after for word, after in pairwise(words) if word == "-m"][:1]
    return any(HELPERS.search(basename(word)) for word in (*words[:1], *scripts, *modules))


def words_of(command: str) -> list[str]:
    """Give a command's words without what it sets for itself."""
    words = command.strip(" (){}").split()
    begin = next((place for place, word in enumerate(words) if "=" not in word), len(words))
    return words[begin:]
