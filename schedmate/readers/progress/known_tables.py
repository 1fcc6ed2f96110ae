"""Tables of known programs whose columns do not say their units: knowledge/lognames_tables.toml."""

import tomllib
from functools import lru_cache
from importlib.resources import files

Names = tuple[tuple[str, ...], ...]


@lru_cache(maxsize=1)
def tables() -> tuple[tuple[frozenset[str], dict[str, str]], ...]:
    """Read the tables once: the columns by which each is known, and the units of some of them."""
    text = (files("schedmate.knowledge") / "lognames_tables.toml").read_text("utf-8")
    return tuple((frozenset(one["columns"]), dict(one["units"])) for one in tomllib.loads(text)["table"])


def with_units(names: Names) -> Names:
    """Put the unit behind the names of columns that are known to have one."""
    have = {" ".join(name) for name in names}
    units = next((units for columns, units in tables() if columns <= have), {})
    return tuple((*name, f"({units[' '.join(name)]})") if " ".join(name) in units else name for name in names)
