"""Python that stands in the command itself: behind `-c`, or on the standard input, as `python - <<EOF` has it."""

import ast

from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.python.modules.source import parse_python
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, held


def inline_value(launch: Launch) -> Value | None:
    """Give the text that is handed over as code, if it is written out."""
    if launch.kind == "code":
        value = launch.words[0] if launch.words else None
    else:
        value = launch.stdin if launch.kind == "script" and launch.name == "-" else None
    return value


def inline_code(launch: Launch) -> tuple[ast.Module, SourceLocation] | None:
    """Parse the code that the command hands over; in the tree it stands where the script or the command has it."""
    value = inline_value(launch)
    text = held(value, str)
    if value is None or text is None:
        return None
    spot = value.src[0] if value.src else SourceLocation(COMMAND, 1)
    tree, _ = parse_python(text, "")
    return (ast.increment_lineno(tree, spot.line - 1), spot) if tree is not None and tree.body else None


def is_inline(launch: Launch) -> bool:
    """Tell code in the command: beside a program it is mostly a question to the machine."""
    return launch.kind == "code" or launch.name == "-"
