"""`schedmate submit`: hand in a job."""

import json
import math
import os
import re
import uuid
from pathlib import Path

import typer

from schedmate.cli.asking import live_store
from schedmate.cli.saying import say

LEAST_SHARE = 0.01
KINDS_OF_THE_SESSION = ("SCHEDMATE_", "SSH_", "SUDO_", "GPG_", "DBUS_", "XDG_SESSION_", "VSCODE_", "TMUX")

OF_THE_SESSION = (
    "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "STY", "TERM", "COLORTERM", "LS_COLORS", "PS1", "PS2", "OLDPWD",
    "SHLVL", "WINDOWID", "HISTFILE", "_",
)  # fmt: skip
"""What belongs to the terminal that a job is handed in from; it is of no use to the job, and kept as long as that."""
HOW_MANY = "Slots; 0.5: half of one, shared; 2:8: two, and up to eight where they lie idle."
RUNS_OTHERS = re.compile(
    r"(?:python[\d.]*|bash|sh|zsh|torchrun|accelerate|deepspeed|uv|mpirun|mpiexec|srun|poetry|time|env)$"
)


def submit(
    command: list[str] = typer.Argument(..., metavar="-- CMD...", help="What to run, after two dashes."),
    gpus: str = typer.Option("1", "--gpus", "--slots", metavar="N|N:M", help=HOW_MANY),
    name: str = typer.Option("", "--name", help="Name; else the command's last part."),
    user: str = typer.Option("", "--user", help="Submit for this user (operators only); else for you."),
    workdir: Path | None = typer.Option(None, "--workdir", "-C", help="Where to run; else here."),
    kind: str = typer.Option("", "--kind", help="Accelerator kind; else any."),
    alone: bool = typer.Option(False, "--alone", help="Share the slots with nobody."),
    memory: float = typer.Option(0.0, "--memory", min=0.0, metavar="GIB", help="Most main memory; 0: no limit."),
    cpus: int = typer.Option(0, "--cpus", min=0, help="Processors to run on; 0: all."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Submit a job: it runs in this directory and environment as soon as the policy allows.

    The job finds its slots in CUDA_VISIBLE_DEVICES and SCHEDMATE_PLACEMENT, and when it is restarted the path of its
    last checkpoint in SCHEDMATE_CHECKPOINT. Works with no loop up: the job then waits for one.

    Examples: schedmate submit -- python train.py --lr 0.1; schedmate submit --gpus 2 --name bert -- bash run.sh;
    schedmate submit --gpus 0.5 -- python small.py; schedmate submit --gpus 2:8 -- bash elastic.sh
    """
    from schedmate.clusters.steady_clock import SteadyClock
    from schedmate.errors import InputError
    from schedmate.history.live_rows import Submission
    from schedmate.tools.accounts import my_account
    from schedmate.tools.git_branch import git_branch

    place = place_of(workdir)
    least, most = slots_of(gpus)
    if any("\0" in word for word in command):
        raise InputError("the command holds a null byte", "check what comes after --")
    environment = own_environment()
    job = Submission(
        command=tuple(command),
        workdir=str(place),
        environment=environment,
        slots=max(1, int(least)),
        share=min(1.0, least),
        most_slots=most,
        name=printable(name or name_of(command)),
        user=printable(user or my_account()),
        kind=printable(kind),
        git_branch=git_branch(place),
        alone=alone,
        memory_gib=memory,
        cpus=cpus,
    )
    if not job.is_possible():
        raise InputError(f"--memory {memory:g} --cpus {cpus}: no machine has as much", "as in: --memory 64 --cpus 8")
    with live_store() as store:
        number = store.submit(job, uuid.uuid4().hex, SteadyClock().now_s())
        waits = not store.loop_is_up()
        store.wake()
    if as_json:
        say(json.dumps({"job": number, "loop_is_up": not waits}))
        return
    say(f"job {number}")
    if waits:
        say("note: no loop is up; the job waits for `schedmate up`", err=True)


def place_of(workdir: Path | None) -> Path:
    """Give the directory that a job is to run in, if it can."""
    from schedmate.errors import InputError

    place = (workdir or Path.cwd()).resolve()
    if not place.is_dir():
        raise InputError(f"{place} is not a directory", "name one with --workdir")
    if not is_utf8(str(place)):
        raise InputError(f"{place} is not named in UTF-8, as jobs' directories must be", "rename it, or use --workdir")
    return place


def slots_of(text: str) -> tuple[float, int]:
    """Read how many slots a job wants, and how many it can use at most; 0: neither more nor fewer."""
    from schedmate.errors import InputError
    from schedmate.history.live_rows import MOST_SLOTS

    first, colon, last = text.partition(":")
    try:
        least, most = float(first), int(last) if colon else 0
    except ValueError:
        raise InputError(f"--gpus {text}: no number of slots", "as in: --gpus 2, --gpus 0.5, or --gpus 2:8") from None
    check_slots(least)
    if colon and not 1 <= least < most <= MOST_SLOTS:
        raise InputError(f"--gpus {text}: at least one, and at most more than that", "as in: --gpus 2:8")
    return least, most


def check_slots(gpus: float) -> None:
    """Refuse what no cluster could give."""
    from schedmate.errors import InputError
    from schedmate.history.live_rows import MOST_SLOTS

    if not math.isfinite(gpus) or gpus > MOST_SLOTS:
        raise InputError(f"--gpus {gpus:g}: no machine has as many", "as in: --gpus 2, or --gpus 0.5")
    if gpus < LEAST_SHARE:
        raise InputError(
            f"--gpus {gpus:g}: every job takes a slot, or at least a hundredth of one",
            "for a job without a GPU: --gpus 0.01, or a loop of processors, schedmate up --slots cpu=N",
        )
    if gpus > 1 and gpus != int(gpus):
        raise InputError(f"--gpus {gpus:g}: above one, whole numbers only", "as in: --gpus 2, or --gpus 0.5")


def own_environment() -> dict[str, str]:
    """Give the environment that the job gets, which the store keeps as long as the job may run."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in OF_THE_SESSION and not name.startswith(KINDS_OF_THE_SESSION)
    }


def name_of(command: list[str]) -> str:
    """Name a job by the program that it runs, not by what runs that: `python train.py` is `train`."""
    words = [word for word in command if not word.startswith("-")]
    first = Path(words[0]).name if words else command[0]
    if not RUNS_OTHERS.match(first):
        return first
    if "-m" in command[1:-1]:
        return command[command.index("-m", 1) + 1]
    script = next((word for word in words[1:] if word.endswith((".py", ".sh"))), "")
    return Path(script).stem if script else first


def is_utf8(text: str) -> bool:
    """Tell whether a name can be kept as text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(name: str) -> str:
    """Keep what a terminal prints: names are shown to others, and must not command their terminals."""
    return "".join(letter for letter in name if letter.isprintable())[:200]
