"""Which Slurm answers here: asked once, where something hangs on it."""

import re
from collections.abc import Sequence
from functools import cache

from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.dialects import FIELDS_SINCE
from schedmate.errors import SchedMateError

FOUND = re.compile(r"(?:^slurm[\w-]* |^SLURM_VERSION *= )(\d{1,3})\.(\d{1,3})", re.MULTILINE)

NEWEST = (999, 0)
"""What is taken for the version where no Slurm tells it."""


@cache
def version() -> tuple[int, int]:
    """Ask which Slurm this is; that needs no controller."""
    try:
        return version_in(Commands().run("sinfo", "--version"))
    except SchedMateError:
        return NEWEST


def version_in(text: str) -> tuple[int, int]:
    """Read a version as commands tell it: `slurm-wlm 22.05.8`, or `SLURM_VERSION = 22.05.8` of a configuration."""
    found = FOUND.search(text)
    return (int(found[1]), int(found[2])) if found else NEWEST


def known_of(fields: Sequence[str]) -> tuple[str, ...]:
    """Leave out the fields of sacct that this Slurm does not have."""
    return tuple(name for name in fields if name not in FIELDS_SINCE or version() >= FIELDS_SINCE[name])
