"""Become the account that a job belongs to, for good: between fork and exec, by a runner or a reader that is root.

Nothing but the standard library, no shell, and no path of the user's is touched before the last line of `become`. What
is asked of the kernel is asked back afterwards: whoever could still return to root does not go on.
"""

import os
import pwd
import resource
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

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
