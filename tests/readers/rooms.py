"""Rooms whose folders are called in an order: each imports only from those before it, and the room's words name all."""

import ast

from tests.test_layers import nodes


def part_of(path, folder):
    return path.relative_to(folder).with_suffix("").parts[0]


def wrong_imports(room, folder, order):
    """Give the imports that do not point to what is called before."""
    height = {part: height for height, parts in enumerate(order) for part in parts}
    wrong = []
    for path in folder.rglob("*.py"):
        if path.name == "__init__.py":
            continue
        here = part_of(path, folder)
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{room.__name__}."):
                there = node.module.removeprefix(f"{room.__name__}.").split(".")[0]
                if there != here and height[there] >= height[here]:
                    wrong.append(f"{path.relative_to(folder)} imports {node.module}")
    return wrong


def parts_there(folder):
    """Give the folders and files of a room."""
    return {path.stem for path in folder.iterdir() if path.stem not in {"__init__", "__pycache__"}}


def unnamed_files(folder):
    """Give the files that their folder's own words do not name."""
    unnamed = []
    for inner in filter(lambda path: path.is_dir() and path.name != "__pycache__", folder.iterdir()):
        told = ast.get_docstring(ast.parse((inner / "__init__.py").read_text("utf-8")))
        files = {path.stem for path in inner.glob("*.py")} - {"__init__"}
        unnamed += [f"{inner.name}/{name}" for name in files if f"`{name}`" not in told]
    return unnamed
