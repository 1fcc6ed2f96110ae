"""The readers of code have floors: imports point down, no circle is left, nothing is imported inside a function."""

import ast
from pathlib import Path

import pytest

from tests.test_layers import nodes

ROOM = "schedmate.readers.code"
FOLDER = Path(__file__).parents[3] / "schedmate" / "readers" / "code"

FLOORS = (
    ("values",),
    ("python", "signs"),
    ("libraries", "shell"),
    ("configs",),
    ("commandline",),
    ("launchers",),
    ("evidence", "sizes"),
    ("frameworks",),
    ("adapters",),
    ("entry_points", "inline_code"),
    ("follow_program",),
    ("fields",),
    ("installed",),
    ("candidates", "verify"),
    ("open_reasons",),
    ("reader",),
)
"""From the ground up; a part imports from lower floors and from itself."""

SUBJECTS = (
    ("words",),
    ("networks", "data"),
    ("batches",),
    ("length", "rates"),
    ("devices",),
    ("tasks",),
    ("",),
)
"""The same within `fields`, whose own files lie on top."""
GROUPS = (
    ("modules",),
    ("builtins", "rounds"),
    ("",),
)
"""The same within `python`."""

HEIGHT = {part: height for height, parts in enumerate(FLOORS) for part in parts}
FILES = {
    ".".join((ROOM, *path.relative_to(FOLDER).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(FOLDER.rglob("*.py"))
}


def imports(module):
    """Give what a file imports of this room, with how deep the import stands."""
    for node in nodes(FILES[module]):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                there = below if below in FILES else node.module
                if there in FILES and there != module:
                    yield there, node.col_offset


def part(module):
    return module.removeprefix(f"{ROOM}.").split(".")[0]


def test_imports_point_down_and_stand_at_the_top():
    wrong = []
    for module in (name for name in FILES if name != ROOM):
        for there, depth in imports(module):
            if depth:
                wrong.append(f"{module} imports {there} inside a function")
            elif not (HEIGHT[part(there)] < HEIGHT[part(module)] or part(there) == part(module)):
                wrong.append(f"{module} looks up at {there}")
    assert not wrong


def test_no_files_import_each_other():
    below = {module: {there for there, _ in imports(module)} for module in FILES}
    while free := [module for module, needs in below.items() if not needs & below.keys()]:
        for module in free:
            del below[module]
    assert not below, f"these import each other: {sorted(below)}"


MOST_OPEN = 10
"""How many signatures of this room say `Any`, each with its reason beside it; the number only falls."""


def says_any(node):
    parts = (*(arg.annotation for arg in (*node.args.args, *node.args.kwonlyargs)), node.returns)
    names = (one for part in parts if part is not None for one in ast.walk(part))
    return any(isinstance(one, ast.Name) and one.id == "Any" for one in names)


def test_signatures_that_say_any_say_why():
    said = []
    for module, path in FILES.items():
        lines = path.read_text("utf-8").splitlines()
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef) and says_any(node):
                said.append(f"{module}.{node.name}")
                head = "\n".join(lines[node.lineno - 1 : node.body[0].lineno - 1])
                assert "  # Any: " in head, f"{said[-1]} says Any without a reason"
    assert len(said) <= MOST_OPEN, f"{len(said)} say Any: {said}"


def folder_within(name, module):
    """Give the folder of a part in which a module lies; empty for the part's own files."""
    inside = module.removeprefix(f"{ROOM}.{name}").lstrip(".").split(".")
    return inside[0] if (FOLDER / name / inside[0]).is_dir() else ""


@pytest.mark.parametrize(("name", "floors"), [("fields", SUBJECTS), ("python", GROUPS)])
def test_folders_of_a_part_have_floors_too(name, floors):
    heights = {folder: height for height, folders in enumerate(floors) for folder in folders}
    wrong = []
    for module in (one for one in FILES if part(one) == name and one != f"{ROOM}.{name}"):
        for there, _ in imports(module):
            here, below = folder_within(name, module), folder_within(name, there)
            if part(there) == name and here != below and heights[below] >= heights[here]:
                wrong.append(f"{module} looks up at {there}")
    assert not wrong
    assert set(heights) == {folder_within(name, one) for one in FILES if part(one) == name}
