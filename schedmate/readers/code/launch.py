"""Take the launchers off a command, one after the other, and keep what each says of processes, nodes and GPUs."""

import posixpath
from dataclasses import dataclass, field
from typing import Any

import re2

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.commandline.words import is_open, joined, number, word_text
from schedmate.readers.code.values import Spot, Val, unknown

PYTHONS = re2.compile(r"^(python|pypy|ipython|pythonw)[0-9.]*$")
PROGRAM = re2.compile(r"\.(py|sh|ipynb|bash|slurm|sbatch)$")
PYTHON_VALUES = frozenset({"-W", "-X", "--check-hash-based-pycs"})
GPU_RESOURCE = re2.compile(r"(?:gres/)?gpus?(?:[:=]([A-Za-z][\w.\-]*))?(?:[:=](\d+))?")
SLURM_OPTIONS = {
    "-N": "nodes",
    "--nodes": "nodes",
    "-n": "ntasks",
    "--ntasks": "ntasks",
    "--ntasks-per-node": "ntasks_per_node",
    "--tasks-per-node": "ntasks_per_node",
    "--gres": "gres",
    "-G": "gpus",
    "--gpus": "gpus",
    "--gpus-per-node": "gpus_per_node",
    "--gpus-per-task": "gpus_per_task",
    "-C": "constraint",
    "--constraint": "constraint",
    "-J": "name",
    "--job-name": "name",
    "--ntasks-per-gpu": "ntasks_per_gpu",
}


@dataclass
class Launch:
    """What is started in the end, and what the launchers said on the way."""

    kind: str = "none"
    name: str = ""
    words: list[Val] = field(default_factory=list)
    environment: dict[str, Val] = field(default_factory=dict)
    workdir: str = "."
    spot: Spot = field(default_factory=lambda: Spot("", 1))
    launchers: list[tuple[str, Spot]] = field(default_factory=list)
    per_node: Val | None = None
    nodes: Val | None = None
    total: Val | None = None
    options: dict[str, Val] = field(default_factory=dict)
    slurm: dict[str, Val] = field(default_factory=dict)
    distributed: tuple[str, Spot] | None = None
    sure: bool = True
    scripts: tuple[str, ...] = ()
    many: Spot | None = None

    @property
    def ranks(self) -> bool:
        """Tell whether a launcher starts several processes of the program."""
        return self.many is not None or any(
            launchers()[name]["kind"] != "wrapper" for name, _ in self.launchers if name in launchers()
        )


def take_off(words: list[Val], launch: Launch) -> Launch:
    """Take launchers off until the program itself stands first."""
    for _ in range(12):
        while words and "=" in word_text(words[0]) and word_text(words[0]).partition("=")[0].isidentifier():
            key, _, text = word_text(words[0]).partition("=")
            launch.environment[key] = Val(text, words[0].src)
            words = words[1:]
        if not words:
            return launch
        name = posixpath.basename(word_text(words[0]))
        spot = words[0].src[0] if words[0].src else Spot("", 1)
        if PYTHONS.match(name):
            words = python_words(words)
            if words and word_text(words[0]) == "-m" and len(words) > 1:
                module = word_text(words[1])
                if module in launchers():
                    words = take_launcher(module, words[1:], launch)
                    continue
                return settled(launch, "module", module, words[1:], words[1].src[0] if words[1].src else spot)
            if words and word_text(words[0]) == "-c":
                return settled(launch, "code", word_text(words[1]) if len(words) > 1 else "", words[1:], spot)
            if not words:
                return launch
            return settled(launch, "script", word_text(words[0]), words, words[0].src[0] if words[0].src else spot)
        if name in launchers():
            rest = take_launcher(name, words, launch)
            if rest is words:
                return settled(launch, "tool", name, words, spot)
            words = rest
            continue
        kind = "script" if name.endswith((".py", ".ipynb")) else "tool"
        return settled(launch, kind, word_text(words[0]), words, spot)
    return launch


def settled(launch: Launch, kind: str, name: str, words: list[Val], spot: Spot) -> Launch:
    """Keep what is started."""
    launch.kind, launch.name, launch.words, launch.spot = kind, name, words, spot
    return launch


def python_words(words: list[Val]) -> list[Val]:
    """Pass over Python's own options."""
    place = 1
    while place < len(words):
        text = word_text(words[place])
        if text in ("-m", "-c") or not text.startswith("-") or text == "-":
            break
        place += 2 if text in PYTHON_VALUES else 1
    return words[place:]


