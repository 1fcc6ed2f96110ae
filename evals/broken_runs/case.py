"""One run to be broken: launcher, size, style, fault and where its files lie."""

import os
import random
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.broken_runs.truths import INSIDE, OUTSIDE

ROOT = Path(__file__).parent.parent.parent
LAUNCHERS = ("torchrun", "mpirun", "srun", "srun -l", "ray", "two hosts")
PROGRAMS = {"mpirun": "mpirun", "srun": "slurmctld", "srun -l": "slurmctld", "two hosts": "ip"}
STYLES = ("plain", "dictionary", "json", "records", "lightning", "bar")
NEEDS_SLURM = {"time_limit", "cancel", "preempt"}
SMALL_DISK = {"disk_full", "read_only"}


@dataclass
class Case:
    """A run and its fate."""

    name: str
    launcher: str
    fault: str
    folder: Path
    ranks: int = 4
    victim: int = 1
    at: int = 40
    style: str = "plain"
    dump: bool = False
    """Append the kernel's report when all is over."""
    options: tuple[str, ...] = ()

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def program(self) -> list[str]:
        """Give the command of one process, without interpreter."""
        pace = "1.5" if self.fault in NEEDS_SLURM else "0.02"
        small = ["--lr-decay-7f3a", "0.1"] if self.fault == "bad_option" else []
        return ["-m", "evals.broken_runs.program", "--folder", str(self.folder), "--style", self.style, "--fault", self.fault,
                "--at", str(8 if self.fault in NEEDS_SLURM else self.at), "--victim", str(self.victim), "--pace", pace, "--steps", "400" if self.fault in OUTSIDE else "120", *self.options, *small]  # fmt: skip

    def environment(self) -> dict[str, str]:
        """Give a job's environment: gloo on loopback, this repository importable."""
        own = {
            "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "" if self.victim % 2 else "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()),
            "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }  # fmt: skip
        return {**os.environ, **own}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fits(launcher: str, fault: str) -> bool:
    """Say whether a fault can be met under a launcher."""
    if fault in NEEDS_SLURM:
        return launcher.startswith("srun")
    if (fault == "link_down") != (launcher == "two hosts"):
        return False
    role, _, _ = fault.partition("_")
    return not (launcher == "ray" and (role == "launcher" or fault in {"bad_option", "stopped_rank"}))


def plan(out: Path, seed: int, count: int, launchers: Sequence[str] = LAUNCHERS) -> list[Case]:
    """Draw cases: every fault in turn under a launcher that it fits, one in eight healthy."""
    dice = random.Random(seed)
    faults = [*INSIDE, *OUTSIDE]
    dice.shuffle(faults)
    cases = []
    for index in range(count):
        fault = "healthy" if index % 8 == 7 else faults[(index - index // 8) % len(faults)]
        fitting = [name for name in launchers if fits(name, fault)]
        if not fitting:
            continue
        launcher = dice.choice(fitting)
        folder = out / "work" / f"run_{index:03d}"
        ranks = dice.choice((4, 4, 4, 6, 8))
        case = Case(
            f"run_{index:03d}",
            launcher,
            fault,
            folder,
            ranks,
            dice.randrange(ranks),
            dice.randrange(30, 70),
            dice.choice(STYLES),
        )
        case.dump = fault == "memory" or dice.random() < 0.1
        cases.append(case)
    return cases


def python() -> str:
    """Give the interpreter that has torch: `.venv-torch`, or this one."""
    own = ROOT / ".venv-torch" / "bin" / "python"
    return str(own) if own.exists() else sys.executable
