"""Choose the command that looks at the part in question."""

from pathlib import PurePosixPath

from schedmate.schemas import Diagnosis
from schedmate.tools.late_patterns import late

CHECK = {
    "gpu": "dcgmi diag -r 2",
    "nvlink": "nvidia-smi nvlink -e",
    "network": "ibstat",
    "node": "dmesg -T --level=emerg,alert,crit,err",
}
CHECK_BY_MAKER = {
    "gpu.amd": "rocm-smi --showrasinfo all",
    "gpu.rocm": "rocm-smi --showrasinfo all",
    "gpu.hip": "rocm-smi --showrasinfo all",
    "gpu.habana": "hl-smi -q",
    "gpu.ascend": "npu-smi info -t health -i 0",
    "gpu.tpu": "tpu-info",
}
NCCL_TEST = "all_reduce_perf -b 8M -e 1G -f 2 -g 8"
DISK_FULL = "storage.disk_full"

DISK_SPACE = "df -h --output=source,fstype,target,avail,pcent,iavail,ipcent"
"""Room and inodes at once, and the kind of file system: nfs, lustre and the like are shared."""
NAME = r"[A-Za-z0-9_][A-Za-z0-9_.+=@,-]{0,100}"
CLEAN = rf"/{NAME}(?:/{NAME}){{0,20}}"

PATH = late(rf"(?P<mark>['\"`])({CLEAN})/?(?P=mark)|(?:^|[\s(=])({CLEAN})(?=[/):;,.]{{0,2}}(?:\s|$))")
"""A path in which a shell sees nothing but letters, in quotes as a whole or between blanks."""
SPEAKER = late(r"^\s{0,20}/[^\s:]{1,300}:\s")
"""The program or script that complains, `/usr/bin/ld: ...`: where it lies is not what is full."""
OWN = tuple(map(PurePosixPath, ("/tmp", "/var", "/run", "/dev/shm")))
"""What each node has for itself."""


def check_for(diagnosis: Diagnosis) -> str:
    """Choose the command; boards have their maker's tool, and a full disk is looked at where it is full."""
    failure = diagnosis.failure_id or ""
    if failure == DISK_FULL:
        return f"{DISK_SPACE} {place}" if (place := full_folder(diagnosis)) else DISK_SPACE
    made = (check for prefix, check in CHECK_BY_MAKER.items() if failure.startswith(prefix))
    return next(made, CHECK[diagnosis.subcategory or "node"])


def full_folder(diagnosis: Diagnosis) -> str:
    """Take from the quote the folder that is full, where it names one clean path and nothing that looks odd."""
    told = SPEAKER.sub("", diagnosis.root_excerpt)
    found = {match[2] or match[3] for match in PATH.finditer(told)}
    if len(found) != 1:
        return ""
    path = PurePosixPath(found.pop())
    return str(path.parent if path.suffix and path.parent.name else path)  # a file that was cut short may be gone


def shared_disk(diagnosis: Diagnosis) -> str:
    """Name what is full where it may be shared storage, so that another node would find it full too."""
    if diagnosis.failure_id != DISK_FULL:
        return ""
    folder = full_folder(diagnosis)
    if folder and any(PurePosixPath(folder).is_relative_to(own) for own in OWN):
        return ""
    return folder or "the full file system"
