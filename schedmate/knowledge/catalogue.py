"""The catalogue of known failures, read from data: one TOML entry each, plus makers' tables of codes."""

import marshal
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from schedmate.knowledge.code_tables import code_entries, code_files
from schedmate.knowledge.disk_cache import kept
from schedmate.knowledge.xids import sxid_entries, xid_entries
from schedmate.schemas import Category, Restart, Subcategory

Role = Literal["root", "cascade", "teardown", "health"]

DIRECTORY = Path(__file__).parent / "failures"


class Failure(NamedTuple):
    """One line that a system prints when it fails or is well, and what it means; docs/catalogue.md tells each field."""

    id: str
    pattern: str
    role: Role
    category: Category
    restart: Restart
    weight: float
    literals: tuple[str, ...]
    meaning: str
    action: str
    source: str
    samples: tuple[str, ...]
    near_misses: tuple[str, ...]
    subcategory: Subcategory | None = None
    general: bool = False
    wording: bool = False
    """Classes lines that no other entry knows by the words in them; it makes no line worth a look."""
    daemon: bool = False
    """Counts only where a daemon says it at the place where a job stopped: the words are too common to search for."""
    overlaps: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """What else can produce the line: a `termination` from outside, the death of a `peer`, that of a `machine`."""
    outside: bool = False
    """Somebody outside ended the job by what this line says."""
    fault: str = ""
    """Entries of one fault state it in different words; the surest of them gives the class."""


@lru_cache(maxsize=1)
def load_catalogue() -> tuple[Failure, ...]:
    """Read every entry once a process; the tests vouch for the data, so nothing is checked here.

    Parsing the files takes longer than most diagnoses, so what they say is kept as Python keeps what it compiles.
    """
    of = all_files() + bytes([marshal.version])
    rows = marshal.loads(kept("catalogue", of, lambda: marshal.dumps([tuple(one) for one in parsed()])))
    return tuple(map(Failure._make, rows))


def parsed() -> Iterator[Failure]:
    """Parse every file."""
    tables = (entries_in(path) for path in sorted(DIRECTORY.glob("*.toml")))
    yield from (failure_from(entry) for entry in chain(*tables, xid_entries(), sxid_entries(), code_entries()))


def all_files() -> bytes:
    """Join all that the catalogue is made of, the code that reads it included."""
    sources = [*sorted(DIRECTORY.glob("*.toml")), *sorted(DIRECTORY.parent.glob("*xid.csv"))]
    sources += [Path(__file__), DIRECTORY.parent / "xids.py", *code_files()]
    return b"".join(path.read_bytes() for path in sources)


def entries_in(path: Path) -> list[dict[str, Any]]:
    """Give the raw entries of one area's file."""
    import tomllib

    entries: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["failure"]
    return entries


def failure_from(entry: dict[str, Any]) -> Failure:
    """Turn a TOML table into a record; `literal` may be one string or a list of which every match contains one."""
    literal = entry.get("literal", ())
    return Failure(
        id=entry["id"],
        pattern=entry["pattern"],
        role=entry["role"],
        category=entry["category"],
        subcategory=entry.get("subcategory"),
        restart=entry["restart"],
        weight=entry["weight"],
        literals=(literal,) if isinstance(literal, str) else tuple(literal),
        meaning=entry["meaning"],
        action=entry["action"],
        source=entry["source"],
        samples=tuple(entry["sample"]),
        near_misses=tuple(entry["near_miss"]),
        general=entry.get("general", False),
        wording=entry.get("wording", False),
        daemon=entry.get("daemon", False),
        overlaps=tuple(entry.get("overlaps", ())),
        after=tuple(entry.get("after", ())),
        outside=entry.get("outside", False),
        fault=entry.get("fault", ""),
    )
