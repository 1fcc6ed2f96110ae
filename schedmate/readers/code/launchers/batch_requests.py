"""What a batch system was asked for: in a script's headers, in options, and in the variables that it sets."""

import re2

from schedmate.knowledge.code_words import meanings
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.values.run import by_names
from schedmate.readers.code.values.value import SourceLocation, Value, join_spots
from schedmate.readers.code.values.whole_numbers import whole_count

PBS = (
    ("nodes", re2.compile(r"-l\s+(?:select|nodes)=(\d+)")),
    ("gpus_per_node", re2.compile(r"(?:ngpus|gpus)=(\d+)")),
    ("constraint", re2.compile(r"gpu_(?:type|model)=([\w\-|]+)")),
    ("partition", re2.compile(r"^#\S+\s+-q\s+([\w.@\-]+)")),
    ("resources", re2.compile(r"^#\S+\s+-l\s+(\S.*)")),
)
LSF = (
    ("gpus_per_node", re2.compile(r"-gpu\s.*num=(\d+)")),
    ("constraint", re2.compile(r"-gpu\s.*gmodel=([\w\-]+)")),
    ("nodes", re2.compile(r"-nnodes\s+(\d+)")),
    ("partition", re2.compile(r"^#BSUB\s+-q\s+[\"']?([\w.\-]+)")),
    ("resources", re2.compile(r"^#BSUB\s+-R\s+(\S.*)")),
)

GPU_RESOURCE = re2.compile(r"(?:gres/)?gpus?(?:[:=]([\w.\-]*[A-Za-z][\w.\-]*|\d+[:=]))?(?:[:=]?(\d+))?")
"""A kind may begin with a number, or be one where another follows: `gpu:1080ti:4`, `gpu:3090:2`."""
MOST_A_NODE = 128
"""No machine has more GPUs: a larger number names their kind."""
SLURM_OPTIONS = meanings("processes.slurm_options")

LONGEST = 500
"""Letters of what several lines ask for that are kept."""


def read_headers(text: str, path: str, first_line: int = 1) -> dict[str, Value]:
    """Read the batch headers of a script: `#SBATCH`, and of PBS and LSF the GPUs and nodes."""
    parts: list[dict[str, Value]] = [{}]
    for number, line in enumerate(text.split("\n"), first_line):
        stripped = line.strip()
        spot = SourceLocation(path, number)
        if stripped.startswith("#SBATCH"):
            words = stripped[7:].partition(" #")[0].split()
            if words[:1] in (["hetjob"], ["packjob"]):
                parts.append({})
            parts[-1] |= slurm_header(words, spot)
        elif stripped.startswith(("#PBS", "#$", "#COBALT")):
            parts[-1] |= joined(parts[-1], other_header(PBS, stripped, spot))
        elif stripped.startswith("#BSUB"):
            parts[-1] |= joined(parts[-1], other_header(LSF, stripped, spot))
        elif stripped and not stripped.startswith("#"):
            break
    return parts[0] if len(parts) == 1 else added(parts)


def told_request(options: dict[str, Value]) -> dict[str, Value]:
    """Read what `qsub` and `bsub` are told on the command line: the same options as in their headers."""
    found: dict[str, Value] = {}
    for key, value in options.items():
        for head, patterns in (("#PBS", PBS), ("#BSUB", LSF)):
            told = other_header(patterns, f"{head} -{key} {value.data}", SourceLocation("", 1))
            found |= {name: Value(one.data, value.src) for name, one in told.items()}
    return found


def slurm_header(words: list[str], spot: SourceLocation) -> dict[str, Value]:
    """Read the options of one `#SBATCH` line."""
    found: dict[str, Value] = {}
    for place, word in enumerate(words):
        key, equals, inline = word.partition("=")
        name = SLURM_OPTIONS.get(key)
        value = inline if equals else words[place + 1] if place + 1 < len(words) else ""
        if name is None and len(key) > 2 and key[:2] in SLURM_OPTIONS and not key.startswith("--"):
            name, value = SLURM_OPTIONS[key[:2]], key[2:]
        if name is not None and value:
            found[name] = Value(value.strip("\"'"), (spot,))
    return found


def other_header(
    patterns: tuple[tuple[str, "re2._Regexp[str]"], ...], line: str, spot: SourceLocation
) -> dict[str, Value]:
    """Read a header of another batch system."""
    found = {name: match.group(1) for name, pattern in patterns if (match := pattern.search(line)) is not None}
    return {name: Value(str(value), (spot,)) for name, value in found.items()}


def joined(before: dict[str, Value], found: dict[str, Value]) -> dict[str, Value]:
    """Keep all resources that several lines ask for."""
    if "resources" in before and "resources" in found:
        text = f"{before['resources'].data} {found['resources'].data}"[:LONGEST]
        return {**found, "resources": Value(text, join_spots(before["resources"], found["resources"]))}
    return found


