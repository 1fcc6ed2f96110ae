"""Ask a node's GPUs how they are: NVML, and dcgmi where it is installed."""

import shutil
import subprocess
from collections.abc import Sequence

from schedmate.errors import SchedMateError
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.steps import Case, Ground, Plain
from schedmate.tools.gpus import Gpus

HOT_C = 95.0


class CheckFailed(SchedMateError):
    """Say that a node is at fault; the engine takes the nodes from `nodes`."""

    def __init__(self, message: str, nodes: tuple[str, ...]) -> None:
        super().__init__(message)
        self.nodes = nodes


class CheckPassed(str):
    """A result that speaks for the nodes that were looked at."""


class HealthCheck(Plain):
    """What no driver tells is no evidence either way: without NVML the check says nothing."""

    kind = "health_check"
    slow = True

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say where."""
        return f"check the GPUs of {row.target}: {row.reason}"

    def run(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Look at every GPU, then let dcgmi test them."""
        devices = [device for node, each in case.devices if node in row.target.split(",") for device in each]
        faults, seen = look(devices) if devices else None, []
        if faults is not None:
            seen.append("NVML")
        program = shutil.which(ground.rules.tools.dcgmi) if devices else None
        if program is not None:
            seen.append("dcgmi")
            answer = subprocess.run(
                [program, "diag", "-r", "2", "-i", ",".join(map(str, devices))],
                capture_output=True,
                text=True,
                timeout=ground.rules.recovery.check_limit_s,
                check=False,
            )
            if answer.returncode:
                faults = [*(faults or []), f"dcgmi diag ended with {answer.returncode}"]
        if faults:
            raise CheckFailed("; ".join(faults), tuple(row.target.split(",")))
        return CheckPassed(f"{' and '.join(seen)} found nothing") if seen else "nothing here can look at GPUs"


def look(devices: Sequence[int]) -> list[str] | None:
    """List what NVML finds wrong with these GPUs; None without a driver."""
    gpus = Gpus()
    try:
        told = gpus.sample()
        if told is None:
            return None
        samples = [one for one in told if one.index in devices]
        faults = [f"GPU {device} is gone" for device in devices if device not in {one.index for one in samples}]
        faults += [
            f"GPU {one.index}: {one.ecc_uncorrected} uncorrected ECC errors" for one in samples if one.ecc_uncorrected
        ]
        faults += [f"GPU {one.index}: {one.temperature_c:.0f} C" for one in samples if (one.temperature_c or 0) > HOT_C]
        faults += [f"GPU {one.index}: Xid {xid}" for one in samples for xid in one.xids]
        faults += [f"GPU {one.index} does not answer" for one in samples if one.memory_total_gib is None]
        return faults
    finally:
        gpus.close()