def take_launcher(name: str, words: list[Val], launch: Launch) -> list[Val]:
    """Read one launcher's options and give what it starts; the same words when it starts nothing."""
    entry = launchers()[name]
    spot = words[0].src[0] if words[0].src else Spot("", 1)
    place, options, module_mode = 1, {}, False
    needed = set(entry.get("words", ()))
    seen_words = 0
    values, flags = set(entry.get("values", ())), set(entry.get("flags", ()))
    while place < len(words):
        word, text = words[place], word_text(words[place])
        if text == "--":
            place += 1
            break
        if text in needed and not PROGRAM.search(text):
            needed.discard(text)
            seen_words += 1
            place += 1
            continue
        if not text.startswith("-") or text == "-":
            if "=" in text and entry["kind"] == "wrapper" and text.partition("=")[0].isidentifier():
                launch.environment[text.partition("=")[0]] = Val(text.partition("=")[2], word.src)
                place += 1
                continue
            break
        key, equals, inline = text.partition("=")
        if (key in ("-m", "--module") and "--module" in flags) or (key == "-m" and entry["kind"] == "ranks"):
            module_mode = True
            place += 1
            continue
        value, place = option_value(key, equals, inline, words, place, values, flags, entry)
        options[key.lstrip("-").replace("-", "_")] = (value, joined(word, value if not equals else word))
    optional = name in ("mpirun", "mpiexec", "composer", "accelerate-launch") or "." in name
    if entry.get("words") and not seen_words and not optional:
        return words
    if entry.get("positional") and name in entry["positional"] and place < len(words):
        place += 1
    if entry.get("image") and place < len(words):
        place += 1
    launch.launchers.append((name, spot))
    if entry.get("interspersed"):
        for later in range(place + 1, len(words)):
            key, equals, inline = word_text(words[later]).partition("=")
            if key in values and (equals or later + 1 < len(words)):
                value = Val(inline, words[later].src) if equals else words[later + 1]
                options.setdefault(key.lstrip("-").replace("-", "_"), (value, joined(words[later], value)))
    note_options(entry, options, launch, spot)
    rest = words[place:]
    if module_mode and rest:
        rest = [Val("python", rest[0].src), Val("-m", rest[0].src), *rest]
    elif (entry["kind"] == "ranks" and rest and word_text(rest[0]).endswith(".py")) or (
        entry["id"] in ("profilers", "modules") and rest and word_text(rest[0]).endswith(".py")
    ):
        rest = [Val("python", rest[0].src), *rest]
    return rest


def option_value(
    key: str,
    equals: str,
    inline: str,
    words: list[Val],
    place: int,
    values: set[str],
    flags: set[str],
    entry: dict[str, Any],
) -> tuple[Val, int]:
    """Give an option's value and the place after it; an option nobody knows takes a word that is no program."""
    word = words[place]
    if equals:
        return Val(inline, word.src), place + 1
    following = words[place + 1] if place + 1 < len(words) else None
    if key in entry.get("pairs", ()):
        return Val("", word.src), place + 3
    if key in flags or following is None:
        return Val("true", word.src), place + 1
    spelled = {key, key.replace("-", "_").replace("__", "--", 1)}
    if spelled & values or (entry.get("slurm") and key in SLURM_OPTIONS):
        return following, place + 2
    if entry.get("slurm") and not key.startswith("--") and len(key) > 2:
        return Val(key[2:], word.src), place + 1
    text = word_text(following)
    if text.startswith("-") or PROGRAM.search(text) or PYTHONS.match(text) or "/" in text:
        return Val("true", word.src), place + 1
    return following, place + 2


def note_options(
    entry: dict[str, Any], options: dict[str, tuple[Val, tuple[Spot, ...]]], launch: Launch, spot: Spot
) -> None:
    """Keep what a launcher's options say of processes, nodes and devices."""
    for key, (value, src) in options.items():
        launch.options.setdefault(f"{entry['id']}.{key}", Val(word_text(value), src))
    if entry.get("slurm"):
        for key, (value, src) in options.items():
            name = SLURM_OPTIONS.get(f"--{key.replace('_', '-')}") or SLURM_OPTIONS.get(f"-{key}")
            if not name and key and key[0] in "NnGC" and key[1:].isdigit():
                name, value = SLURM_OPTIONS[f"-{key[0]}"], Val(key[1:], src)
            if name:
                launch.slurm[name] = Val(word_text(value), src)
        return

    def first(kind: str) -> Val | None:
        for name in entry.get(kind, ()):
            if name in options:
                value, src = options[name]
                return whole_number(word_text(value), src)
        return None

    launch.nodes = first("nodes") or launch.nodes
    if entry["kind"] == "ranks":
        launch.per_node = first("processes") or launch.per_node
        launch.total = first("total") or launch.total
        if launch.per_node is None and launch.total is None and entry.get("single"):
            launch.per_node = Val(entry["single"], (Spot(spot.path, spot.line, spot.quote, "the launcher's default"),))
        note_devices(entry, options, launch)
    elif entry["kind"] == "tasks":
        launch.total = first("processes") or launch.total
        launch.per_node = first("per_node") or launch.per_node
        note_hosts(entry, options, launch)
    if "distributed" in entry:
        launch.distributed = (entry["distributed"], spot)


