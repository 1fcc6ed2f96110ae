"""Python's parser, one thread at a time.

CPython 3.11 counts the depth of a tree in a place that all threads share: two that parse at once may each be told
"AST constructor recursion depth mismatch". Filters of warnings are shared just so.
"""

import ast
import re
import threading
import warnings
from typing import Any, TypeVar

from schedmate.tools.plain_text import encodable

PARSING = threading.RLock()

HALF = re.compile(r"\\(?:u|U0000)[dD][89a-fA-F]")
"""How half of a character is written, of which a text may hold any number though no file can."""
Tree = TypeVar("Tree", bound=ast.AST)


def parse_module(text: str) -> ast.Module:
    """Parse a file, without the warnings that its author should have had."""
    with PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return without_halves(ast.parse(text), text)


def parse_expression(text: str) -> ast.expr:
    """Parse one expression."""
    with PARSING:
        return without_halves(ast.parse(text, mode="eval").body, text)


def literal_value(text: str) -> Any:
    """Read a literal: numbers, texts, lists and the like; nothing is run."""
    with PARSING:
        return ast.literal_eval(without_halves(ast.parse(text.strip(" \t"), mode="eval"), text))


def without_halves(tree: Tree, text: str) -> Tree:
    """Make every text in a tree one that can be written."""
    if HALF.search(text):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = encodable(node.value)
    return tree
