"""Signs that the rows of a table follow each other in time: its columns, windows cut out of it, calls for such data."""

import ast

from schedmate.knowledge.code_words import words
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View

COLUMNS = frozenset(words("tasks.time_columns"))
CALLS = frozenset(words("tasks.time_calls"))


def follows_time(view: View, path: str) -> bool:
    """Tell a program whose file works on a table of which one row comes after the other in time."""
    if any(event.short.removesuffix("()") in CALLS for event in view.events):
        return True
    tree = view.run.trees.get(path)
    return tree is not None and any(is_window(node) or names_time(node) for node in ast.walk(tree))


def is_window(node: ast.AST) -> bool:
    """Tell a slice that moves on: `rows[place - 60 : place]`, `rows[place : place + 60]`."""
    if not isinstance(node, ast.Slice) or node.lower is None or node.upper is None:
        return False
    names = [{part.id for part in ast.walk(bound) if isinstance(part, ast.Name)} for bound in (node.lower, node.upper)]
    return bool(names[0] & names[1])


def names_time(node: ast.AST) -> bool:
    """Tell a column of times: `rows["Date"]`, `index_col="date"`, `parse_dates=True`."""
    if isinstance(node, ast.keyword):
        return node.arg == "parse_dates" or (node.arg == "index_col" and says_time(node.value))
    return isinstance(node, ast.Subscript) and says_time(node.slice)


def says_time(node: ast.AST) -> bool:
    """Tell a text that is a word of time."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and not COLUMNS.isdisjoint(words_of(text))
