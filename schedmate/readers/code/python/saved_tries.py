"""`try` around what an earlier run may have saved: where nothing was, the handler trains, or a flag stays as it is."""

import ast
from collections.abc import Iterator

from schedmate.tools.late_patterns import late_re2

LOADS = frozenset({"load", "load_model", "load_weights", "load_state_dict", "load_checkpoint", "restore"})
"""How functions and methods are called that read a network which was saved."""
OF_DATA = frozenset(
    [
        "", "json", "ujson", "orjson", "simplejson", "yaml", "toml", "tomllib", "np", "numpy", "jnp", "pickle",
        "cPickle", "dill", "csv", "OmegaConf", "msgpack",
    ]
)  # fmt: skip
"""Whose `load` reads settings or data."""
TRAINS = late_re2(
    r"(?i)^(?:\w+_)?(?:fit|train|learn)(?:_(?:model|network|net|agent|policy|loop|from_scratch))?$"
    r"|^(?:run|start|do|begin)_training$"
)
"""How functions and methods are called that make one."""


def tries_what_was_saved(node: ast.Try) -> bool:
    """Tell a `try` that loads a network, and whose error or success decides whether one is trained."""
    loads = any(name in LOADS and (name != "load" or owner not in OF_DATA) for owner, name in called(node.body))
    if not node.handlers or not loads:
        return False
    flags = any(isinstance(one, ast.Assign) and is_flag(one.value) for one in node.body)
    return flags or any(TRAINS.search(name) for _, name in called(node.handlers[0].body))


def is_flag(value: ast.expr) -> bool:
    """Tell `True` and `False`."""
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def called(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Give the last names of what statements call, each with the name in front of it."""
    for one in body:
        for call in ast.walk(one):
            if isinstance(call, ast.Call):
                owner = getattr(call.func, "value", None)
                front = getattr(owner, "attr", getattr(owner, "id", "")) if owner is not None else ""
                yield front, getattr(call.func, "attr", getattr(call.func, "id", ""))
