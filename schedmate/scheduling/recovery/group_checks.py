"""Two ways to test a group of nodes: nccl-tests where there are GPUs and the program, else plain sockets."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Protocol

from schedmate.clusters.managed import NODES, on_nodes
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.pinpoint import Group
from schedmate.scheduling.recovery.steps import Case
from schedmate.tools.ring import fault_in

SIZES = ("-b", "8M", "-e", "64M", "-f", "2")
WRONG = re.compile(r"Out of bounds values\s*:\s*[1-9]")

RANK = re.compile(r"^#\s+Rank\s+(\d+)\b", re.MULTILINE)
"""A row of nccl-tests' list of those that take part; one test has one list, whatever the number of nodes."""
RING_LIMIT_S = 120.0
PROBE_LIMIT_S = 60.0


class GroupCheck(Protocol):
    """Tests a group of nodes together."""

    name: str

    @property
    def sees(self) -> str:
        """Say what it can find, and what it cannot."""
        ...

    @property
    def clears(self) -> frozenset[str]:
        """Give the kinds of fault (a diagnosis' subcategories) that are out of the question where it passes."""
        ...

    def passes(self, group: Group) -> bool:
        """Tell whether these nodes work together; what crashes, hangs or computes wrongly does not."""
        ...


class NcclCheck:
    """Runs the program that policy.toml names, with arguments of our own, on the GPUs of one group of nodes here."""

    sees = "GPUs, NVLink and the network between the nodes"
    clears = frozenset({"gpu", "nvlink", "network"})

    def __init__(self, program: str, devices: Mapping[str, tuple[int, ...]], limit_s: float) -> None:
        self.name = os.path.basename(program)
        self.program = program
        self.devices = devices
        self.limit_s = limit_s

    def passes(self, group: Group) -> bool:
        """Run one test."""
        visible = [device for node in group for device in self.devices[node]]
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
            "SCHEDMATE_NODES": ",".join(group),
            "CUDA_VISIBLE_DEVICES": ",".join(map(str, visible)),
        }
        answer = outcome([self.program, *SIZES, "-g", str(len(visible))], self.limit_s, environment)
        return answer is not None and not WRONG.search(answer)


class LaunchedNcclCheck:
    """Has the engine run it once on each node of a group, with all of the GPUs that are idle there.

    Built with MPI, and started by a launcher that speaks it, the copies are one test; else each tests its own node, and
    then nobody is cleared of a fault of the network.
    """

    def __init__(
        self, program: str, devices: Mapping[str, tuple[int, ...]], launcher: Sequence[str], limit_s: float
    ) -> None:
        self.name = os.path.basename(program)
        self.program = program
        self.devices = devices
        self.launcher = launcher
        self.limit_s = limit_s
        self.is_apart = False
        """Whether a group of several nodes was seen to be tested one by one."""

    @property
    def sees(self) -> str:
        """Say what it can find, by what it has done so far."""
        return "GPUs and NVLink within each node" if self.is_apart else NcclCheck.sees

    @property
    def clears(self) -> frozenset[str]:
        """Say of what a node is cleared."""
        return NcclCheck.clears - {"network"} if self.is_apart else NcclCheck.clears

    def passes(self, group: Group) -> bool:
        """Run one test; every node of a group gives as many GPUs as the poorest has."""
        each = min(len(self.devices[node]) for node in group)
        answer = outcome([*on_nodes(self.launcher, group), self.program, *SIZES, "-g", str(each)], self.limit_s)
        if answer is None or WRONG.search(answer):
            return False
        ranks = {int(rank) for rank in RANK.findall(answer)}
        if len(group) > 1 and len(ranks) <= each:
            self.is_apart = True
        return True


class RingCheck:
    """Sends bytes around the nodes over plain sockets."""

    name = "socket ring check"
    sees = "hosts and the network between them, neither GPUs nor NVLink"
    clears = frozenset({"network"})

    def __init__(self, reach: Sequence[str], limit_s: float, addresses: Mapping[str, str] | None = None) -> None:
        self.reach = reach
        self.limit_s = min(limit_s, RING_LIMIT_S)
        self.addresses = addresses or {}

    def passes(self, group: Group) -> bool:
        """Let bytes go around."""
        return not fault_in(group, self.reach, self.limit_s, self.addresses)


def outcome(command: Sequence[str], limit_s: float, environment: Mapping[str, str] | None = None) -> str | None:
    """Run a test and give what it printed; None where it failed, hung or could not be started."""
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=limit_s, check=False
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    return answer.stdout if answer.returncode == 0 else None


def check_for(rules: Rules, case: Case, nodes: Group) -> GroupCheck:
    """Choose: nccl-tests need the program, and free GPUs on every node."""
    devices, limit_s = dict(case.idle), rules.recovery.check_limit_s
    are_free = all(devices.get(node) for node in nodes)
    named = rules.tools.nccl_test
    if not case.here:
        witnesses = [node for node in case.spares if devices.get(node)]
        everywhere = [*on_nodes(case.launcher, (*nodes, *witnesses)), "sh", "-c", 'command -v "$0"', named]
        if named and are_free and outcome(everywhere, PROBE_LIMIT_S) is not None:
            return LaunchedNcclCheck(named, devices, case.launcher, limit_s)
        reach = shlex.split(rules.tools.reach)
        return RingCheck([*reach, NODES] if reach else case.launcher, limit_s, dict(case.addresses))
    program = shutil.which(named)
    if program is not None and are_free:
        return NcclCheck(program, devices, limit_s)
    return RingCheck([*shlex.split(rules.tools.reach), NODES] if rules.tools.reach else (), limit_s)
