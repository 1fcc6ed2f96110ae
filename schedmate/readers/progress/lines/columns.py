"""Read tables whose first line names the columns: CSV, tables of bars and of spaces."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from schedmate.readers.progress.lines.grammar import Reader, read_items
from schedmate.readers.progress.lines.head import message_start
from schedmate.readers.progress.lines.known_tables import with_units
from schedmate.readers.progress.lines.names import has, pieces_of, role_of
from schedmate.readers.progress.lines.parsed_line import ParsedLine
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.tokens import Token
from schedmate.tools.late_patterns import late

Cell = tuple[int, int]
WIDE = re.compile(r"\S+(?: \S+)*")
NARROW = re.compile(r"\S+")
BETWEEN = {
    "|": late(r"[^|│┃]+"),
    ",": re.compile(r"[^,]+"),
    "\t": re.compile(r"[^\t]+"),
    ";": re.compile(r"[^;]+"),
}

INDEXED = {",", "\t", ";"}
"""What a table's first line begins with where the column of the rows' numbers has no name."""
GLUED = re.compile(r"(?<=\w)(?=\(\w{1,12}\)$)")
"""Before a unit that is set right behind a name: `Time/iter(s)`."""
BOXES = str.maketrans("│┃", "||")
ENDING = "\"'`,; \t"
MAX_COLUMNS = 64

MAX_REST = 2
"""Cells without a name that may follow those of a row of spaces; with more it is a row of another table."""
SHORT: dict[tuple[str, ...], tuple[str, ...]] = {("#",): ("step",), ("E",): ("epoch",)}
EMPTY_CELLS = {"", "none", "n/a", "na", "nan", "null"}

HASH = re.compile(r"(?=[0-9]*[a-f])[0-9a-f]{8,64}(?:-[0-9a-f]{4,12}){0,4}")
"""The name that a program gave to a run or to a file: no value, though it may begin with digits."""

TELLING = {
    "loss", "loss_part", "time", "step_time", "interval_time", "elapsed", "eta", "throughput", "steps_rate",
    "epoch_time",
}  # fmt: skip


def cells_of(line: str, separator: str, begin: int = 0) -> list[Cell]:
    """Cut a line into cells; empty ones are left out."""
    pattern = BETWEEN.get(separator) or (WIDE if separator == "  " else NARROW)
    cells = []
    for found in pattern.finditer(line, begin):
        text = found.group()
        if text.strip():
            lead = len(text) - len(text.lstrip())
            cells.append((found.start() + lead, found.start() + lead + len(text.strip())))
    return cells


def all_cells(line: str, separator: str, begin: int) -> list[Cell]:
    """Cut a row into cells, empty ones too, as they stand for columns; what lies outside a table's borders is none."""
    cells = [(begin, begin)]
    for at in range(begin, len(line)):
        if line[at] == separator:
            cells[-1] = (cells[-1][0], at)
            cells.append((at + 1, at + 1))
    cells[-1] = (cells[-1][0], len(line))
    if separator == "|":
        cells = cells[not line[slice(*cells[0])].strip() : len(cells) - (not line[slice(*cells[-1])].strip())]
    return cells


class Header:
    """The names of a table's columns, and how its cells are parted."""

    def __init__(self, names: tuple[tuple[str, ...], ...], separator: str) -> None:
        self.names = names
        self.separator = separator
        self.key = separator + "\x01".join(" ".join(name) for name in names)

    def spread(self, line: str) -> str:
        """Part the cells of a CSV row by spaces too: `100,200` are two cells and not a large number."""
        if self.separator != ",":
            return line.translate(BOXES)
        begin = 0 if line.count(",") == len(self.names) - 1 else message_start(line)
        return line[:begin] + line[begin:].replace(",", " , ")


@lru_cache(maxsize=2048)
def find_header(line: str) -> Header | None:
    """Take a line as the head of a table when its cells are all names, a counter and a measure among them."""
    plain = line[message_start(line) :].translate(BOXES).rstrip(ENDING)
    if "{" in plain:
        return None  # a program's text
    for separator in ("|", "\t", ",", ";", "  ", " "):
        if separator.strip() and separator not in plain:
            continue
        cells = cells_of(plain, separator)
        if not 2 <= len(cells) <= MAX_COLUMNS or (separator == " " and len(cells) < 3):
            continue
        names = tuple(tuple(GLUED.sub(" ", plain[start:end].strip("\"' ")).split()) for start, end in cells)
        if plain[0] == separator in INDEXED:
            names = (("row",), *names)
        names = with_units(tuple(SHORT.get(name, name) for name in names))
        names = (("step",), *names[1:]) if names[0] == ("i",) and any(map(is_loss, names)) else names
        if not all(names) or any(len(name) > 5 or not (name[0][0].isalpha() or name[0][0] in "([") for name in names):
            continue
        if any("=" in word or word.endswith((":", ".", "...")) for name in names for word in name):
            continue
        roles = [role_of(Item(name, (0,), (1.0,)))[0] for name in names]
        counted = any(role in {"step", "epoch"} for role in roles)
        known = sum(role not in {"metric", "nothing"} for role in roles)
        if separator == " " and known * 2 < len(roles):
            continue  # prose, more likely than names of columns
        if counted and (not TELLING.isdisjoint(roles) or sum(role in {"metric", "eval"} for role in roles) >= 2):
            return Header(names, separator)
    return None


