"""Packages whose parts are imported when they are asked for: `lazy_loader.attach`, with a table or a stub beside it."""

import ast

from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Items, Value, mapping_of, sequence_of, unknown

TABLE = "_import_structure"
"""Under which name a package keeps which part holds what."""
LARGEST_STUB = 200_000

GIVEN = 3
"""What attaching gives: `__getattr__`, `__dir__` and `__all__`."""


def attach(call: Call) -> Value | None:
    """Model `attach(__name__, submodules, submod_attrs)`: the package knows which part holds which name."""
    parts: Items = dict(mapping_of(call.arg(2, "submod_attrs")))
    parts |= {one.data: Value([]) for one in sequence_of(call.arg(1, "submodules")) if isinstance(one.data, str)}
    return keep_table(call, parts)


def attach_stub(call: Call) -> Value | None:
    """Model `attach_stub(__name__, __file__)`: what the stub beside the package imports from its parts."""
    text = call.run.read_text(f"{call.scope.module.path}i", LARGEST_STUB)
    return keep_table(call, parts_in(text)) if text is not None else None


def parts_in(text: str) -> Items:
    """Read which part holds what from the imports of a stub: `from .nets import Net`."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return {}
    near = [node for node in body if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module]
    return {str(node.module): Value([Value(one.asname or one.name) for one in node.names]) for node in near}


def keep_table(call: Call, parts: Items) -> Value:
    """Keep the table where the package's names are looked up."""
    call.scope.module.vars[TABLE] = Value(parts, (call.spot,))
    return Value(tuple(unknown("what is imported when it is asked for") for _ in range(GIVEN)), (call.spot,))


HOOKS: dict[str, Hook] = {"lazy_loader.attach": attach, "lazy_loader.attach_stub": attach_stub}
