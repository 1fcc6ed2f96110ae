"""The folders of the reader of progress are called in an order, and each imports only from those before it."""

import ast
from pathlib import Path

import schedmate.readers.progress as room
from tests.test_layers import nodes

FOLDER = Path(room.__file__).parent
ORDER = (
    ("lines",),
    ("text",),
    ("kinds",),
    ("streams",),
    ("rows",),
    ("step_time",),
    ("loop",),
    ("answer",),
    ("learning", "reading", "paper"),
    ("tracker",),
    ("whole",),
    ("watch",),
)
HEIGHT = {part: height for height, parts in enumerate(ORDER) for part in parts}


def part_of(path):
    return path.relative_to(FOLDER).with_suffix("").parts[0]


def test_imports_point_to_what_is_called_before():
    wrong = []
    for path in FOLDER.rglob("*.py"):
        if path.name == "__init__.py":
            continue
        here = part_of(path)
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{room.__name__}."):
                there = node.module.removeprefix(f"{room.__name__}.").split(".")[0]
                if there != here and HEIGHT[there] >= HEIGHT[here]:
                    wrong.append(f"{path.relative_to(FOLDER)} imports {node.module}")
    assert not wrong


def test_each_part_stands_in_the_order_and_in_the_words_of_the_room():
    there = {path.stem for path in FOLDER.iterdir() if path.stem not in {"__init__", "__pycache__"}}
    assert there == set(HEIGHT)
    assert all(f"`{part}`" in (room.__doc__ or "") for part in there)


def test_each_folder_names_all_its_files():
    for folder in filter(Path.is_dir, FOLDER.iterdir()):
        if folder.name == "__pycache__":
            continue
        told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
        files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
        assert {name for name in files if f"`{name}`" not in told} == set()
