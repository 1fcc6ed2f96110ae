"""`try` around what an earlier run may have saved: where nothing was, the handler trains, or a flag stays as it is."""

import ast
from collections.abc import Iterator

from schedmate.tools.late_patterns import late_re2

LOADS = frozenset({"load", "load_model", "load_weights", "load_state_dict", "load_checkpoint", "restore"})
"""How functions and methods are called that read a network which was saved."""
TRAINS = late_re2(r"(?i)(?:^|_)(?:fit|train|learn)(?:_|ing|$)")
"""How functions and methods are called that make one."""


def tries_what_was_saved(node: ast.Try) -> bool:
    """Tell a `try` that loads a network, and whose error or success decides whether one is trained."""
    if not node.handlers or not any(name in LOADS for name in called(node.body)):
        return False
    flags = any(isinstance(one, ast.Assign) and is_flag(one.value) for one in node.body)
    return flags or any(TRAINS.search(name) for name in called(node.handlers[0].body))


def is_flag(value: ast.expr) -> bool:
    """Tell `True` and `False`."""
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def called(body: list[ast.stmt]) -> Iterator[str]:
    """Give the last names of what statements call."""
    for one in body:
        for call in ast.walk(one):
            if isinstance(call, ast.Call):
                yield getattr(call.func, "attr", getattr(call.func, "id", ""))
