"""Samples that the repository's own classes make up of random numbers."""

import ast

import re2

from schedmate.knowledge.code_words import words
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import own_data
from schedmate.readers.code.fields.data.held_samples import RANDOM, takes_from_elsewhere
from schedmate.readers.code.signs.observer import last_name
from schedmate.readers.code.values.objects import Class
from schedmate.readers.code.values.value import Value

READS = frozenset({"open", "load", "read_csv", "imread", "listdir", "glob", "load_dataset", "memmap", "File", "read"})

HELD = frozenset(words("data.given"))
"""Words in the names of what classes are made with whose samples come from elsewhere."""
HOLDERS = re2.compile(
    r"(?i)frame|array|tensor|dataset|\b(dict|list|sequence|mapping)\b.*(array|tensor|str|path)|\bpath"
)
"""Types of what samples are given in."""
COUNTS = ("num", "n", "nb", "len", "size", "max", "min", "total")
"""How names begin that count samples and hold none."""


def by_drawing(view: View) -> None:
    """Tell data that the repository's own classes make up, where no other class of theirs is there."""
    data = own_data(view) or [one for one in view.run.instances if is_of_data(one.data.cls)]
    asked = drawn_in_steps(view) if not data else []
    if (data or asked) and all(is_random(one.data.cls) for one in data or asked):
        made = (data or asked)[0].data
        name = f"synthetic data ({made.cls.name})" if data else f"{made.cls.name} (synthetic data)"
        view.keep("dataset_name", name, (made.spot, made.cls.spot), "made of random numbers")


MAKES = re2.compile(
    r"^_*(?:generate|sample|draw|make|get|next|simulate)_+(?:random_+)?"
    r"(?:trials?|batch(?:es)?|data|samples?|episodes?|inputs?|sequences?|examples?|points)$"
)
"""How methods are called that make up what a step learns from."""


NETWORKS = ("Module", "Model", "Layer", "Cell", "Env")
"""How libraries' classes end of networks and of worlds."""


def drawn_in_steps(view: View) -> list[Value]:
    """Give the only object of the repository's own that a job without loaders may have its samples made by."""
    if training_loaders(view) or not view.get("is_training"):
        return []
    classes = {one.data.cls.name: one for one in view.run.instances if makes_samples(one.data.cls)}
    return list(classes.values()) if len(classes) == 1 else []


def makes_samples(cls: Class) -> bool:
    """Tell a class that makes samples when it is asked to, and is neither a network nor a world that is acted in."""
    others = any(base.endswith(NETWORKS) for base in cls.outside())
    others |= any(cls.find(name) is not None for name in ("step", "reset", "forward"))
    names = {name for one in cls.lineage() for name in one.attrs}
    return any(map(MAKES.search, names)) and not others


def is_of_data(cls: Class) -> bool:
    """Tell a class that is built on a library's data set."""
    return any(base.rpartition(".")[2].endswith("Dataset") for base in cls.outside())


def is_random(cls: Class) -> bool:
    """Tell a class that draws its samples and reads none."""
    nodes = (node for one in cls.lineage() for node in ast.walk(one.node))
    called = {last_name(node.func) for node in nodes if isinstance(node, ast.Call)}
    reads = any(name in READS or name.startswith(("load_", "read_")) for name in called)
    methods = (node for one in cls.lineage() for node in one.node.body if isinstance(node, ast.FunctionDef))
    args = [arg for method in methods if method.name == "__init__" for arg in method.args.args]
    names = (arg.arg.lower() for arg in args)
    given = {word for name in names if not name.startswith(COUNTS) for word in name.split("_")}
    typed = any(HOLDERS.search(ast.unparse(arg.annotation)) for arg in args if arg.annotation is not None)
    return bool(called & RANDOM) and not reads and not typed and not given & HELD and not takes_from_elsewhere(cls)


RULES = (Rule(Subject.DATA, "samples that are drawn", by_drawing),)
