"""How the same log looks after other launchers, collectors, terminals and people."""

import json
import random
from collections.abc import Callable

Look = Callable[[random.Random, list[str]], list[str]]


def plain(dice: random.Random, lines: list[str]) -> list[str]:
    return lines


def tabbed(dice: random.Random, lines: list[str]) -> list[str]:
    return ["\t" + line for line in lines]


def framed(dice: random.Random, lines: list[str]) -> list[str]:
    return [f"│ {line}" for line in lines]


def mailed(dice: random.Random, lines: list[str]) -> list[str]:
    return ["> > " + line for line in lines]


def syslog(dice: random.Random, lines: list[str]) -> list[str]:
    """Put journald's head before each line, all received within a burst."""
    return [
        f"Jun 01 12:00:{index * 3 // len(lines):02d} gpu-a07 train[41233]: {line}" for index, line in enumerate(lines)
    ]


def docker_json(dice: random.Random, lines: list[str]) -> list[str]:
    return [json.dumps({"log": line + "\n", "stream": "stderr", "time": f"2025-06-01T12:00:00.{index * 900 // len(lines):03d}123456Z"}, ensure_ascii=False) for index, line in enumerate(lines)]  # fmt: skip


def compose(dice: random.Random, lines: list[str]) -> list[str]:
    return [f"\x1b[36mtrainer-1  | \x1b[0m{line}" for line in lines]


def tagged(dice: random.Random, lines: list[str]) -> list[str]:
    mark = dice.choice(
        (
            "[1,0]<stderr>:",
            "(RayTrainWorker pid=31231, ip=10.0.0.9) ",
            "[gpu-a07:0] ",
            "0: ",
            "[default0]:[rank0]:",
            "worker0| ",
        )
    )
    return [mark + line for line in lines]


def wrapped(dice: random.Random, lines: list[str]) -> list[str]:
    """Break lines hard, as a narrow terminal that was copied from."""
    width = dice.choice((80, 120))
    shown = [redraw for line in lines for redraw in line.split("\r")]
    return [line[start : start + width] for line in shown for start in range(0, max(1, len(line)), width)]


def erased(dice: random.Random, lines: list[str]) -> list[str]:
    return [f"\x1b[2K\r{line}" for line in lines]


def numbered(dice: random.Random, lines: list[str]) -> list[str]:
    """Number the lines as `cat -n` does."""
    return [f"{index:6d}\t{line}" for index, line in enumerate(lines, 1)]


def found(dice: random.Random, lines: list[str]) -> list[str]:
    """Put file and line number before each line as `grep -n` over files does."""
    return [f"slurm-41233.out:{index}:{line}" for index, line in enumerate(lines, 1)]


LOOKS: list[Look] = [
    plain,
    tabbed,
    framed,
    mailed,
    syslog,
    docker_json,
    compose,
    tagged,
    wrapped,
    erased,
    numbered,
    found,
]
