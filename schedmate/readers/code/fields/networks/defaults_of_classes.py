"""Objects that only stand in a class for what its own objects hold where they are told nothing else."""

import ast

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import Instance


def is_default(view: View, made: Instance) -> bool:
    """Tell an object that is made in the body of a class: `encoder: nn.Module = Encoder()` is a part at the most."""
    tree = view.run.trees.get(made.spot.path)
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)) if tree is not None else ()
    fields = (line for node in classes for line in node.body if isinstance(line, (ast.Assign, ast.AnnAssign)))
    return any(line.lineno <= made.spot.line <= (line.end_lineno or line.lineno) for line in fields)
