"""What accelerator a job asks for by name."""

import posixpath

import re2

from schedmate.knowledge.accelerators import full_name, only_accelerator
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.value import SourceLocation, Value, is_constant

COUNTED = re2.compile(
    r"(?i)\b([0-9]+) ?[x×*]? ?((?:nvidia )?(?:v100|a100|h100|h200|a6000|a40|l40s?|t4|p100|tpu ?v[2-6]))s?\b"
)

WORKED_ON = re2.compile(r"(?i)\b(?:on|with|using|uses?|used|requires?|needs?|across|for) (?:the |a )?(?:single )?[0-9]")
"""Before a number: what a job is done on or with, while "took 8 A100" may be said of others' work."""
README_PLACES = ("README.md", "readme.md", "README.rst", "Readme.md")
FILES = (".py", ".sh", ".yaml", ".yml", ".json", ".toml")
MOST_LINES, NEAR = 2_000, 24


def no_device(view: View) -> None:
    """Take the CPU where no GPU is used."""
    gpus = view.values.get("num_gpus")
    if gpus is not None and gpus.value == 0:
        view.keep("hardware", "CPU", gpus.spots)


ASKED = ("gres", "gpus", "gpus_per_node", "constraint", "gpus_per_task", "resources", "partition", "qos", "nodelist")
"""What a request says of the accelerator, the most telling first; an account may be named after one, too."""
OTHERS = ("qos", "nodelist", "account")
"""What is named after much else: people, groups, the number of a machine."""
AMOUNT = re2.compile(r"(?i)\b([a-z][\w.]*)\s*[=<>!]+\s*[\"']*[\w.-]+")
"""What a request for resources sets a resource to, or compares it with."""
OF_GPUS = ("gpu", "card", "model", "type", "feature", "accel", "gres")
"""Words in the names of resources that are set to a kind of GPU."""


def asked_of_scheduler(view: View) -> None:
    """Take the kind that a request to the scheduler states."""
    for name in (*ASKED, "account"):
        value = view.launch.asked.get(name)
        if value is None:
            continue
        text = str(value.data)
        if name == "resources":
            keep_named(view, without_amounts(text).replace(":", " "), value)
        elif "," not in text:  # of several partitions any may be given
            keep_named(view, text.replace(":", " "), value, name not in OTHERS)


def without_amounts(text: str) -> str:
    """Take away how much is asked for of what is no GPU: `mem=4090` names no card, `gpu=t4` does."""
    for match in reversed(list(AMOUNT.finditer(text))):
        if not any(word in str(match.group(1)).lower() for word in OF_GPUS):
            text = text[: match.end(1)] + text[match.end() :]
    return text


def asked_in_code(view: View) -> None:
    """Take the kind that the program asks for when it submits itself."""
    asked = view.run.about(ProcessSigns).asked
    for key in ("slurm_constraint", "constraint", "slurm_gres", "slurm_partition"):
        value = asked.get(key)
        if value is not None and is_constant(value) and isinstance(value.data, str):
            keep_named(view, value.data, value)


def keep_named(view: View, text: str, value: Value, asked: bool = True) -> None:
    """Keep the accelerator that a text names; of several any may be given."""
    kind = only_accelerator(text, asked)
    if kind is not None:
        view.keep("hardware", kind, value.src)


def from_readme(view: View) -> None:
    """Take the accelerator of which the README, where it shows the command, counts as many as the job has."""
    gpus = view.get("num_gpus")
    names = {posixpath.basename(word_text(word)) for word in view.launch.words} if gpus else set()
    files = [name for name in names if name.endswith(FILES)]
    for path in README_PLACES if files else ():
        lines = (view.run.repository.readable_text(path) or "").split("\n")[:MOST_LINES]
        shown = [place for place, line in enumerate(lines) if any(name in line for name in files)]
        around = {near for place in shown for near in section_before(lines, place)}
        told = [(near, match) for near in sorted(around) for match in COUNTED.finditer(lines[near])]
        kinds = {full_name(str(match.group(2))) for _, match in told}
        meant = any(WORKED_ON.search(lines[near]) for near, _ in told)
        if meant and len(kinds) == 1 and all(int(match.group(1)) == gpus for _, match in told):
            view.keep("hardware", kinds.pop(), (SourceLocation(path, told[0][0] + 1),), "where the README shows it")


def section_before(lines: list[str], place: int) -> range:
    """Give the lines of a section that stand before one of its lines, not too far above, and that line."""
    start = place
    while start > max(0, place - NEAR) and not lines[start].startswith("#"):
        start -= 1
    return range(start, place + 1)


RULES = (
    Rule(Subject.HARDWARE, "no GPUs", no_device),
    Rule(Subject.HARDWARE, "requests to the scheduler", asked_of_scheduler),
    Rule(Subject.HARDWARE, "requests in the code", asked_in_code),
    Rule(Subject.HARDWARE, "the README beside the command", from_readme),
)
