"""Where no command is given: list what looks like a job of the repository, the likeliest first."""

import posixpath
import time
from dataclasses import dataclass

import re2

from schedmate.counts import how_many
from schedmate.knowledge.code_words import words
from schedmate.readers.code.launchers.batch_requests import read_headers
from schedmate.readers.code.launchers.started_programs import ASIDE, TRAINS
from schedmate.tools.notebook import is_notebook
from schedmate.tools.repository import NotReadable, Repository, inside

MOST_LOOKED_AT = 80

LOOK_S = 5.0
"""Time for looks inside."""
MOST_SHOWN = 12
SHELL_ENDINGS = (".sh", ".slurm", ".sbatch")
ENDINGS = (".py", ".ipynb", *SHELL_ENDINGS)
README = ("README.md", "README.rst", "README.txt", "README")
NOT_JOBS = frozenset(words("training.no_jobs"))
STARTS = ("python", "torchrun", "accelerate", "deepspeed", "srun")
TRAINS_SURELY = words("training.texts")
PROGRAM = re2.compile(r"(?m)^(?:if __name__|for |while |(?:\w+ *= *)?[\w.]*(?:parse_args|main|train|fit|run|launch)\()")
NAMED = re2.compile(r"[\w-][\w.-]*\.(?:py|ipynb|sh|slurm|sbatch)\b")


@dataclass(frozen=True)
class Candidates:
    """Likely commands, and how many more files bear a likely name."""

    commands: tuple[str, ...]
    others: int = 0


def likely_commands(repository: Repository, workdir: str = ".") -> Candidates:
    """Give commands that start likely jobs from the working directory, by their names and by a look inside."""
    rated = [
        (score, path) for path in repository.walk(workdir) if path.endswith(ENDINGS) and (score := score_of(path)) > 0
    ]
    told = named_in(readme_of(repository, workdir))
    rated.sort(key=lambda row: (-row[0] - 3 * (posixpath.basename(row[1]) in told), row[1].count("/"), row[1]))
    found = looked_at(repository, rated[:MOST_LOOKED_AT], told, workdir)
    found.sort(key=lambda row: (-row[0], len(row[1])))
    if not found and len(rated) > MOST_LOOKED_AT:
        repository.leave_out(f"the insides of {how_many(len(rated) - MOST_LOOKED_AT, 'more file')} with likely names")
    others = max(0, len(found) - MOST_SHOWN) + sum(score > 1 for score, _ in rated[MOST_LOOKED_AT:])
    return Candidates(tuple(command for _, command in found[:MOST_SHOWN]), others)


def looked_at(
    repository: Repository, rated: list[tuple[int, str]], told: frozenset[str], workdir: str
) -> list[tuple[int, str]]:
    """Look inside the likeliest, as long as there is time; give what starts them, and how likely that is."""
    found: list[tuple[int, str]] = []
    refused: list[str] = []
    until_s = time.monotonic() + LOOK_S
    for count, (score, path) in enumerate(rated):
        if time.monotonic() > until_s:
            left = how_many(len(rated) - count, "file")
            repository.leave_out(f"the insides of {left} with likely names: {LOOK_S:g} s were over")
            break
        try:
            look = looked_into(path, repository.peek(path), workdir)
        except NotReadable as error:
            refused.append(str(error))
            continue
        if look is not None:
            found.append((score + look[0] + 3 * (posixpath.basename(path) in told), look[1]))
    if refused:
        more = f", and {how_many(len(refused) - 1, 'more file')}" if refused[1:] else ""
        repository.leave_out(f"{refused[0]}{more}")
    return found


def readme_of(repository: Repository, workdir: str) -> str:
    """Give what the README says: a script that it names is likelier to be what people start."""
    for folder in dict.fromkeys((workdir, ".")):
        for name in README:
            try:
                return repository.peek(posixpath.normpath(inside(folder, name)))
            except NotReadable:
                continue
    return ""


def named_in(text: str) -> frozenset[str]:
    """Give the file names that a text holds, one by one: tens of thousands of files are looked up among them."""
    return frozenset(NAMED.findall(text))


def score_of(path: str) -> int:
    """Weigh a path by its name: training near the root counts most, tests and tools not at all."""
    name = posixpath.basename(path)
    folders = posixpath.dirname(path).lower().split("/")
    if NOT_JOBS.intersection(folders) or name.startswith(("test_", "_", "setup.")) or ASIDE.search(name):
        return 0
    score = 6 * bool(TRAINS.search(name)) + 2 * bool(TRAINS.search(path)) - path.count("/")
    score += 2 * name.endswith(SHELL_ENDINGS) - 3 * ("submitit" in name)
    score += 3 * name.startswith(("train", "main", "pretrain", "finetune"))
    return score if score > 0 else int(path.count("/") < 2)


def looked_into(path: str, text: str, workdir: str) -> tuple[int, str] | None:
    """Tell a program from a module, and a batch script from a plain one."""
    shown = path if workdir == "." else posixpath.relpath(path, workdir)
    if path.endswith(SHELL_ENDINGS):
        if not any(word in text for word in STARTS):
            return None
        return 2, f"{'sbatch' if read_headers(text, path) else 'bash'} {shown}"
    trains = any(word in text for word in TRAINS_SURELY)
    if is_notebook(path):
        return (-2, f"jupyter nbconvert --execute {shown}") if trains else None
    named = bool(TRAINS.search(posixpath.basename(path)))
    if not PROGRAM.search(text) or not (trains or (named and ("argparse" in text or "__main__" in text))):
        return None
    return 4 * trains, f"python {shown}"
