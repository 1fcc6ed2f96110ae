"""Does a line speak of the field, and not only show its number? Does a claim fit the others and the command?"""

from collections.abc import Sequence
from typing import Any

import re2

from schedmate.schemas import Workload
from schedmate.tools.late_patterns import late_re2

GAP = 48
"""A key stands this near its number: before it, or as a unit behind it."""
KEYS = {
    "num_gpus": r"gpus?|n_?proc\w*|devices?|gres|world_?size|cuda_visible\w*|accelerators?|workers?|ranks?|cores|tpus?"
    r"|npus?|n_?tasks\w*|num_processes|np|n|replicas?|slots",
    "num_nodes": r"n?nodes?|hosts?|machines?|num_machines|n|replicas?|instances?",
    "batch_size": r"batch\w*|bsz?|b|micro\w*|mbs|samples?|images?|ims|sequences?|examples?|rows|frames_per_batch",
    "global_batch_size": r"batch\w*|bsz?|gbs|global\w*|train_batch\w*|samples?|images?|ims|tokens|total\w*",
    "epochs": r"\w*epochs?|ep|passes|n_?ep|max_ep\w*|rounds|e",
    "total_steps": r"\w*steps?|\w*iters?|\w*iterations?|updates?|max_update\w*|num_batches|timesteps|frames"
    r"|episodes|t_max",
    "learning_rate": r"\w*lr\w*|\w*learning\w*|rate|eta|step_size|alpha|l_r",
    "param_size": r".*",
}

FORBIDDEN = {
    "batch_size": r"(?:message|num|total|max|train|warmup)_?\w*steps?|batch_?norm\w*|num_batches|n_batches|eval\w*"
    r"|valid\w*|test\w*",
    "global_batch_size": r"batch_?norm\w*|num_batches|n_batches|eval\w*|valid\w*|test\w*",
    "epochs": r"warm\w*epochs?|\w*per_epochs?|epochs?_per\w*|start_epochs?|save\w*epochs?|\w*every\w*",
    "total_steps": r"warm\w*|message\w*|\w*accum\w*|save\w*|eval\w*|log\w*|\w*every\w*|\w*interval\w*"
    r"|\w*per_epoch|decay\w*",
    "learning_rate": r"decay\w*|min_lr\w*|lr_min\w*|\w*drop\w*|warmup\w*rate|\w*_decay|dropout\w*|sample_rate\w*",
    "num_gpus": r"data\w*workers|num_workers|cpus?\w*|\w*loader\w*",
}
"""Keys that bear a like word and mean something else."""
BY_DATA_ALONE = {"ddp", "horovod", "none", "data parallel"}
"""Where each device takes samples of its own."""
WHOLE_NAMES = {"learning_rate"}
"""Names that must be one of the keys as they stand: a refresh_rate is none."""
WORDS = re2.compile(r"[A-Za-z][A-Za-z0-9_-]*|-[A-Za-z]\b")
NUMBER = re2.compile(r"\d[\d_,]*\.?\d*(?:[eE][-+]?\d+)?")
ONE_PROCESS = re2.compile(r"^\s*(?:\w+=\S+\s+)*(?:\S*/)?python[\d.]*\s")
LAUNCHERS = re2.compile(
    r"torchrun|torch\.distributed|accelerate|deepspeed|mpirun|mpiexec|horovod|srun|sbatch|ray |bagua|--n?gpus?\b"
)
PATTERNS = {name: late_re2(rf"(?i)^-*(?:{words})$") for name, words in KEYS.items()}
OTHERS = {name: late_re2(rf"(?i)^-*(?:{words})$") for name, words in FORBIDDEN.items()}


def bears_key(name: str, number: str, start: int, line: str, above: Sequence[str] = ()) -> bool:
    """Tell whether the number at a place of a line is this field's; `above` are the headings of its block."""
    wanted, other = PATTERNS.get(name), OTHERS.get(name)
    if wanted is None:
        return True
    before = [match.end() for match in NUMBER.finditer(line[:start])]
    low = max([start - 2 * GAP, 0, *(end for end in before if line[end : end + 1] not in "_-")])
    near = words_of(line[low:start])[-6:] + words_of(line[start + len(number) : start + len(number) + GAP // 2])[:1]
    heads = [word for head in above for word in words_of(head)]
    if other is not None and any(other.match(end) for word in near for end in ends_of(word)):
        return False
    whole = name in WHOLE_NAMES
    return any(wanted.match(end) for word in (*near, *heads) for end in ([word] if whole else ends_of(word)))


def ends_of(word: str) -> list[str]:
    """Give a name and its ends: of train_batch_size also batch_size, which is what it is the size of."""
    parts = word.split("_")
    return ["_".join(parts[place:]) for place in range(len(parts)) if parts[place]]


def words_of(text: str) -> list[str]:
    """Split a line into words, those of an option with their dashes as underscores."""
    return [match.group(0).strip("-").replace("-", "_") for match in WORDS.finditer(text) if match.group(0).strip("-")]


def headings(lines: Sequence[str], number: int) -> list[str]:
    """Give the lines that head the block in which a line stands: each less indented than the one below it."""
    heads: list[str] = []
    depth = indent_of(lines[number - 1])
    for line in reversed(lines[max(0, number - 60) : number - 1]):
        if depth == 0:
            break
        if line.strip() and indent_of(line) < depth:
            depth = indent_of(line)
            heads.append(line)
    return heads[:3]


def indent_of(line: str) -> int:
    """Count the blanks before a line."""
    return len(line) - len(line.lstrip())


def is_implied(name: str, value: Any, command: str) -> bool:
    """Tell what a command says by what it leaves out: no launcher, one process, so one GPU on one node."""
    alone = bool(ONE_PROCESS.match(command)) and not LAUNCHERS.search(command)
    return alone and (value == 1 if name in ("num_gpus", "num_nodes") else name == "distributed" and value == "none")


def said_by_command(name: str, value: Any, command: str) -> str:
    """Give what the command says of a field, where that is another number: the command wins over any default."""
    for match in NUMBER.finditer(command):
        if PATTERNS.get(name) is None or not bears_key(name, match.group(0), match.start(), command):
            continue
        if as_number(match.group(0)) != value:
            return str(match.group(0))
        return ""
    return ""


def as_number(text: str) -> float | None:
    """Read a number as it is printed."""
    try:
        return float(text.replace(",", "").replace("_", ""))
    except ValueError:
        return None


def misfits(job: Workload) -> str:
    """Say how the sizes of batches contradict each other, if they do."""
    whole, part = job.global_batch_size, job.batch_size
    if not whole or not part:
        return ""
    copies = job.num_gpus or 1 if str(job.distributed).lower() in BY_DATA_ALONE else 1
    if whole < part * copies or whole % part:
        return f"a step of {whole} samples is not made of batches of {part} on {copies} or more devices"
    return ""