def is_loss(name: tuple[str, ...]) -> bool:
    """Tell a column that tells what is learnt: what a row is numbered by beside it counts."""
    return role_of(Item(name, (0,), (1.0,)))[0] == "loss"


def read_row(header: Header, tokens: list[Token], line: str, begin: int = 0) -> ParsedLine | None:
    """Read a message under a header; None when it is no row of that table. A row may be cut short at its right end."""
    exact = header.separator not in {"  ", " "}
    cells = all_cells(line, header.separator, begin) if exact else cells_of(line, header.separator, begin)
    if len(cells) < len(header.names) and header.separator == "  ":
        cells = cells_of(line, " ", begin)
    elif exact and len(cells) > len(header.names):
        cells = cells_of(line, header.separator, begin)
    names = behind_clock(header, cells_of(line[:begin], header.separator), cells) if exact and begin else header.names
    least = max(3, len(names) // 2) if exact and len(names) > 3 else len(names)
    most = len(names) + (0 if exact else MAX_REST)
    if not (3 if header.separator == "|" else least) <= len(cells) <= most or is_narrower(header, line, cells):
        return None
    read = ParsedLine()
    filled = last = other = 0
    for name, (start, end) in zip(names, cells, strict=False):
        item = cell_item(tokens, line, start, end, alone=not exact)
        last = item.end if item else end
        if item is not None and item.name and set(pieces_of(item.name)).isdisjoint(pieces_of(name)):
            if header.separator != "|":
                return None  # a cell that names its value otherwise
            item, other = None, other + 1
        if item is not None:
            filled += 1
            read.items.append(replace(item, name=name, name_after=False))
        elif not exact and line[start:end].strip("-–—?.").lower() not in EMPTY_CELLS:
            return None
    if filled < max(2, other) or not any(role_of(item)[0] in {"step", "epoch"} for item in read.items):
        return None
    rest = read_items([token for token in tokens if token.start >= last], line)
    read.items += rest.items
    return read


def is_narrower(header: Header, line: str, cells: Sequence[Cell]) -> bool:
    """Tell a row of another table: a border closes it before all columns have a cell, and words stand for numbers."""
    plain = line.strip()
    if header.separator != "|" or not plain[:1] == plain[-1:] == "|" or len(cells) >= len(header.names):
        return False
    told = [(line[start:end].strip(), name) for name, (start, end) in zip(header.names, cells, strict=False)]
    words = [name for text, name in told if text[:1].isalpha() and text.lower() not in EMPTY_CELLS]
    return any(role_of(Item(name, (0,), (1.0,)))[0] in {*TELLING, "step", "epoch"} for name in words)


def behind_clock(header: Header, clock: Sequence[Cell], cells: Sequence[Cell]) -> Sequence[tuple[str, ...]]:
    """Give the names of the columns behind those that tell when a row was written, which was read as its time stamp."""
    told = [has(pieces_of(name), "moment") for name in header.names[: len(clock)]]
    return header.names[len(clock) :] if all(told) and len(clock) + len(cells) <= len(header.names) else header.names


def cell_item(tokens: list[Token], line: str, start: int, end: int, alone: bool = False) -> Item | None:
    """Read the one value of a cell; a cell that starts with a word has none, unless it names its value once more."""
    if HASH.fullmatch(line[start:end].strip()):
        return None
    inside = [token for token in tokens if start <= token.start < end]
    again = next((token.text for token in inside if token.kind not in {"word", "number"} and token.text != "/"), "")
    if not inside or (inside[0].kind != "number" and again not in {":", "="}):
        return None
    items = Reader(inside, line).read().items
    return items[0] if items and not (alone and len(items) > 1) else None


def is_rule(line: str) -> bool:
    """Tell whether a line only underlines a header."""
    return not line.strip(" -=+|─━┄:")
