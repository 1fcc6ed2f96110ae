"""`schedmate slurm`: what a site puts into Slurm for SchedMate, and how it takes everything back."""

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.saying import say
from schedmate.counts import how_many

if TYPE_CHECKING:
    from schedmate.clusters.slurm.hooks import Hooks

app = typer.Typer(help="Install optional hooks for Slurm, and remove them again.", no_args_is_help=True)
CONF = typer.Option(None, "--conf", help="slurm.conf; else SLURM_CONF, else /etc/slurm/slurm.conf.")
SPOOL = typer.Option(
    Path("/var/spool/schedmate"), "--spool", help="Where hooks and service leave notes for each other."
)
FOLDER = typer.Option(Path("/etc/schedmate/slurm"), "--folder", help="Where the hooks are placed.")
PLACE = typer.Option(False, "--place", help="Also the submit plugin, which holds jobs for the policy to place.")


@app.command()
def install(
    dry_run: bool = typer.Option(False, "--dry-run", help="Print what would be written, and write nothing."),
    conf: Path | None = CONF,
    spool: Path = SPOOL,
    folder: Path = FOLDER,
    place: bool = PLACE,
    user: str = typer.Option("schedmate", "--user", help="The account that the service runs as."),
) -> None:
    """Place the epilog, the task prolog, the systemd unit, and with --place the submit plugin.

    Examples: schedmate slurm install --dry-run; sudo schedmate slurm install && sudo scontrol reconfigure
    """
    hooks = hooks_of(conf, spool, folder, place, user)
    if dry_run:
        say(hooks.preview())
        return
    for path in hooks.install():
        say(f"written: {path}")
    if os.geteuid() == 0:
        owner(spool, user)
    say("scontrol reconfigure makes Slurm read it; the service begins with systemctl link and enable of its unit")


@app.command()
def uninstall(conf: Path | None = CONF, spool: Path = SPOOL, folder: Path = FOLDER) -> None:
    """Remove what install has placed, and nothing else.

    Example: sudo schedmate slurm uninstall && sudo scontrol reconfigure
    """
    for path in hooks_of(conf, spool, folder, True, "schedmate").uninstall():
        say(f"taken back: {path}")


@app.command()
def reset() -> None:
    """Reset every priority and list of excluded nodes that was set; drained nodes are resumed with undo.

    Example: schedmate slurm reset
    """
    from contextlib import closing

    from schedmate.clusters.slurm.commands import Commands
    from schedmate.clusters.slurm.reset import reset as take_back
    from schedmate.errors import InputError
    from schedmate.history.live import LiveStore
    from schedmate.scheduling.live.presence import is_up
    from schedmate.settings import get_settings

    with closing(LiveStore(get_settings().data_dir)) as store:
        if is_up(store.data_dir):
            raise InputError("a loop is up, which would set them again", "schedmate down")
        count = how_many(take_back(Commands(), store), "waiting job has its", "waiting jobs have their")
        say(f"{count} own priority again")


def hooks_of(conf: Path | None, spool: Path, folder: Path, place: bool, user: str) -> "Hooks":
    """Describe an installation."""
    from schedmate.clusters.slurm.hooks import Hooks
    from schedmate.errors import InputError
    from schedmate.settings import get_settings
    from schedmate.tools.python_children import INTERPRETER

    found = conf or Path(os.environ.get("SLURM_CONF", "/etc/slurm/slurm.conf"))
    if not found.is_file():
        raise InputError(f"there is no file {found}", "name it with --conf")
    program = shutil.which("schedmate") or f"{INTERPRETER} -P -m schedmate"
    values = {"user": user, "data": str(get_settings().data_dir), "program": program}
    return Hooks(found, spool, folder, place, values)


def owner(spool: Path, user: str) -> None:
    """Let the service write its notes, where its account is there already."""
    try:
        shutil.chown(spool, user)
        shutil.chown(spool / "checkpoints", user)
    except LookupError:
        say(f"there is no account {user} yet: chown {spool} and {spool}/checkpoints to it", err=True)
