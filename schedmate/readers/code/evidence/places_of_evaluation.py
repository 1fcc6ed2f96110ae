"""Places in code that only an evaluation comes to: modules named after it, calls that are given its data."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import re2

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.values.run import Run
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


@dataclass
class EvaluationLines:
    """The lines of each file, asked about so far, in which numbers are an evaluation's."""

    of_file: dict[str, frozenset[int]] = field(default_factory=dict)


def is_given_to_evaluation(run: Run, spot: SourceLocation) -> bool:
    """Tell a number that is written into a call of an evaluation: `val_data.generate(batch_size=1)`.

    The same holds of one that a function named after evaluation gives a name of its own.
    """
    known = run.about(EvaluationLines).of_file
    if spot.path not in known:
        tree = run.trees.get(spot.path)
        known[spot.path] = frozenset(lines_of_evaluation(tree)) if tree is not None else frozenset()
    return spot.line in known[spot.path]


def lines_of_evaluation(tree: ast.AST) -> Iterator[int]:
    """Give the lines of numbers that calls of an evaluation are given, and functions named after it set."""
    for node in ast.walk(tree):
        given: Iterable[ast.expr] = ()
        if isinstance(node, ast.Call):
            given = [one for one in arguments_of(node) if is_written_out(one)]
            given = given if given and any(map(speaks_of_evaluation, telling_names(node))) else ()
        elif isinstance(node, ast.FunctionDef) and speaks_of_evaluation(node.name):
            given = [one.value for one in node.body if isinstance(one, ast.Assign) and is_written_out(one.value)]
        yield from (one.lineno for one in given)


def arguments_of(call: ast.Call) -> Iterator[ast.expr]:
    """Give what a call is given, by place and by name."""
    yield from call.args
    yield from (one.value for one in call.keywords)


def is_written_out(node: ast.expr) -> bool:
    """Tell a number that stands in the code, be it worked out there: `4096 * 4`."""
    parts = list(ast.walk(node)) if isinstance(node, ast.BinOp) else [node]
    plain = all(isinstance(one, (ast.BinOp, ast.Constant, ast.operator)) for one in parts)
    return plain and any(type(getattr(one, "value", None)) is int for one in parts)


def telling_names(call: ast.Call) -> Iterator[str]:
    """Give the names of a call and of the data that it is given, where none of them speaks of training."""
    data = [*call.args[:1], *(one.value for one in call.keywords if one.arg in DATA)]
    named = [node for one in (call.func, *data) for node in ast.walk(one)]
    names = [node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in named]
    if not any(word.startswith("train") for name in names for word in words_of(name)):
        yield from filter(None, names)
