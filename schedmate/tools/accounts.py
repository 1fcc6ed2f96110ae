"""Accounts as the operating system knows them; what the environment says of the user is anybody's word."""

import grp
import os
import pwd


def account(uid: int) -> str:
    """Name an account."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"account {uid}"


def my_account() -> str:
    """Name the account that this process acts for."""
    return account(os.geteuid())


def groups_of(name: str) -> frozenset[str]:
    """Name the groups that an account is in, its own first one too; none for an account that is not there."""
    try:
        numbers = os.getgrouplist(name, pwd.getpwnam(name).pw_gid)
    except (KeyError, OSError):
        return frozenset()
    return frozenset(filter(None, map(group_name, numbers)))


def group_name(gid: int) -> str:
    """Name a group; empty where it has no name."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return ""
