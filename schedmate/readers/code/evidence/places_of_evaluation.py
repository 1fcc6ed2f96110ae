"""Places in code that only an evaluation comes to: modules named after it, calls that are given its data."""

import ast
from collections.abc import Iterator, Mapping

import re2

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.values.value import SourceLocation

FOLDERS = re2.compile(r"(?:^|/)(?:metrics?|tests?|eval|evals|evaluation|evaluations)/")
"""Folders of what measures a model."""
USES = frozenset({"infer", "inference", "predict", "predicts", "prediction", "predictions"})
"""Words of modules and functions that do something else with a model than to train it."""
DATA = ("dataset", "data", "loader", "dataloader", "x", "inputs", "generator")
"""By which names calls are given what they go over."""


def is_module_of_evaluation(path: str) -> bool:
    """Tell a module that is named after evaluation, or lies among those: `evaluate.py`, `qa_tests.py`."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return FOLDERS.search(path) is not None or speaks_of_evaluation(stem)


def speaks_of_evaluation(name: str) -> bool:
    """Tell a name with a word of evaluation or of use, and none of training."""
    said = words_of(name)
    if any(word.startswith("train") for word in said):
        return False
    return tells_evaluation(name) or not USES.isdisjoint(said)


def is_given_to_evaluation(spot: SourceLocation, trees: Mapping[str, ast.AST | None]) -> bool:
    """Tell a number that is written into a call of an evaluation: `val_data.generate(batch_size=1)`.

    The same holds of one that a function named after evaluation gives a name of its own.
    """
    tree = trees.get(spot.path)
    nodes = list(ast.walk(tree)) if tree is not None else []
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    around = [call for call in calls if any(stands_at(given, spot.line) for given in arguments_of(call))]
    if any(speaks_of_evaluation(name) for call in around for name in telling_names(call)):
        return True
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef) and speaks_of_evaluation(node.name)]
    return any(
        isinstance(one, ast.Assign) and stands_at(one.value, spot.line)
        for function in functions
        for one in function.body
    )


def arguments_of(call: ast.Call) -> Iterator[ast.expr]:
    """Give what a call is given, by place and by name."""
    yield from call.args
    yield from (one.value for one in call.keywords)


def stands_at(node: ast.expr, line: int) -> bool:
    """Tell a number that is written out in a line, be it worked out there: `4096 * 4`."""
    parts = list(ast.walk(node)) if isinstance(node, ast.BinOp) else [node]
    plain = all(isinstance(one, (ast.BinOp, ast.Constant, ast.operator)) for one in parts)
    return plain and node.lineno == line and any(type(getattr(one, "value", None)) is int for one in parts)


def telling_names(call: ast.Call) -> Iterator[str]:
    """Give the names of a call and of the data that it is given, where none of them speaks of training."""
    data = [*call.args[:1], *(one.value for one in call.keywords if one.arg in DATA)]
    named = [node for one in (call.func, *data) for node in ast.walk(one)]
    names = [node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in named]
    if not any(word.startswith("train") for name in names for word in words_of(name)):
        yield from filter(None, names)
