"""Where the groups of runs are made: beside ours, or where systemd rules, in a scope that it hands over to us.

A scope of their own rather than the service's group: systemd starts no service anew in a group that shares out memory
and processors, and jobs outlive the loop. The scope lives as long as a process in it: the keeper's, of `runner.cgroup`.
"""

import os
import subprocess
import time
from contextlib import suppress

from schedmate.clusters.runner import cgroup
from schedmate.tools.python_children import standalone

PATIENCE_S = 10.0

RUN = (
    "systemd-run", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--property=TasksMax=infinity",
    "--property=KillSignal=SIGKILL",
)  # fmt: skip
"""When the machine goes down jobs go at once with their runners: the next loop finds them vanished, not failed."""
KEEPER = cgroup.__file__


class RunScope:
    """The folder in which the groups of a store's runs are made, held open until it is closed."""

    def __init__(self, identity: str) -> None:
        self.keeper: subprocess.Popen[bytes] | None = None
        self.unit = f"schedmate-{identity[:16]}.scope"
        self.folder = cgroup.own_place() or self.own()

    def hold(self) -> str:
        """Give the folder, made anew where somebody has ended the scope with all that was in it."""
        if self.folder and not os.path.isdir(self.folder):
            self.close()
            self.folder = self.own()
        return self.folder

    def own(self) -> str:
        """Enter the scope, or have one made; empty where none is to be had."""
        if not os.path.isdir(cgroup.BOOTED):
            return ""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            there = place_of(self.unit)
            start = standalone(KEEPER, there) if there else [*RUN, *whose(), f"--unit={self.unit}", *standalone(KEEPER)]
            try:
                self.keeper = subprocess.Popen(
                    start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )  # fmt: skip
            except OSError:
                return ""
            assert self.keeper.stdout is not None
            folder = self.keeper.stdout.readline().decode(errors="replace").strip()
            if folder and may_enter(folder):
                return folder
            self.close()
            if not there:
                return ""
            time.sleep(0.1)  # it went away meanwhile: the last of its runs had ended
        return ""

    def close(self) -> None:
        """Let go of it; it goes with the last of its runs."""
        if self.keeper is not None:
            for pipe in (self.keeper.stdin, self.keeper.stdout):
                assert pipe is not None
                pipe.close()
            with suppress(subprocess.TimeoutExpired):
                self.keeper.wait(0.2)
            self.keeper = None


def whose() -> list[str]:
    """Name the manager that we may ask: root has the machine's, others have their own."""
    return ["--system" if os.geteuid() == 0 else "--user"]


def place_of(unit: str) -> str:
    """Give a scope's folder; empty where there is none."""
    asked = ["systemctl", *whose(), "show", "--property=ControlGroup", "--value", unit]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE_S, check=False).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
    folder = cgroup.folder_of(said) if said else ""
    return folder if os.path.isdir(folder) else ""


def may_enter(folder: str) -> bool:
    """Tell whether a process of ours may go from our group into another: it takes rights over what holds both."""
    ours = cgroup.own_folder()
    return bool(ours) and os.access(f"{os.path.commonpath([ours, folder])}/cgroup.procs", os.W_OK)
