"""A job's GPUs are its own: those of others cannot be opened by it, or it is said why they can.

Where the job has a control group, a program in the kernel refuses their device files to all that is in it. Else a
file that nobody may open takes their place, in a view of the file system that is the job's alone. Nothing but the
standard library: it works between fork and exec, as root.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from contextlib import suppress

CLONE_NEWNS = 0x20000
MS_BIND, MS_REC, MS_SLAVE = 4096, 16384, 1 << 19
DRIVER = "/proc/driver/nvidia/gpus"
DEVICES = "/dev"

MAJOR, CONTROL = 195, 248
"""The driver's number of all its files, and the least of those that are no GPU's but what all share."""
BPF = {"x86_64": 321, "aarch64": 280, "ppc64le": 361}
"""The number of the system call."""
LOAD, ATTACH, OF_DEVICES, TO_DEVICES, AMONG_OTHERS = 5, 8, 15, 6, 2


def lock(allowed: Iterable[int], group: str, closed: str) -> str:
    """Lock the GPUs of others away; say what was not locked: the job goes on, as it would with no locks at all."""
    try:
        minors = minors_of()
        mine = {minors[number] if number < len(minors) else number for number in allowed}
        if group and not refuse_others(mine, group):
            return ""
        return hide_others(mine, closed)
    except (OSError, AttributeError, KeyError) as error:
        return f"the GPUs of others are not locked: {error}"


def numbered_anew(environment: dict[str, str]) -> dict[str, str]:
    """Count a job's GPUs as the driver does for who can open no others: from 0."""
    count = len(environment.get("CUDA_VISIBLE_DEVICES", "").split(","))
    return {**environment, "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(count)))}


def minors_of(driver: str = DRIVER) -> list[int]:
    """Give the numbers of the GPUs' device files, in the order in which GPUs are counted, which is that of the bus."""
    found = []
    with suppress(OSError, ValueError):
        for bus in sorted(os.listdir(driver)):
            with open(f"{driver}/{bus}/information") as file:
                told = dict(line.split(":", 1) for line in file if ":" in line)
            found.append(int(told.get("Device Minor", "")))
        return found
    return []


def refuse_others(mine: Iterable[int], group: str) -> str:
    """Keep all that is in a control group from opening other GPUs, also those that come later; say why not."""
    program = device_program(mine)
    code, name = ctypes.create_string_buffer(program), ctypes.create_string_buffer(b"GPL")
    attributes = struct.pack(
        "=IIQQIIQII", OF_DEVICES, len(program) // 8, ctypes.addressof(code), ctypes.addressof(name), 0, 0, 0, 0, 0
    )
    loaded = ask_kernel(LOAD, attributes)
    if loaded < 0:
        return os.strerror(ctypes.get_errno())
    folder = os.open(group, os.O_RDONLY | os.O_DIRECTORY)
    try:
        done = ask_kernel(ATTACH, struct.pack("=IIII", folder, loaded, TO_DEVICES, AMONG_OTHERS))
        return os.strerror(ctypes.get_errno()) if done < 0 else ""
    finally:
        os.close(folder)
        os.close(loaded)


def ask_kernel(command: int, attributes: bytes) -> int:
    """Call `bpf`; below zero where it refuses."""
    libc = ctypes.CDLL(None, use_errno=True)
    given = ctypes.create_string_buffer(attributes, 128)
    return int(libc.syscall(BPF[os.uname().machine], command, ctypes.byref(given), 128))


def device_program(mine: Iterable[int]) -> bytes:
    """Write the kernel's program: device files of the driver's are refused, but for these and what all share.

    Each step is an operation, registers, how far it jumps, and a number. The kernel hands over what is to be opened as
    three numbers: its type in the lower half (2: characters), major, minor.
    """
    load, low_half, differs, equals, at_least, give, leave = 0x61, 0x54, 0x55, 0x15, 0x35, 0xB7, 0x95
    steps = [(load, 0x12, 0, 0), (low_half, 2, 0, 0xFFFF), (differs, 2, "allow", 2)]
    steps += [(load, 0x12, 4, 0), (differs, 2, "allow", MAJOR)]
    steps += [(load, 0x12, 8, 0), (at_least, 2, "allow", CONTROL)]
    steps += [(equals, 2, "allow", minor) for minor in sorted(mine)]
    steps += [(give, 0, 0, 0), (leave, 0, 0, 0), (give, 0, 0, 1), (leave, 0, 0, 0)]
    allow, packed = len(steps) - 2, b""
    for place, (operation, registers, offset, number) in enumerate(steps):
        jump = allow - place - 1 if offset == "allow" else offset
        packed += struct.pack("=BBhi", operation, registers, jump, number)
    return packed


def hide_others(mine: Iterable[int], closed: str, folder: str = DEVICES) -> str:
    """Put a file that only root may open in the place of all other GPUs, in a view that is the job's alone.

    Without rights over the namespace nobody takes that back. Gives in words what was not locked; empty where all is.
    """
    numbers = {int(name[6:]) for name in os.listdir(folder) if name.startswith("nvidia") and name[6:].isdecimal()}
    hidden = [f"{folder}/nvidia{number}" for number in sorted(numbers.difference(mine))]
    if not hidden:
        return ""
    os.close(os.open(closed, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW, 0o000))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) or libc.mount(b"none", b"/", None, MS_REC | MS_SLAVE, None):
        return f"the GPUs of others are not locked: {os.strerror(ctypes.get_errno())}"
    source = os.fsencode(closed)
    left = [path for path in hidden if libc.mount(source, os.fsencode(path), None, MS_BIND, None)]
    return f"not locked: {' '.join(left)}: {os.strerror(ctypes.get_errno())}" if left else ""
