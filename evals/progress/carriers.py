"""What carries a log to its reader: ranks, hosts, clocks, quotes, colours and narrow terminals, drawn and put over each other."""

import json
import random
from collections.abc import Callable, Sequence

Lines = list[str]
Carrier = Callable[[random.Random, Lines], Lines]

WORDS = ("train", "llm-7b", "exp3", "worker", "launcher", "job")

BURST_S = 3
"""Within so few seconds a collector gets the whole log, so that its clock tells nothing of the pace."""


def marked(mark: str) -> Callable[[Lines], Lines]:
    """Put the same before each line that says something."""
    return lambda lines: [mark + line if line.strip() else line for line in lines]


def indent(dice: random.Random, lines: Lines) -> Lines:
    return marked(dice.choice(("  ", "    ", "        ", "\t", "\t\t", " ")))(lines)


def quote(dice: random.Random, lines: Lines) -> Lines:
    return marked(dice.choice(("> ", ">> ", "> > ", ">", "| ", "│ ", "# ", "## ", "// ", "+ ", "; ", "* ")))(lines)


def quote_marks(dice: random.Random, lines: Lines) -> Lines:
    mark, after = dice.choice((('"', '"'), ("'", "'"), ("`", "`"), ('"', '",'), ("'", "',"), ('"', '\\n"')))
    return [f"{mark}{line}{after}" if line.strip() else line for line in lines]


def rank_of(dice: random.Random, number: int) -> str:
    """Write a process before a line as one of many launchers does."""
    host = f"10.0.3.{number + 11}"
    return dice.choice((
        f"[rank{number}]: ", f"[Rank {number}] ", f"(rank {number}) ", f"rank{number}: ", f"[default{number}]:", f"{number}: ", f"[1,{number}]<stdout>:",
        f"[1,{number}]<stderr>: ", f"(RayTrainWorker pid={4000 + number}, ip={host}) ", f"(WorkerDict pid={4000 + number}) ", f"[trainer/{number}]: ",
        f"[default{number}]:[rank{number}]: ", f"trainer-{number}  | ", f"worker{number}| ", f"[{number}]: ", f"[train-{number}:0] ",
    ))  # fmt: skip


def rank(dice: random.Random, lines: Lines) -> Lines:
    return marked(rank_of(dice, 0))(lines)


def host(dice: random.Random, lines: Lines) -> Lines:
    number = dice.randrange(1, 90)
    named = (
        f"gpu-{number:02d}: ",
        f"node{number:03d}: ",
        f"10.1.0.{number}: ",
        f"ip-10-1-0-{number}: ",
        f"[gpu{number:02d}] ",
        f"worker-{number % 8}: ",
    )
    pods = (f"[pod/train-llm-{number % 8}/pytorch] ", f"train-llm-worker-{number % 8} pytorch ", f"llm-{number % 8} | ")
    return marked(dice.choice(named + pods))(lines)


def stamps(dice: random.Random) -> Callable[[float], str]:
    """Choose how a time is written, by the second at which a line was received."""
    word, pid = dice.choice(WORDS), dice.randrange(1000, 60000)
    forms: Sequence[Callable[[float], str]] = (
        lambda at: f"2031-04-05T10:11:{at:06.3f}Z ",
        lambda at: f"2031-04-05T10:11:{at:012.9f}Z stdout F ",
        lambda at: f"2031-04-05 10:11:{at:06.3f}".replace(".", ",") + f" - {word} - INFO - ",
        lambda at: f"2031-04-05 10:11:{at:06.3f} | INFO     | {word}.loop:fit:{pid % 900} - ",
        lambda at: f"[2031-04-05 10:11:{at:06.3f}".replace(".", ",") + f"][{word}][INFO] - ",
        lambda at: f"I0405 10:11:{at:09.6f} {pid} {word}.py:{pid % 900}] ",
        lambda at: f"INFO 04-05 10:11:{int(at)} [{word}.py:{pid % 900}] ",
        lambda at: f"Apr  5 10:11:{int(at)} gpu7 {word}[{pid}]: ",
        lambda at: f"[10:11:{int(at)}] ",
        lambda at: f"10:11:{int(at)} INFO ",
        lambda at: f"2031/04/05 10:11:{int(at)} ",
        lambda at: f"[{word}] [2031-04-05 10:11:{int(at)}] [INFO] ",
        lambda at: "INFO:root:",
        lambda at: f"INFO:{word}:",
        lambda at: f"[INFO] {word}: ",
    )  # fmt: skip
    return dice.choice(forms)


