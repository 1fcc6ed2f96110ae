"""Where no command is given: list what looks like a job of the repository, the likeliest first."""

import posixpath

from schedmate.readers.code.launchers.likelihood import ASIDE, TRAINS
from schedmate.readers.code.launchers.slurm import read_headers
from schedmate.tools.repository import NotReadable, Repository

MOST_LOOKED_AT = 60
MOST_SHOWN = 12
ENDINGS = (".py", ".sh", ".slurm", ".sbatch", ".ipynb")


def likely_commands(repository: Repository, workdir: str = ".") -> list[str]:
    """Give commands that would start the repository's likely jobs, judged by names first and by a look inside then."""
    rated: list[tuple[int, str]] = []
    for path in repository.walk(workdir):
        if path.endswith(ENDINGS):
            score = score_of(path)
            if score > 0:
                rated.append((score, path))
    rated.sort(key=lambda row: (-row[0], row[1].count("/"), row[1]))
    commands: list[tuple[int, str]] = []
    for score, path in rated[:MOST_LOOKED_AT]:
        look = looked_into(repository, path)
        if look is not None:
            commands.append((score + look[0], look[1]))
    commands.sort(key=lambda row: -row[0])
    return [command for _, command in commands[:MOST_SHOWN]]


def score_of(path: str) -> int:
    """Weigh a path by its name: training near the root counts most, tests and tools not at all."""
    name = posixpath.basename(path)
    folders = posixpath.dirname(path).lower().split("/")
    if any(folder in ("tests", "test", "docs", "doc", "utils", "util", ".github", "ci") for folder in folders):
        return 0
    if name.startswith(("test_", "_", "setup.")) or ASIDE.search(name):
        return 0
    score = 6 * bool(TRAINS.search(name)) + 2 * bool(TRAINS.search(path)) - path.count("/")
    return (
        score
        + 2 * name.endswith((".sh", ".slurm", ".sbatch"))
        + (3 if name.startswith(("train", "main", "pretrain", "finetune")) else 0)
    )


def looked_into(repository: Repository, path: str) -> tuple[int, str] | None:
    """Tell a program from a module, and a batch script from a plain one."""
    try:
        text = repository.peek(path)
    except NotReadable:
        return None
    if path.endswith((".sh", ".slurm", ".sbatch")):
        starts = any(word in text for word in ("python", "torchrun", "accelerate", "deepspeed", "srun"))
        if not starts:
            return None
        return 2, f"{'sbatch' if read_headers(text, path) else 'bash'} {path}"
    if path.endswith(".ipynb"):
        return -2, f"jupyter nbconvert --execute {path}"
    trains = any(word in text for word in (".backward(", ".fit(", "optimizer", "Trainer(", "train("))
    if not trains and "__main__" not in text and "argparse" not in text:
        return None
    return 3 * trains, f"python {path}"
