"""Become the account that a job belongs to, for good: between fork and exec, by a runner or a reader that is root.

Nothing but the standard library, no shell, and no path of the user's is touched before the last line of `become`. What
is asked of the kernel is asked back afterwards: whoever could still return to root does not go on.
"""

import ctypes
import os
import pwd
import resource
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

CLONE_NEWNS = 0x20000
MS_BIND, MS_REC, MS_SLAVE = 4096, 16384, 1 << 19
DRIVER = "/proc/driver/nvidia/gpus"
LIMITS = {
    "core": resource.RLIMIT_CORE, "cpu": resource.RLIMIT_CPU, "data": resource.RLIMIT_DATA,
    "fsize": resource.RLIMIT_FSIZE, "memlock": resource.RLIMIT_MEMLOCK, "nofile": resource.RLIMIT_NOFILE,
    "nproc": resource.RLIMIT_NPROC, "stack": resource.RLIMIT_STACK, "as": resource.RLIMIT_AS,
}  # fmt: skip
"""Limits that a job takes over from the session that handed it in."""


class NotBecome(Exception):
    """Say why this process is not the account that it was to be; it must go no further."""


def become(who: Mapping[str, Any]) -> None:  # Any: JSON; each field is made what it has to be
    """Take on uid, gid, groups, umask and limits of an account; there is no way back."""
    name, uid, gid = str(who["name"]), int(who["uid"]), int(who["gid"])
    check_account(name, uid, gid)
    for limit, (soft, hard) in dict(who.get("limits", {})).items():
        lower(LIMITS[limit], int(soft), int(hard))
    os.umask(int(who.get("umask", 0o077)) & 0o777)
    os.initgroups(name, gid)
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid,) * 3 or os.getresgid() != (gid,) * 3:
        raise NotBecome(f"this process did not become {name}")
    if uid:
        with suppress(PermissionError):
            os.setuid(0)
            raise NotBecome(f"this process became {name}, and could become root again")


def check_account(name: str, uid: int, gid: int) -> None:
    """Refuse an account that is not what it was when the job came: gone, renumbered, or out of a group."""
    try:
        found = pwd.getpwuid(uid)
    except KeyError:
        raise NotBecome(f"there is no account with the number {uid} any more") from None
    if found.pw_name != name:
        raise NotBecome(f"the account {uid} is {found.pw_name} now, and was {name}")
    if gid not in os.getgrouplist(name, found.pw_gid):
        raise NotBecome(f"{name} is not in the group {gid} any more")


def lower(limit: int, soft: int, hard: int) -> None:
    """Set a limit as the session had it, but never above what the service itself has."""
    _, most = resource.getrlimit(limit)
    hard = least(hard, most)
    resource.setrlimit(limit, (least(soft, hard), hard))


def least(one: int, other: int) -> int:
    """Give the lower limit; none at all is the highest."""
    if resource.RLIM_INFINITY in (one, other):
        return other if one == resource.RLIM_INFINITY else one
    return min(one, other)


def session_limits() -> dict[str, tuple[int, int]]:
    """Give the limits of this session, for a job that is handed in from it."""
    return {name: resource.getrlimit(limit) for name, limit in LIMITS.items()}


def lock_gpus(allowed: list[int], folder: str = "/dev", driver: str = DRIVER) -> str:
    """Put nothing in the place of all other GPUs, in a view of the file system that is the job's alone; root only.

    Without rights over the namespace nobody takes that back. Gives in words what was not locked; empty where all is.
    """
    minors = minors_of(driver)
    mine = {minors[number] if number < len(minors) else number for number in allowed}
    others = sorted(int(name[6:]) for name in os.listdir(folder) if name.startswith("nvidia") and name[6:].isdecimal())
    hidden = [f"{folder}/nvidia{number}" for number in others if number not in mine]
    if not hidden:
        return ""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) or libc.mount(b"none", b"/", None, MS_REC | MS_SLAVE, None):
        return f"the GPUs of others are not locked: {os.strerror(ctypes.get_errno())}"
    left = [path for path in hidden if libc.mount(b"/dev/null", os.fsencode(path), None, MS_BIND, None)]
    return f"not locked: {' '.join(left)}: {os.strerror(ctypes.get_errno())}" if left else ""


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
