"""Two ways to test a group of nodes: nccl-tests where there are GPUs and the program, else plain sockets."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Protocol

from schedmate.scheduling.recovery.pinpoint import Group
from schedmate.scheduling.recovery.rules import Rules
from schedmate.scheduling.recovery.steps import Case
from schedmate.tools.ring import fault_in

SIZES = ("-b", "8M", "-e", "64M", "-f", "2")
WRONG = re.compile(r"Out of bounds values\s*:\s*[1-9]")
RING_LIMIT_S = 120.0


class GroupCheck(Protocol):
    """Tests a group of nodes together."""

    name: str
    sees: str
    """What it can find, and what it cannot."""
    clears: frozenset[str]
    """Kinds of fault (a diagnosis' subcategories) that are out of the question where it passes."""

    def passes(self, group: Group) -> bool:
        """Tell whether these nodes work together; what crashes, hangs or computes wrongly does not."""
        ...


class NcclCheck:
    """Runs the program that policy.toml names, with arguments of our own, on the GPUs of one group."""

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
        command = [self.program, *SIZES, "-g", str(len(visible))]
        try:
            answer = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=self.limit_s, check=False
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            return False
        return answer.returncode == 0 and not WRONG.search(answer.stdout)


class RingCheck:
    """Sends bytes around the nodes over plain sockets."""

    name = "socket ring check"
    sees = "hosts and the network between them, neither GPUs nor NVLink"
    clears = frozenset({"network"})

    def __init__(self, reach: str, limit_s: float) -> None:
        self.reach = reach
        self.limit_s = min(limit_s, RING_LIMIT_S)

    def passes(self, group: Group) -> bool:
        """Let bytes go around."""
        return not fault_in(group, self.reach, self.limit_s)


def check_for(rules: Rules, case: Case, nodes: Group) -> GroupCheck:
    """Choose: nccl-tests need the program, and free GPUs on every node."""
    program, devices = shutil.which(rules.tools.nccl_test), dict(case.idle)
    if program is not None and all(devices.get(node) for node in nodes):
        return NcclCheck(program, devices, rules.recovery.check_limit_s)
    return RingCheck(rules.tools.reach, rules.recovery.check_limit_s)
