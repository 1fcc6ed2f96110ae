"""What the machine itself tells of its health: file systems, memory, clock, links, and the kernel's own log.

Only what no job can write counts as a fault. A full disk is none: any job can fill one, so it is told and proves
nothing. The kernel quotes names of programs, 15 letters that a job may choose: no pattern can be met by such a name.
"""

import ctypes
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Literal, NamedTuple

import re2

from schedmate.counts import how_many

Area = Literal["disk", "memory", "clock", "network", "kernel"]

HANG_S = 10.0
"""A file system that tells nothing of itself for so long hangs."""
FULL_SHARE, LOW_MEMORY_SHARE = 0.01, 0.02
TIME_ERROR = 5
MOST_RECORDS = 65_536
KERNEL_SAYS = re2.compile(
    r"^(?:mce: )?\[Hardware Error\]|^EDAC \w+: \d+ UE \w[\w ]* on |^pcieport \S+: (?:AER|DPC): .*(?:Fatal|Uncorrect)"
    r"|^(?:blk_update_request: )?(?:critical medium|critical target|I/O) error, dev (?:sd|nvme|vd|hd|md)\w+"
    r"|^EXT4-fs \([\w-]+\): Remounting filesystem read-only|^BTRFS \w+ \(device \S+\): forced readonly"
    r"|^XFS \([\w-]+\): .*Shutting down filesystem"
)


class Look(NamedTuple):
    """What was seen of an area."""

    faults: list[str]
    """What speaks against the machine."""
    doubts: list[str]
    """What is not well, and might be a job's doing; nobody is cleared by it and nobody found."""
    blind: str = ""
    """Why nothing could be seen."""


def look(area: Area, root: Path = Path("/"), since_s: float = 0.0) -> Look:
    """Look at one area; `root` is where the machine's files are."""
    if area == "disk":
        return disks([root, root / "tmp", root / "var/tmp", root / "dev/shm"])
    if area == "memory":
        return memory(root)
    if area == "network":
        return links(root / "sys/class/net", root / "sys/class/infiniband")
    return clock() if area == "clock" else kernel_log(root / "dev/kmsg", since_s)


def disks(places: list[Path]) -> Look:
    """Ask the node's own file systems; those of jobs are the jobs' affair."""
    seen = Look([], [])
    for place in places:
        told: list[os.statvfs_result] = []
        asker = Thread(target=ask_file_system, args=(place, told), daemon=True)
        asker.start()
        asker.join(HANG_S)
        if asker.is_alive():
            seen.faults.append(f"{place} does not answer")
        for one in told:
            if one.f_flag & os.ST_RDONLY and place.name in ("tmp", "shm"):
                seen.faults.append(f"{place} is read-only")
            if one.f_bavail < FULL_SHARE * one.f_blocks or (one.f_files and not one.f_favail):
                seen.doubts.append(f"{place} is full, by whom is not known")
    return seen


def ask_file_system(place: Path, told: list[os.statvfs_result]) -> None:
    """Ask one file system; one that is not there tells nothing."""
    with suppress(OSError):
        told.append(os.statvfs(place))


def memory(root: Path) -> Look:
    """Ask the memory controllers for errors that they could not correct, and the kernel for what is left."""
    seen = Look([], [])
    for counter in sorted((root / "sys/devices/system/edac/mc").glob("mc*/ue_count")):
        if number := number_in(counter):
            seen.faults.append(f"{counter.parent.name}: {how_many(number, 'uncorrected memory error')}")
    try:
        lines = (root / "proc/meminfo").read_text().splitlines()
    except OSError as error:
        return seen._replace(blind=f"memory cannot be seen: {error.strerror}")
    sizes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if rest.split()}
    if sizes.get("MemAvailable", 1) < LOW_MEMORY_SHARE * sizes.get("MemTotal", 0):
        seen.doubts.append("hardly any memory is left")
    return seen


def clock() -> Look:
    """Ask the kernel whether its clock follows another."""
    state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(256))
    if state < 0:
        return Look([], [], "the clock cannot be seen")
    return Look(["its clock follows no other"] if state == TIME_ERROR else [], [])


def links(ethernet: Path, infiniband: Path) -> Look:
    """Ask adapters that are switched on for links that are down."""
    seen = Look([], [])
    for adapter in sorted(ethernet.glob("*/device")):
        state = word_in(adapter.parent / "operstate")
        flags = word_in(adapter.parent / "flags")
        if state == "down" and flags.startswith("0x") and int(flags, 16) & 1:
            seen.faults.append(f"{adapter.parent.name} is down")
    for port in sorted(infiniband.glob("*/ports/*/state")):
        if (state := word_in(port)) and "ACTIVE" not in state:
            seen.faults.append(f"{port.parents[2].name} port {port.parent.name} is {state}")
    return seen


def kernel_log(path: Path, since_s: float) -> Look:
    """Read what the kernel itself has said of broken parts; what programs write into its log bears another mark."""
    try:
        source = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return Look([], [], f"the kernel's log cannot be read: {error.strerror}")
    booted_s = time.time() - time.monotonic()
    faults: dict[str, None] = {}
    try:
        for record in records(source):
            head, _, words = record.partition(";")
            fields = head.split(",")
            if len(fields) < 3 or not (fields[0].isdecimal() and fields[2].isdecimal()):
                continue
            is_kernels, at_s = int(fields[0]) >> 3 == 0, booted_s + int(fields[2]) / 1e6
            if is_kernels and at_s >= since_s and KERNEL_SAYS.search(words):
                faults[f"the kernel says: {words[:120]}"] = None
    finally:
        os.close(source)
    return Look(list(faults)[:8], [])


def records(source: int) -> Iterator[str]:
    """Read records until there are no more; the device gives one at a time."""
    for _ in range(MOST_RECORDS):
        try:
            data = os.read(source, 1 << 16)
        except BrokenPipeError:
            continue  # overwritten while we read
        except OSError:
            return
        if not data:
            return
        yield from data.decode("utf-8", "replace").splitlines()


def word_in(path: Path) -> str:
    """Read a short file; empty when it tells nothing."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def number_in(path: Path) -> int:
    """Read a counter; 0 when it tells nothing."""
    word = word_in(path)
    return int(word) if word.isdecimal() else 0
