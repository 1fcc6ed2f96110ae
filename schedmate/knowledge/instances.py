"""Cloud machines and their accelerators; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def instances() -> dict[str, tuple[int, str]]:
    """Give each machine's number of accelerators and their name."""
    table = tomllib.loads(files(__package__).joinpath("instances.toml").read_text("utf-8"))
    return {name: (count, kind) for name, (count, kind) in table.items()}
