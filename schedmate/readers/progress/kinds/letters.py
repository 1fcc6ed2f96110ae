"""Read counters whose names are letters, `E: 25 | S: 6500`, where no other is named."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.lines.fields import Field
from schedmate.readers.progress.lines.names import Role, has, pieces_of
from schedmate.readers.progress.lines.units import SECONDS

LETTERS: dict[str, Role] = {"s": "step", "i": "step", "t": "step", "n": "step", "b": "step", "e": "epoch"}

FEWER = 3
"""So many times as many names a line may have as letters among them."""
LETTERED = 3
"""So many names of one letter, and a line counts by letters although it tells no loss: `F: 4000 | S: 1000 | E: 1`."""


def letters_of(fields: Sequence[Field]) -> int:
    """Count the letters that are names, where not most values are called otherwise, as bytes and tags may be."""
    letters = {field.name for field in fields if len(field.name) == 1}
    return len(letters) if FEWER * len(letters) >= len({field.name for field in fields}) else 0


def place_letters(fields: list[Field], numbers: Sequence[str]) -> None:
    """Read `E: 25 | S: 6500` as counters where no other is named and something is learnt."""
    letters = letters_of(fields)
    if letters >= LETTERED:  # beside `C: 2.5 | M: 6.4` no `S: 0.12` is a time in seconds
        fields[:] = [replace(one, role="metric") if is_unit_alone(one) else one for one in fields]
    roles = {field.role for field in fields}
    learns = any(has(pieces_of((field.name,)), "loss") for field in fields)
    if roles & {"step", "epoch"} or not (learns or letters >= LETTERED):
        return
    for place, field in enumerate(fields):
        role = LETTERS.get(field.name.lower())
        if (
            role
            and role not in roles
            and field.role in {"metric", "nothing", "time"}
            and len(field.at) == 1
            and numbers[field.at[0]].replace(",", "").isdigit()
        ):
            fields[place] = replace(field, role=role)
            roles.add(role)


def is_unit_alone(one: Field) -> bool:
    """Tell a value that is called a time for the letter of its name only."""
    return len(one.name) == 1 and one.role == "time" and one.name.lower() in SECONDS and not one.unit
