"""Generate log lines of many systems from statements written by hand: slots filled, wording varied, prefixes added."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

STATEMENTS = Path(__file__).parent / "statements"
CLASSES = ("error", "warning", "progress", "other")


def read_names() -> tuple[list[str], list[str]]:
    """Read the names of things and of modules that fill slots."""
    text = (STATEMENTS / "names.txt").read_text("utf-8").partition("\n")[2]
    things, modules = text.split("\n\n")
    return things.split(), modules.split()


WORDS, MODULES = read_names()


@dataclass(frozen=True)
class Statement:
    """One statement of a system: its class, its kind (`error.nccl`) and its wording with slots and choices."""

    label: str
    kind: str
    wording: str


def read_statements(held_out: bool) -> list[Statement]:
    """Read the statements for training, or those of the families that training never sees."""
    names = ["held_out"] if held_out else list(CLASSES)
    found: list[Statement] = []
    for name in names:
        kind = ""
        for row in (STATEMENTS / f"{name}.txt").read_text("utf-8").splitlines():
            if heading := re.fullmatch(r"\[([\w.]+)\]", row):
                kind = heading[1] if held_out else f"{name}.{heading[1]}"
            elif row and not row.startswith("# "):
                found.append(Statement(kind.partition(".")[0], kind, row))
    return found


def fill(wording: str, draw: Random) -> str:
    """Take one of each choice `{a|b}` and put a value into each slot `{n}`; `⟨` and `⟩` stand for braces."""
    text, place = fill_from(wording, 0, draw, nested=False)
    if place != len(wording) or wording.count("{") != wording.count("}"):
        raise ValueError(f"unbalanced braces in {wording!r}")
    return text.replace("⟨", "{").replace("⟩", "}")


def fill_from(wording: str, place: int, draw: Random, nested: bool) -> tuple[str, int]:
    """Fill up to the end of a group; a group of one known letter is a slot, any other a choice."""
    options = [""]
    while place < len(wording):
        sign = wording[place]
        if sign == "{":
            end = wording.find("}", place)
            if wording[place + 1 : end] in SLOTS:
                options[-1] += SLOTS[wording[place + 1 : end]](draw)
                place = end + 1
            else:
                inner, place = fill_from(wording, place + 1, draw, nested=True)
                options[-1] += inner
        elif nested and sign == "|":
            options.append("")
            place += 1
        elif nested and sign == "}":
            return draw.choice([SLOTS[option](draw) if option in SLOTS else option for option in options]), place + 1
        else:
            options[-1] += sign
            place += 1
    return "|".join(options), place


def number(draw: Random) -> str:
    """Draw a whole number; small ones are the most frequent."""
    return str(draw.randrange(10 ** draw.choice((1, 1, 2, 2, 3, 4, 5))))


def decimal(draw: Random) -> str:
    """Draw a number as losses, rates and times are written."""
    value = draw.choice((draw.random(), draw.random() * 10, draw.random() * 1000))
    return draw.choice((f"{value:.4f}", f"{value:.2f}", f"{value / 1000:.2e}", f"{value:.3f}"))


def time_of_day(draw: Random) -> str:
    """Draw a time stamp or a duration."""
    clock = f"{draw.randrange(24):02}:{draw.randrange(60):02}:{draw.randrange(60):02}"
    day = f"{draw.choice((2022, 2023, 2024, 2025))}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    return draw.choice(
        (clock, f"{day} {clock}", f"{day}T{clock}", f"{day} {clock},{draw.randrange(1000):03}", clock[:5])
    )


def path(draw: Random) -> str:
    """Draw a path of a plausible shape."""
    parts = draw.sample(WORDS, draw.randrange(1, 4))
    root = draw.choice(
        ("/data", "/home/user", "/opt/conda/lib/python3.10/site-packages", "/scratch", "./out", "/mnt/nfs")
    )
    return "/".join([root, *parts]) + draw.choice(("", ".py", ".pt", ".json", ".cpp", ".yaml", ".log"))


def host(draw: Random) -> str:
    """Draw a host name or address."""
    where = draw.randrange(1, 255)
    return draw.choice(
        (f"node-{where}", f"gpu{where:03}", f"10.0.{where}.{draw.randrange(1, 255)}", f"compute-{where}-0")
    )


def camel(draw: Random) -> str:
    """Draw a class name."""
    return "".join(word.title() for word in draw.sample(WORDS, 2))


def address(draw: Random) -> str:
    """Draw what is written in hexadecimal: a pointer, a PCI address, a hash."""
    return draw.choice(
        (f"0x{draw.getrandbits(40):x}", f"0000:{draw.randrange(256):02x}:00", f"{draw.getrandbits(48):x}")
    )


def name(draw: Random) -> str:
    """Draw a variable's name."""
    return "_".join(draw.sample(WORDS, draw.choice((1, 1, 2))))


SLOTS: dict[str, Callable[[Random], str]] = {
    "n": number,
    "f": decimal,
    "t": time_of_day,
    "p": path,
    "h": host,
    "v": name,
    "c": camel,
    "m": lambda draw: draw.choice(MODULES),
    "x": address,
    "s": lambda draw: f"{draw.random() * 80:.2f} {draw.choice(('GiB', 'MiB', 'GB', 'MB'))}",
}

LEVELS = {
    "error": ("ERROR", "ERROR", "CRITICAL", "FATAL", "error", "Error", "E", "SEVERE"),
    "warning": ("WARNING", "WARNING", "WARN", "warning", "W", "warn"),
    "progress": ("INFO", "INFO", "info", "I", "DEBUG"),
    "other": ("INFO", "INFO", "info", "I", "DEBUG", "debug", "NOTICE"),
}
PREFIXES = (
    "{t} - {v} - {L} - ",
    "[{t}][{v}][{L}] - ",
    "[{t}] {L}: ",
    "{t} {L} {v}: ",
    "{L}:{v}:",
    "[{L}] ",
    "{L}: ",
    "{t} | {L} | {v}:{v}:{n} - ",
    "[{t}] [{L}] [{v}.py:{n}:{v}] ",
    "{L}{n} {t} {n} {v}.cc:{n}] ",
    '⟨"level": "{L}", "ts": "{t}", "msg": "',
    "{t} {h} {v}[{n}]: ",
    "[rank{n}]: ",
    "[rank{n}]:[{L}] ",
    "{n}: ",
    "[default{n}]:",
    "({v} pid={n}, ip={h}) ",
    "[{h}:{n}] ",
    "{h}: ",
    "{t} ",
    "[{t}] ",
    "    ",
)


def with_prefix(text: str, label: str, draw: Random) -> str:
    """Write a line as a logger or a launcher would; half of all lines stand bare."""
    if draw.random() < 0.5:
        return text
    level = draw.choice(LEVELS[label])
    prefix = fill(draw.choice(PREFIXES).replace("{L}", level), draw)
    return f'{prefix}{text}"}}' if prefix.startswith("{") else prefix + text


def generate_lines(statements: list[Statement], each: int, seed: int) -> Iterator[tuple[Statement, str]]:
    """Give every statement several times, worded and prefixed anew."""
    draw = Random(seed)
    for statement in statements:
        for _ in range(each):
            yield statement, with_prefix(fill(statement.wording, draw), statement.label, draw)
