"""How terminals, launchers, loggers and mails change the look of a line, and nothing of what it says."""

import random
from collections.abc import Callable

Rendering = Callable[[random.Random, list[str]], list[str]]


def as_is(dice: random.Random, lines: list[str]) -> list[str]:
    return lines


def indented(dice: random.Random, lines: list[str]) -> list[str]:
    return [" " * 8 + line for line in lines]


def quoted(dice: random.Random, lines: list[str]) -> list[str]:
    mark = dice.choice(("> ", ">> "))
    return [mark + line for line in lines]


def ranked(dice: random.Random, lines: list[str]) -> list[str]:
    mark = dice.choice(("[rank0]: ", "[default0]:", "0: ", "[1,0]<stdout>:", "00: "))
    return [mark + line for line in lines]


def hosted(dice: random.Random, lines: list[str]) -> list[str]:
    mark = dice.choice(
        ("node-07: ", "(TrainWorker pid=4121, ip=10.0.3.7) ", "worker-0 pytorch ", "[pod/train-worker-0/pytorch] ")
    )
    return [mark + line for line in lines]


def stamped(dice: random.Random, lines: list[str]) -> list[str]:
    """Put before each line the time at which a collector received it, all in one burst."""
    return [f"2025-06-01T12:00:00.{index % 1000:03d}000000Z stdout F {line}" for index, line in enumerate(lines)]


def coloured(dice: random.Random, lines: list[str]) -> list[str]:
    return [f"\033[36m{line}\033[0m" for line in lines]


def wrapped(dice: random.Random, lines: list[str]) -> list[str]:
    """Break long lines hard, as a terminal of 100 columns that was copied from."""
    width = 100
    shown = [redraw for line in lines for redraw in line.split("\r")]
    return [line[start : start + width] for line in shown for start in range(0, max(1, len(line)), width)]


def windows(dice: random.Random, lines: list[str]) -> list[str]:
    return [line + "\r" for line in lines]


RENDERINGS: list[Rendering] = [
    as_is,
    as_is,
    as_is,
    indented,
    quoted,
    ranked,
    hosted,
    stamped,
    coloured,
    wrapped,
    windows,
]
