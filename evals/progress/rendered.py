"""Show a log in other dress: what a terminal, a launcher or a mail adds to lines must never change what is read."""

from collections.abc import Callable

WIDTH = 80

STOOD_STILL = "2031-04-05T10:11:12.345678Z"
"""A collector's clock that gets everything at once tells nothing of the pace."""


def each(line_of: Callable[[str], str]) -> Callable[[str], str]:
    """Change each line; carriage returns stay inside theirs."""
    return lambda text: "\n".join(line_of(line) if line.strip() else line for line in text.split("\n"))


def wrapped(line: str) -> str:
    """Cut a line hard at the terminal's width; bars that are drawn over each other are not cut."""
    if "\r" in line.rstrip("\r"):
        return line
    return "\n".join(line[at : at + WIDTH] for at in range(0, len(line), WIDTH))


def coloured(line: str) -> str:
    """Colour the first word and every third number, and reset at the end."""
    words = line.split(" ")
    shown = [f"\x1b[1;32m{word}\x1b[0m" if place % 3 == 0 and word else word for place, word in enumerate(words)]
    return " ".join(shown) + "\x1b[K"


RENDERINGS: dict[str, Callable[[str], str]] = {
    "indented": each(lambda line: "    " + line),
    "indented by tabs": each(lambda line: "\t" + line),
    "quoted": each(lambda line: "> " + line),
    "commented": each(lambda line: "# " + line),
    "commented in code": each(lambda line: "// " + line),
    "in quote marks": each(lambda line: f'"{line}",'),
    "under torchrun": each(lambda line: "[rank0]: " + line),
    "under torchrun --tee": each(lambda line: "[default0]:" + line),
    "under srun --label": each(lambda line: "0: " + line),
    "under mpirun --tag-output": each(lambda line: "[1,0]<stdout>: " + line),
    "under Ray": each(lambda line: "(RayTrainWorker pid=48213, ip=10.0.3.17) " + line),
    "under docker compose": each(lambda line: "trainer-1  | " + line),
    "under pdsh": each(lambda line: "gpu-node-03: " + line),
    "from a pod": each(lambda line: "[pod/train-llm-0/pytorch] " + line),
    "with a collector's time": each(lambda line: f"{STOOD_STILL} {line}"),
    "in a container's log": each(lambda line: f"{STOOD_STILL} stdout F {line}"),
    "in a syslog": each(lambda line: "Apr  5 10:11:12 gpu7 train[4821]: " + line),
    "with time and level": each(lambda line: "2031-04-05 10:11:12,345 - INFO - " + line),
    "host and rank": each(lambda line: "gpu-node-03: [rank0]: " + line),
    "coloured": each(coloured),
    "coloured whole": each(lambda line: f"\x1b[36m{line}\x1b[0m"),
    "wrapped at 80 columns": each(wrapped),
}
