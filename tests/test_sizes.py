"""How large things may grow: a file holds one idea, a function fits on a screen; ruff counts the branches."""

import ast

from tests.test_layers import FILES, PACKAGE, nodes

MOST_LINES, MOST_OF_A_FUNCTION = 320, 60


def test_files_stay_small():
    long = {str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines()) for path in FILES}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def test_functions_stay_small():
    long = {}
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if lines > MOST_OF_A_FUNCTION:
                    long[f"{path.relative_to(PACKAGE)}:{node.name}"] = lines
    assert long == {}