def note_devices(entry: dict[str, Any], options: dict[str, tuple[Val, tuple[Spot, ...]]], launch: Launch) -> None:
    """Count listed devices: `--gpus 0,1,2,3`, `--include localhost:0,1`."""
    for name in entry.get("devices", ()):
        if name in options:
            value, src = options[name]
            launch.per_node = Val(len([part for part in word_text(value).split(",") if part]), src)
    for name in entry.get("devices_count", ()):
        if name in options:
            value, src = options[name]
            launch.per_node = whole_number(word_text(value), src)
    for name in entry.get("include", ()):
        if name in options:
            value, src = options[name]
            hosts = [part for part in word_text(value).split("@") if part]
            slots = [part.partition(":")[2] for part in hosts]
            if all(slots):
                launch.total = Val(sum(len(part.split(",")) for part in slots), src)
                launch.nodes = Val(len(hosts), src)


def note_hosts(entry: dict[str, Any], options: dict[str, tuple[Val, tuple[Spot, ...]]], launch: Launch) -> None:
    """Count hosts: `-H server1:4,server2:4`."""
    for name in entry.get("hosts", ()):
        if name in options:
            value, src = options[name]
            hosts = {part.partition(":")[0] for part in word_text(value).split(",") if part}
            if hosts and not is_open(word_text(value)):
                launch.nodes = Val(len(hosts), src)


def whole_number(text: str, src: tuple[Spot, ...]) -> Val:
    """Read a count; `gpu`, `auto`, a range or an open variable is unknown."""
    known = number(text)
    if isinstance(known, int) and 0 < known < 1_000_000:
        return Val(known, src)
    return unknown(f"{text} is settled when the job starts", Val(text, src))


def read_headers(text: str, path: str) -> dict[str, Val]:
    """Read the batch headers of a script: `#SBATCH`, and of PBS and LSF the GPUs and nodes."""
    found: dict[str, Val] = {}
    for line_number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("#SBATCH"):
            parts = stripped[7:].partition(" #")[0].split()
            for place, part in enumerate(parts):
                key, equals, inline = part.partition("=")
                name = SLURM_OPTIONS.get(key)
                value = inline if equals else parts[place + 1] if place + 1 < len(parts) else ""
                if name is None and len(key) > 2 and key[:2] in SLURM_OPTIONS and not key.startswith("--"):
                    name, value = SLURM_OPTIONS[key[:2]], key[2:]
                if name is not None and value:
                    found[name] = Val(value, (Spot(path, line_number),))
        elif stripped.startswith(("#PBS -l", "#PBS -q")):
            match = re2.search(r"select=(\d+)(?:.*ngpus=(\d+))?", stripped) or re2.search(
                r"nodes=(\d+)(?:.*gpus=(\d+))?", stripped
            )
            if match is not None:
                found["nodes"] = Val(match.group(1), (Spot(path, line_number),))
                if match.group(2):
                    found["gpus_per_node"] = Val(match.group(2), (Spot(path, line_number),))
        elif stripped.startswith("#BSUB -gpu") and (match := re2.search(r"num=(\d+)", stripped)) is not None:
            found["gpus_per_node"] = Val(match.group(1), (Spot(path, line_number),))
        elif stripped and not stripped.startswith("#"):
            break
    return found


def gpus_of(text: str) -> tuple[str, int | None]:
    """Read `gpu:a100:8`, `a100:8`, `gpu:8` or `8`: the kind of GPU and how many."""
    if text.isdigit():
        return "", int(text)
    match = GPU_RESOURCE.search(text)
    if match is not None:
        return str(match.group(1) or ""), int(match.group(2)) if match.group(2) else 1 if ":" not in text else None
    kind, _, count = text.partition(":")
    return kind, int(count) if count.isdigit() else None
