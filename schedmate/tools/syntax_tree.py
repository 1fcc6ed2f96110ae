"""Python's parser, one thread at a time.

CPython 3.11 counts the depth of a tree in a place that all threads share: two that parse at once may each be told
"AST constructor recursion depth mismatch". Filters of warnings are shared just so.
"""

import ast
import threading
import warnings
from typing import Any

PARSING = threading.RLock()


def parse_module(text: str) -> ast.Module:
    """Parse a file, without the warnings that its author should have had."""
    with PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """Parse one expression."""
    with PARSING:
        return ast.parse(text, mode="eval").body


def literal_value(text: str) -> Any:
    """Read a literal: numbers, texts, lists and the like; nothing is run."""
    with PARSING:
        return ast.literal_eval(text)
