"""Loops that put the lines of a file together again: what they make is the file's text, whatever its comments were."""

import ast

from schedmate.readers.code.python.assignments import assign
from schedmate.readers.code.values.objects import FileHandle, FileText
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import SourceLocation, Value

JSON = (".json", ".jsonc", ".json5")
"""Files whose readers here leave comments out by themselves."""


def gather_lines(run: Run, node: ast.For | ast.AsyncFor, scope: Scope, items: Value) -> bool:
    """Give the name to which a loop adds line by line the file's text; tell whether it is such a loop."""
    handle, line = items.data, node.target
    if not isinstance(handle, FileHandle) or not handle.path.endswith(JSON) or not isinstance(line, ast.Name):
        return False
    gathered = [target for one in node.body if (target := added_to(one, line.id)) is not None]
    if len(gathered) != 1 or not all(is_about_line(one, line.id) for one in node.body):
        return False
    before = run.evaluate(gathered[0], scope)
    text = run.read_text(handle.path) if before.data == "" and handle.path not in run.written else None
    if text is None:
        return False
    known = FileText(text)
    known.path = handle.path
    target = ast.copy_location(ast.Name(gathered[0].id, ast.Store()), gathered[0])
    assign(run, target, Value(known, (SourceLocation(handle.path, 1),)), scope)
    return True


def added_to(statement: ast.stmt, line: str) -> ast.Name | None:
    """Give the name to which a statement adds something made of the line."""
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Add):
        return None
    target, names = statement.target, {one.id for one in ast.walk(statement.value) if isinstance(one, ast.Name)}
    if not isinstance(target, ast.Name) or target.id == line or line not in names:
        return None
    return ast.copy_location(ast.Name(target.id), target)


def is_about_line(statement: ast.stmt, line: str) -> bool:
    """Tell a statement that cleans the line, or adds it to the text."""
    if isinstance(statement, ast.Assign):
        return all(isinstance(target, ast.Name) and target.id == line for target in statement.targets)
    return added_to(statement, line) is not None
