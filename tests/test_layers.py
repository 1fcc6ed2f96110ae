"""Imports point one way through the house; nothing looks up, and only the named rooms know the outside world."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "schedmate"

HEIGHT = {
    "bad_values": 0,
    "choices": 1,
    "counts": 0,
    "errors": 0,
    "user_dirs": 0,
    "schemas": 0,
    "settings": 1,
    "knowledge": 2,
    "prompts": 2,
    "tools": 3,
    "models": 4,
    "workers": 5,
    "history": 5,
    "traces": 4,
    "readers": 6,
    "agents": 7,
    "graphs": 8,
    "scheduling": 9,
    "clusters": 9,
    "selftest": 9,
    "answer_fields": 0,
    "answer_types": 1,
    "batch": 10,
    "watching": 10,
    "__init__": 10,
    "reports": 11,
    "answers": 12,
    "mcp": 13,
    "web": 13,
    "cli": 14,
    "__main__": 15,
}
"""How high each room lies; a room imports from lower rooms and from itself."""

BESIDE = {("scheduling", "clusters")}

KNOWN_ONLY_TO = {
    "langgraph": {"graphs", "scheduling"},
    "langchain_openai": {"models"},
    "openai": {"models"},
    "langchain_community": {"models"},
    "outlines": {"models"},
    "sentence_transformers": {"models"},
    "transformers": {"models"},
    "chromadb": {"history"},
    "pynvml": {"tools"},
    "mcp": {"mcp"},
    "starlette": {"web"},
    "jinja2": {"web"},
    "ray": {"clusters", "batch"},
    "pyarrow": {"batch"},
    "fsspec": {"batch"},
    "typer": {"cli"},
}
"""Which rooms may import a library; a library that is swapped is swapped in one place."""

FILES = sorted(PACKAGE.rglob("*.py"))
KNOWN = set(FILES)
FOLDERS = {".".join(path.relative_to(ROOT).parts) for path in PACKAGE.rglob("*") if path.is_dir()}


def room(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


@cache
def tree(path):
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path):
    """Give all nodes of a file; many tests look at all of them, and walking costs more than looking."""
    return tuple(ast.walk(tree(path)))


@cache
def imported_modules(path):
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; absolute ones can be searched for"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            folders = [name for name in names if name in FOLDERS]
            found += names if node.module == "schedmate" else [node.module, *folders]
    return found


def imports():
    """Give each file with each module that it imports."""
    return [(path, module) for path in FILES for module in imported_modules(path)]


def test_imports_point_down():
    wrong = []
    for path, module in imports():
        here = room(path)
        if module.split(".")[0] in {"evals", "tests"}:
            wrong.append(f"{path.name} imports {module}: nothing in the package may")
        if not module.startswith("schedmate."):
            continue
        there = module.split(".")[1]
        if there not in HEIGHT:
            there = "__init__"
        if not (there == here or HEIGHT[there] < HEIGHT[here] or (here, there) in BESIDE):
            wrong.append(f"{path.relative_to(PACKAGE)}: {here} looks up at {there} ({module})")
    assert not wrong


def test_outside_libraries_stay_in_their_rooms():
    wrong = []
    for path, module in imports():
        rooms = KNOWN_ONLY_TO.get(module.split(".")[0])
        if rooms is not None and room(path) not in rooms:
            wrong.append(f"{path.relative_to(PACKAGE)}: {module} belongs to {sorted(rooms)}")
    assert not wrong


def file_of(module):
    """Give the file of a module of the package; None for what is none."""
    place = ROOT / module.replace(".", "/")
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path in KNOWN), None)


def files_needed(path):
    """Give the files of the package that a file imports: at its head, within functions or for types alone."""
    names = [
        (node.module, alias.name) for node in nodes(path) if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    return {file_of(f"{module}.{name}") or file_of(module) for module, name in names} - {path, None}


def test_no_files_import_each_other_in_a_circle():
    waiting = {path: files_needed(path) for path in FILES}
    while free := [path for path, needs in waiting.items() if not needs & waiting.keys()]:
        for path in free:
            del waiting[path]
    assert not waiting, "those, and what leads to them, stand in a circle"


ENGINES_OWN = {"local", "slurm", "ray", "kubernetes"}
"""Engines, each in a folder of its own; who simulates builds a cluster of `clusters/simulation` himself."""
BENEATH = {
    "runner": set(),
    "": {"runner"},
    "local": {"", "runner"},
    "ray": {"", "runner", "local"},
    "slurm": {""},
    "kubernetes": {""},
    "simulation": {""},
}
"""The folders of `clusters` and which others each may import; what all engines share lies on top, under no name."""
CHOOSES = PACKAGE / "clusters" / "engines.py"
"""The one file above engines that opens them."""


def test_only_clusters_know_engines():
    """Whoever is above asks what the Protocols offer; which engine it is, `clusters.engines` alone knows."""
    wrong = []
    for path, module in imports():
        name = module.removeprefix("schedmate.clusters.").partition(".")[0]
        if path == PACKAGE / "cli" / f"{name}.py":
            continue  # the commands that are this engine's own
        if room(path) != "clusters" and module.startswith("schedmate.clusters.") and name in ENGINES_OWN:
            wrong.append(f"{path.relative_to(PACKAGE)} knows the engine {module}")
    assert not wrong


def folder_of(parts):
    """Give the folder of `clusters` in which a file or a module lies; empty: in none."""
    return parts[0] if parts[0] in BENEATH else ""


def test_engines_do_not_know_each_other():
    wrong = []
    for path, module in imports():
        if room(path) == "clusters" and module.startswith("schedmate.clusters.") and path != CHOOSES:
            here = folder_of(path.relative_to(PACKAGE / "clusters").parts)
            there = folder_of(module.removeprefix("schedmate.clusters.").split("."))
            if there != here and there not in BENEATH[here]:
                wrong.append(f"{path.relative_to(PACKAGE)}: {here or 'what engines share'} looks at {module}")
    assert not wrong
    folders = {path.parent.name for path in (PACKAGE / "clusters").glob("*/__init__.py")}
    assert folders | {""} == set(BENEATH)


def test_a_runner_needs_nothing_but_python():
    """It is started as a plain file, by the loop or by a node of Ray's, where none of our libraries are."""
    wrong = []
    for path, module in imports():
        if path.parent == PACKAGE / "clusters" / "runner":
            own = module.startswith("schedmate.clusters.runner")
            if not own and module.split(".")[0] not in sys.stdlib_module_names:
                wrong.append(f"{path.name} imports {module}")
    assert not wrong


def nodes_outside(*rooms):
    """Give each file outside some rooms with each node of its tree."""
    return [(path, node) for path in FILES if room(path) not in rooms for node in nodes(path)]


def test_nobody_above_sets_a_cluster_up_from_within():
    """A hook that is assigned from outside is a contract that no Protocol tells of."""
    wrong = []
    for path, node in nodes_outside("clusters", "traces"):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name | ast.Attribute):
                owner = target.value.id if isinstance(target.value, ast.Name) else target.value.attr
                if owner == "cluster":
                    wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} assigns to the cluster's {target.attr}")
    assert not wrong


SQL = re.compile(r"\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) [\w*(]+.*\b(?:FROM|VALUES|SET|WHERE)\b", re.DOTALL)


def test_sql_stands_in_history_alone():
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} speaks SQL"
        for path, node in nodes_outside("history")
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    ]
    assert not wrong


def test_only_agents_read_prompts():
    readers = {room(path) for path in FILES if any(m.startswith("schedmate.prompts") for m in imported_modules(path))}
    assert readers <= {"agents"}


def test_every_room_has_a_height():
    rooms = {room(path) for path in FILES}
    assert rooms <= set(HEIGHT), "a new room needs its place in HEIGHT and in the design"
