"""`schedmate up`, `down`: the scheduling loop, on this machine or beside an engine."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import typer

from schedmate.choices import EngineChoice, RecoveryMode
from schedmate.cli.asking import shared_socket, show
from schedmate.cli.saying import complain, leave_open, say
from schedmate.counts import how_many
from schedmate.scheduling.policy_table import LIVE

PATIENCE_S = 120.0


def up(
    policy: str = typer.Option("schedmate", help=f"{', '.join(LIVE)}."),
    mode: RecoveryMode = typer.Option("observe", "--mode", help="Recovery: log only, wait for approve, or act."),
    slots: str = typer.Option("", "--slots", metavar="KIND=N", help="Slots of each node, as gpu=8; else: as found."),
    nodes: int = typer.Option(1, "--nodes", min=1, max=1000, help="Split this machine into so many nodes."),
    played: bool = typer.Option(False, "--played", help="Allow more slots than the machine has, for a trial."),
    spares: int = typer.Option(0, "--spares", min=0, help="How many of them to keep in reserve."),
    rules: Path | None = typer.Option(None, "--rules", help="policy.toml; else the one in the data directory, if any."),
    engine: EngineChoice = typer.Option("auto", "--engine", help="Who reads failed jobs' logs and jobs' code."),
    packing: bool = typer.Option(True, "--packing/--no-packing", help="Let two light jobs share GPUs."),
    stopping: bool = typer.Option(True, "--stopping/--no-stopping", help="Let jobs that have saved make room."),
    grace: float = typer.Option(10.0, "--grace", min=0.0, help="Seconds between SIGTERM and SIGKILL."),
    cluster: str = typer.Option("local", "--cluster", help="What runs the jobs: local (this machine), slurm, ray."),
    option: list[str] = typer.Option([], "--option", metavar="KEY=VALUE", help="An option of that cluster."),
    partition: str = typer.Option("", "--partition", metavar="NAMES", help="With slurm: only these partitions' jobs."),
    place: bool = typer.Option(False, "--place", help="With slurm: the policy chooses nodes, too."),
    shared: bool = typer.Option(False, "--shared", help="For all accounts of this machine; as root."),
    web: int | None = typer.Option(None, "--web", metavar="PORT", min=0, max=65535, help="Serve pages on this port."),
    allow_actions: bool = typer.Option(False, "--allow-actions", help="With --web: let operators act through pages."),
    unit: bool = typer.Option(False, "--unit", help="Print a systemd unit that runs such a loop, and exit."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing while it runs."),
) -> None:
    """Run the scheduling loop until `schedmate down`, Ctrl-C or a kill; jobs outlive it.

    Whatever ends the loop, the next `schedmate up` continues where it stopped: no job is lost and none runs twice.

    Examples: schedmate up; schedmate up --slots gpu=8 --mode act; schedmate up --slots cpu=2 --nodes 4 --spares 1
    """
    from schedmate.history.intact import StoreChanged
    from schedmate.scheduling.live.doorkeeping import DATA
    from schedmate.scheduling.live.service import ServiceOptions
    from schedmate.scheduling.live.serving import serve
    from schedmate.scheduling.live.this_machine import declare, smallest_gpu_mib
    from schedmate.scheduling.recovery.owner_rules import FILE_NAME, read_rules
    from schedmate.settings import get_settings, source_of

    if unit:
        say(service_unit())
        return
    data_dir, words = get_settings().data_dir, dict(word(one) for one in option)
    words |= {name: value for name, value in (("partition", partition), ("place", "yes" if place else "")) if value}
    socket = prepare_shared(words) if shared else None
    if shared and source_of("data_dir") == "default":
        data_dir = Path(DATA)
    read = read_rules(rules or data_dir / FILE_NAME, required=rules is not None)
    declared = declare(cluster, slots, nodes, played, spares, acts=mode == "act")
    options = ServiceOptions(
        data_dir, declared, policy, mode, engine, grace_s=grace, rules=read, spares=spares, sharing=packing,
        displacing=stopping, gpu_memory_mib=smallest_gpu_mib(declared), cluster=cluster, words=words, socket=socket,
    )  # fmt: skip
    try:
        with pages(data_dir, web, allow_actions):
            serve(options, silent if quiet else tell)
    except StoreChanged as error:
        complain(error.message, error.hint)
        leave_open()
    if not quiet:
        tell("down; jobs that run go on, and `schedmate up` takes them over")


@contextmanager
def pages(data_dir: Path, port: int | None, acts: bool) -> Iterator[None]:
    """Have pages served by a process of its own, which goes when we do, whatever ends us."""
    if port is None:
        yield
        return
    import subprocess

    from schedmate.tools.python_children import OURS, module_command, own_environment

    options = ["--port", f"{port}", "--with-input", *(["--allow-actions"] if acts else [])]
    child = subprocess.Popen(
        [*module_command("schedmate"), "web", *options], stdin=subprocess.PIPE, cwd=OURS, start_new_session=True,
        env={**own_environment(), "SCHEDMATE_DATA_DIR": str(data_dir)},
    )  # fmt: skip
    try:
        yield
    finally:
        assert child.stdin is not None
        child.stdin.close()
        child.wait()


def prepare_shared(words: dict[str, str]) -> Path:
    """See to it that a loop for all accounts can be safe; give where its door is to be."""
    from schedmate.scheduling.live.doorkeeping import LOGS, SOCKET, prepare
    from schedmate.settings import get_settings

    named = get_settings().socket
    socket = Path(SOCKET if named in ("auto", "none") else named)
    words.setdefault("logs", LOGS)
    prepare(socket, Path(words["logs"]))
    return socket


def service_unit() -> str:
    """Give the unit with the path of this very program."""
    from importlib.resources import files

    text = files("schedmate.knowledge").joinpath("systemd").joinpath("schedmate.service").read_text("utf-8")
    return text.replace("@SCHEDMATE@", os.path.realpath(sys.argv[0])).rstrip()


def word(text: str) -> tuple[str, str]:
    """Take an engine's own option apart."""
    from schedmate.errors import InputError

    key, equals, value = text.partition("=")
    if not key or not equals:
        raise InputError(
            f"--option '{text}' is not of the form KEY=VALUE",
            "docs/ray.md and docs/slurm.md list what each engine knows",
        )
    return key, value


def tell(text: str) -> None:
    """Print a line with the time; a terminal that has gone must not end the loop."""
    try:
        say(f"{datetime.now():%H:%M:%S} {text}")
        sys.stdout.flush()
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def silent(text: str) -> None:
    """Say nothing."""


def down() -> None:
    """Stop the loop; running jobs go on, and the next `schedmate up` takes them over.

    Example: schedmate down
    """
    from schedmate.errors import SchedMateError
    from schedmate.scheduling.live.presence import require_up, wait_until_down, whoever_is_up
    from schedmate.scheduling.live.stores import OwnStore
    from schedmate.settings import get_settings

    if shared_socket() is not None:
        show("down")
        return
    data_dir = get_settings().data_dir
    require_up(data_dir)
    store = OwnStore(data_dir)
    running = len(store.jobs(("running",)))
    store.ask("down", argument=whoever_is_up(data_dir))
    store.wake()
    store.close()
    if not wait_until_down(data_dir, PATIENCE_S):
        raise SchedMateError(
            f"the loop has not gone down within {PATIENCE_S:g} s", f"its process is named in {data_dir / 'up.lock'}"
        )
    say(f"down; {how_many(running, 'job runs', 'jobs run')} on" if running else "down; no job runs")