def added(parts: list[dict[str, Value]]) -> dict[str, Value]:
    """Add up the components of a heterogeneous job; GPUs only where each says how many it has."""
    nodes = [part.get("nodes", Value("1")) for part in parts]
    found = {"nodes": Value(str(sum(plain(value) for value in nodes)), join_spots(*nodes))}
    gpus = [gpus_asked(part) for part in parts]
    known = [Value(each.data * plain(value), each.src) for each, value in zip(gpus, nodes, strict=True) if each]
    if known:
        found["gpus"] = Value(str(sum(value.data for value in known)), join_spots(*known))
    tasks = [part["ntasks"] for part in parts if "ntasks" in part]
    if len(tasks) == len(parts):
        found["ntasks"] = Value(str(sum(plain(value) for value in tasks)), join_spots(*tasks))
    return found


def plain(value: Value) -> int:
    """Read a count of a header; what is no number counts as one."""
    known = whole_count(str(value.data))
    return known if known is not None else 1


def gpus_of(text: str) -> tuple[str, int | None]:
    """Read `gpu:a100:8`, `a100:8`, `gpu:8` or `8`: the kind of GPU and how many."""
    if text.isdigit():
        return "", whole_count(text)
    match = GPU_RESOURCE.search(text)
    if match is not None:
        kind, number = str(match.group(1) or "").rstrip(":="), match.group(2)
        known = whole_count(str(number or ""))
        if number and not kind and (known is None or known > MOST_A_NODE) and "/" not in match.group(0):
            return number, None
        return kind, known if number else 1 if ":" not in text else None
    kind, _, number = text.partition(":")
    return kind, whole_count(number)


def slurm_variables(launch: Launch) -> dict[str, Value]:
    """Give the variables that Slurm sets from what was asked for."""
    asked = launch.asked
    found: dict[str, Value] = {}
    for name, variables in {
        "nodes": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES"),
        "ntasks": ("SLURM_NTASKS", "SLURM_NPROCS"),
        "ntasks_per_node": ("SLURM_NTASKS_PER_NODE",),
    }.items():
        if name in asked:
            found.update(dict.fromkeys(variables, asked[name]))
    if "nodes" in asked and "ntasks_per_node" in asked and "ntasks" not in asked:
        nodes, tasks = whole_count(str(asked["nodes"].data)), whole_count(str(asked["ntasks_per_node"].data))
        if nodes is not None and tasks is not None:
            total = Value(str(nodes * tasks), join_spots(asked["nodes"], asked["ntasks_per_node"]))
            found.update({"SLURM_NTASKS": total, "SLURM_NPROCS": total})
    array = asked.get("array")
    if array is not None and str(array.data).partition("%")[0].isdigit():
        # An array of one job; which of several this is only the run knows.
        found["SLURM_ARRAY_TASK_ID"] = Value(str(array.data).partition("%")[0], array.src)
    gpus = gpus_per_node(launch)
    if gpus is not None:
        found.update(by_names("SLURM_GPUS_ON_NODE SLURM_GPUS_PER_NODE", Value(str(gpus.data), gpus.src)))
    return found


def gpus_asked(asked: dict[str, Value]) -> Value | None:
    """Give the GPUs of each node that a request names; GPUs in all are spread evenly over the nodes."""
    for name in ("gpus_per_node", "gres"):
        if name in asked:
            _, each = gpus_of(str(asked[name].data))
            if each:
                return Value(each, asked[name].src)
    nodes = asked.get("nodes", Value("1"))
    if (shared := gpus_of_tasks(asked)) is not None:
        return shared
    if "gpus" in asked and whole_count(str(nodes.data)) is not None:
        _, total = gpus_of(str(asked["gpus"].data))
        if total and total % max(1, plain(nodes)) == 0:
            return Value(total // max(1, plain(nodes)), join_spots(asked["gpus"], nodes))
    return None


def gpus_of_tasks(asked: dict[str, Value]) -> Value | None:
    """Multiply the GPUs of each task by the tasks of a node, where both are asked for."""
    tasks = asked.get("ntasks_per_node") or asked.get("ntasks")
    if tasks is None or "gpus_per_task" not in asked:
        return None
    # Several tasks may be spread over nodes as Slurm likes, unless it is told how many nodes there are.
    if "ntasks_per_node" not in asked and plain(asked.get("nodes", tasks)) != 1:
        return None
    _, each = gpus_of(str(asked["gpus_per_task"].data))
    count = whole_count(str(tasks.data))
    return Value(each * count, join_spots(asked["gpus_per_task"], tasks)) if each and count else None


def gpus_per_node(launch: Launch) -> Value | None:
    """Give the GPUs of each node, where the batch system was asked for a number."""
    asked = gpus_asked(launch.asked)
    if asked is not None:
        return asked
    visible = launch.environment.get("CUDA_VISIBLE_DEVICES")
    return gpus_visible(visible) if visible is not None else None


def gpus_visible(visible: Value) -> Value | None:
    """Count the GPUs that `CUDA_VISIBLE_DEVICES` shows, where it names them."""
    text = visible.data if isinstance(visible.data, str) else ""
    parts = [part for part in text.split(",") if part.strip()]
    return Value(len(parts), visible.src) if parts and "$" not in text and text.strip() != "-1" else None
