"""What the repository's own classes of data say of the data."""

import ast

from schedmate.knowledge.datasets import known_dataset, plain_words
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Class, Instance
from schedmate.readers.code.values.value import Value

RANDOM = frozenset({"rand", "randn", "randint", "random", "normal", "uniform", "rand_like", "randn_like"})
READS = frozenset({"open", "load", "read_csv", "imread", "listdir", "glob", "load_dataset", "memmap", "File", "read"})


HELD = frozenset({"dataset", "datasets", "base_dataset", "paths", "files", "root"})
"""What classes are made with whose samples come from elsewhere."""


def by_own_class(view: View, loaders: list[Event]) -> None:
    """Take the name of the repository's own class of data, where it says more than that it is one."""
    for event in loaders:
        data = event.arg(0, "dataset")
        if data is None or not isinstance(data.data, Instance):
            continue
        data = unwrapped(data)
        cls = data.data.cls
        spots = (data.data.spot, cls.spot)
        known = known_dataset(cls.scope.path.rpartition("/")[2].rpartition(".")[0])
        if known is not None:
            view.keep("dataset_name", known.name, spots, f"the name of {cls.scope.path}")
        elif is_random(cls):
            view.keep("dataset_name", f"synthetic data ({cls.name})", spots, "made of random numbers")
        elif any(word not in plain_words()["classes"] and not word.isdigit() for word in words_of(cls.name)):
            view.keep("dataset_name", cls.name, spots)


def unwrapped(data: Value) -> Value:
    """Give the data inside wrappers that repeat, join or cut them."""
    for _ in range(5):
        held = data.data.attrs.get("dataset") or data.data.attrs.get("datasets")
        items = held.data if held is not None and isinstance(held.data, (list, tuple)) else [held]
        inner = items[0] if items else None
        if inner is None or not isinstance(inner.data, Instance):
            return data
        data = inner
    return data


def is_random(cls: Class) -> bool:
    """Tell a class that draws its samples and reads none."""
    called = {
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
        for one in cls.lineage()
        for node in ast.walk(one.node)
        if isinstance(node, ast.Call)
    }
    reads = any(name in READS or name.startswith(("load_", "read_")) for name in called)
    given = {
        arg.arg
        for one in cls.lineage()
        for node in one.node.body
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        for arg in node.args.args
    }
    return bool(called & RANDOM) and not reads and not given & HELD
