"""Tables of known programs whose columns do not say their units: knowledge/lognames_tables.toml."""

import tomllib
from functools import lru_cache
from importlib.resources import files

Names = tuple[tuple[str, ...], ...]


@lru_cache(maxsize=1)
def tables() -> tuple[tuple[frozenset[str], frozenset[str], dict[str, str], dict[str, str]], ...]:
    """Read the tables once: the columns by which each is known, the units of some, and what some are called in full."""
    text = (files("schedmate.knowledge") / "lognames_tables.toml").read_text("utf-8")
    read = tomllib.loads(text)["table"]
    return tuple(
        (frozenset(one["columns"]), frozenset(one.get("any_of", ())), dict(one["units"]), dict(one.get("called", {})))
        for one in read
    )


def with_units(names: Names) -> Names:
    """Put the unit behind the names of columns that are known to have one; some get a name that says more."""
    have = {" ".join(name) for name in names}
    fitting = (
        (units, called)
        for columns, some, units, called in tables()
        if columns <= have and (not some or not some.isdisjoint(have))
    )
    units, called = next(fitting, ({}, {}))
    names = tuple((*name, f"({units[' '.join(name)]})") if " ".join(name) in units else name for name in names)
    return tuple(tuple(called.get(" ".join(name), " ".join(name)).split()) for name in names)
