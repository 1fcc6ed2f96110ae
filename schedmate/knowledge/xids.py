"""NVIDIA's Xid table (GPU driver) and SXid table (NVSwitch driver), each code made an entry of the catalogue."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schedmate.knowledge.csv_tables import csv_rows

HERE = Path(__file__).parent

XID_LITERALS = ("Xid", "XID", "xid")

REMEDY = {
    "restart": "Restart the job. If the same GPU reports it again, drain the node and run dcgmi diag -r 3.",
    "program": "Do not restart unchanged: run with CUDA_LAUNCH_BLOCKING=1 or compute-sanitizer to find the kernel. "
    "If other programs fault on the same GPU too, run dcgmi diag -r 3.",
    "reset": "Restart the job without this GPU. Drain the node, reset the GPU (nvidia-smi --gpu-reset) or reboot, "
    "then run dcgmi diag -r 3.",
    "reboot": "Restart the job on another node. Drain this one, power-cycle it, run dcgmi diag -r 3, and hand the GPU "
    "to the vendor if it comes back.",
    "replace": "Restart the job without this GPU. Drain the node, collect nvidia-bug-report.sh and have the board "
    "checked.",
    "nvlink": "Restart the job on another node. Drain this one, look at nvidia-smi nvlink -e and the fabric manager's "
    "log, reset all GPUs of the node together.",
    "firmware": "Restart the job elsewhere. Bring driver and firmware of this node to versions that fit each other.",
    "follow": "Look for the Xid, kernel or program error just before it and follow that one.",
    "ignore": "Nothing to do; look for the cause elsewhere.",
}
"""What to do, by the word the table uses; NVIDIA's catalogue names the same few remedies."""

XID_SOURCE = "NVIDIA Xid Errors, docs.nvidia.com/deploy/xid-errors; nverror.h of open-gpu-kernel-modules"
SXID_SOURCE = "NVIDIA Fabric Manager User Guide, NVSwitch SXid errors; error_nvswitch.h of open-gpu-kernel-modules"
SEVERITY = {
    "fatal": "Traffic through the switch or one of its links is lost, and jobs whose GPUs talk over it die or hang.",
    "non-fatal": "The switch works on; if jobs died, a GPU or link error beside it is the cause.",
    "info": "It ends a warning and is no failure.",
}


def xid_entries() -> Iterator[dict[str, Any]]:
    """Make one entry a code, in the form of those in TOML; an Xid that stands alone decides, by the table's role."""
    for row in csv_rows(HERE / "xid.csv"):
        code = row["code"]
        yield {
            "id": f"gpu.xid_{code}",
            "pattern": xid_pattern(code),
            "role": row["role"],
            "category": row["category"],
            "subcategory": row["subcategory"] or None,
            "restart": row["restart"],
            "weight": float(row["weight"]),
            "literal": XID_LITERALS,
            "meaning": row["meaning"],
            "action": REMEDY[row["remedy"]],
            "source": XID_SOURCE,
            "sample": (f"NVRM: Xid (PCI:0000:3b:00): {code}, {row['message']}",),
            "near_miss": (
                f"NVRM: Xid (PCI:0000:3b:00): {code}0, {row['message']}",
                f"nvidia-nvswitch2: SXid (PCI:0000:c3:00.0): {code}, Non-fatal, Link 44",
            ),
        }


def xid_pattern(code: str) -> str:
    """Cover the kernel's line, the Kubernetes device plugin's, DCGM's and prose; the code must stand alone."""
    where = r"(?: \((?:PCI:)?(?:(?P<pci>[0-9A-Fa-f:.]{7,})|[^)\s]{1,16})(?: GPU-I:\w+)?\))?"
    joint = r"(?:(?i: errors?| code| event| number| id)*\)?(?::|=| =| :|,| #)?\s?|_ERRORS?\{[^}]*\}[ :=]+)"
    board = r"(?:on|for) (?:(?:Device=)?(?P<device>GPU-[\w-]+)|GPU:? ?(?P<gpu>\d+))"
    which = rf"(?:.{{1,40}}?(?:\b{board}|\bpid='?(?P<pid>\d+)))?"
    return rf"(?:^|[^0-9A-Za-z])(?:Xid|XID|xid){where}{joint}{code}\b{which}"


def sxid_entries() -> Iterator[dict[str, Any]]:
    """Make one entry a code; only what the switch calls fatal takes a link down, the rest accompanies."""
    for row in csv_rows(HERE / "sxid.csv"):
        code, severity = row["code"], row["severity"]
        fatal = severity == "fatal"
        well = severity == "info"
        said = {"fatal": "Fatal, ", "non-fatal": "Non-fatal, ", "info": ""}[severity]
        yield {
            "id": f"nvlink.sxid_{code}",
            "pattern": rf"SXid \((?:PCI:)?(?P<pci>[0-9A-Fa-f:.]+)\): {code}(?:, (?:\w|-)+, Link (?P<link>\d+)|\D|$)",
            "role": "root" if fatal else "health" if well else "cascade",
            "category": "none" if well else "infrastructure",
            "subcategory": None if well else "nvlink",
            "restart": "no" if well else "elsewhere",
            "weight": 0.93 if fatal else 0.0 if well else 0.35,
            "literal": "SXid",
            "meaning": f"The NVSwitch reported: {row['message']} ({severity}). " + SEVERITY[severity],
            "action": REMEDY["nvlink" if fatal else "ignore" if well else "follow"],
            "source": SXID_SOURCE,
            "sample": (f"nvidia-nvswitch3: SXid (PCI:0000:c5:00.0): {code}, {said}Link 28 {row['message']} (First)",),
            "near_miss": (
                f"nvidia-nvswitch3: SXid (PCI:0000:c5:00.0): {code}7, {said}Link 28 {row['message']}",
                f"NVRM: Xid (PCI:0000:c5:00): {code}, {row['message']}",
            ),
        }
