"""What an agent sees and does in gym's own environments; the tables are data."""

from typing import NamedTuple

import re2

from schedmate.knowledge.tables import table

IDENTITY = re2.compile(r"(?:ALE/)?([A-Za-z]\w*?)(-ram)?(?:NoFrameskip|Deterministic)?-v(\d{1,2})$")
"""An environment's id: its name, what stands between, a version."""
SCREEN, MEMORY = (210, 160, 3), (128,)


class Spaces(NamedTuple):
    """The shape of what is seen, or how many states there are; how many choices there are, or numbers of an action."""

    seen: tuple[int, ...] = ()
    states: int = 0
    choices: int = 0
    numbers: int = 0


def spaces_of(identity: str) -> Spaces | None:
    """Give what is known of an environment by its id."""
    match = IDENTITY.fullmatch(identity)
    if match is None:
        return None
    name, known = str(match[1]), table("reinforcement")
    choices = known["atari_choices"].get(name)
    if choices is not None:
        return Spaces(MEMORY if match[2] else SCREEN, choices=choices)
    row = known["spaces"].get(f"{name}-v{match[3]}") or known["spaces"].get(name)
    return Spaces(**{**row, "seen": tuple(row.get("seen", ()))}) if row is not None else None