def clock(dice: random.Random, lines: Lines) -> Lines:
    form = stamps(dice)
    return [form(12 + at * BURST_S / len(lines)) + line if line.strip() else line for at, line in enumerate(lines)]


def packed(dice: random.Random, lines: Lines) -> Lines:
    """Pack each line into JSON, as container runtimes and collectors do."""
    tight = dice.choice(((",", ":"), (", ", ": ")))
    return [
        json.dumps({"log": line + "\n", "stream": "stdout", "time": f"2031-04-05T10:11:12.{at * 900_000_000 // len(lines):09d}Z"}, separators=tight, ensure_ascii=dice.random() < 0.5)
        for at, line in enumerate(lines)
    ]  # fmt: skip


def numbered(dice: random.Random, lines: Lines) -> Lines:
    form = dice.choice(("{0:6d}\t{1}", "{0:>6}  {1}", "slurm-4711.out:{0}:{1}", "{0}:{1}", "{0}\t{1}"))
    return [form.format(at, line) for at, line in enumerate(lines, 1)]


def coloured(dice: random.Random, lines: Lines) -> Lines:
    """Colour whole lines, words, or numbers, and clear to the line's end."""
    way = dice.randrange(4)
    if way == 0:
        return [f"\x1b[36m{line}\x1b[0m" for line in lines]
    if way == 1:
        return ["\x1b[2K\r" + line for line in lines]
    if way == 2:
        return [
            "".join(f"\x1b[1;33m{word}\x1b[0m" if word.isdigit() else word for word in parted(line)) for line in lines
        ]
    return [
        " ".join(f"\x1b[38;5;{dice.randrange(200)}m{word}\x1b[39m" if word else word for word in line.split(" "))
        + "\x1b[K"
        for line in lines
    ]


def parted(line: str) -> list[str]:
    """Cut a line at its spaces and marks, keeping all."""
    out, word = [], ""
    for char in line:
        if char.isalnum() or char in "._":
            word += char
        else:
            out += [word, char]
            word = ""
    return [*out, word]


def wrapped_at(width: int) -> Carrier:
    """Cut lines hard; bars that are drawn over each other are not cut."""

    def wrap(dice: random.Random, lines: Lines) -> Lines:
        return [
            piece
            for line in lines
            for piece in (
                [line] if "\r" in line else [line[at : at + width] for at in range(0, max(1, len(line)), width)]
            )
        ]

    return wrap


def windows(dice: random.Random, lines: Lines) -> Lines:
    return [line.removesuffix("\r") + "\r" for line in lines]


def padded(dice: random.Random, lines: Lines) -> Lines:
    """Leave spaces behind each line, and an empty line now and then."""
    return [part for line in lines for part in ([line + " " * dice.choice((1, 4, 20))] + [""] * (dice.random() < 0.1))]


def ranks(dice: random.Random, lines: Lines) -> Lines:
    """Let two processes print the same, the second one a little later, each under its name."""
    style = dice.getrandbits(32)
    names = [rank_of(random.Random(style), number) for number in (0, 1)]
    late: Lines = []
    out: Lines = []
    for line in lines:
        out.append(names[0] + line)
        late.append(names[1] + line)
        while late and dice.random() < 0.6:
            out.append(late.pop(0))
    return out + late


CARRIERS: dict[str, Carrier] = {
    "indented": indent, "quoted": quote, "in quote marks": quote_marks, "under a rank": rank, "under a host": host, "with a clock": clock, "packed": packed,
    "numbered": numbered, "coloured": coloured, "wrapped at 80": wrapped_at(80), "wrapped at 120": wrapped_at(120), "CRLF": windows, "padded": padded,
    "two ranks": ranks,
}  # fmt: skip
OVER_EACH_OTHER: tuple[tuple[Carrier, ...], ...] = (
    (rank, clock), (clock, rank), (rank, clock, host), (rank, quote), (clock, coloured), (rank, windows), (ranks, clock), (ranks, host), (clock, indent),
    (coloured, rank), (clock, packed), (rank, numbered), (indent, quote), (rank, wrapped_at(120)), (clock, wrapped_at(80)), (clock, numbered), (host, quote_marks),
)  # fmt: skip


def several(dice: random.Random, lines: Lines) -> Lines:
    """Put two or three carriers over each other, the innermost first."""
    for carrier in dice.choice(OVER_EACH_OTHER):
        lines = carrier(dice, lines)
    return lines


CARRIERS["over each other"] = several


def carried(name: str, dice: random.Random, text: str) -> str:
    """Show a log as one of the carriers would."""
    lines = text.split("\n")
    ended = lines[-1] == ""
    return "\n".join(CARRIERS[name](dice, lines[:-1] if ended else lines)) + "\n" * ended
