"""How things are called and where they stand: one class name has one meaning, constants come before their use."""

import ast
import re
from pathlib import Path

from tests.test_layers import FILES, PACKAGE, nodes, tree

TESTS = Path(__file__).parent
CODE = PACKAGE / "readers" / "code"
PRINTED = {"answer_types.py", "reports/findings.py", "web/api_types.py"}
"""What is printed is named for those who read it, who see one answer and not the house."""
TYPED = {"graphs", "scheduling", "clusters", "readers"}
"""Rooms of which no signature says `Any` without a reason beside it."""
THEMES = {
    "cgroups": "a whole machine with systemd and control groups",
    "contract": "what every engine has to do",
    "engines": "programs that have to be installed first",
    "evals": "the package beside schedmate",
    "graphs/extract": "one graph of many turns",
    "readers/code/families": "whole programs, by what they train with",
    "readers/code/spreading": "whole programs, by how they spread over processes",
    "slurm": "a real cluster on this machine",
    "st": "an embedding model that has to be installed first",
}
"""Folders of tests that stand for no folder of the package."""
BY_IDEA = {
    "bad_input": "hostile repositories",
    "configs/own_hydra_entries": "a program's own entry around Hydra",
    "floors": "the heights of this room",
    "frameworks/own_update_rules": "gradients that a program applies itself",
    "fuzzing": "drawn programs",
    "installed/more_programs": "programs of science, translation, sound and play",
    "installed/tool_configurations": "tools that are read by their configuration",
    "installed/tool_words": "words that only look like an installed program's",
    "launchers/own_submitters": "a repository's own program that submits",
    "launchers/wrappers": "several launchers, one in another",
    "odd_numbers": "numbers that are none, or too long",
    "python/agreement": "the whole interpreter beside Python",
    "python/newer_python": "what came with a version",
    "python/side_work": "what trains and is not the job",
    "shell/copies": "files that are read at a new place",
    "shell/read": "one builtin of many ways",
}
"""Tests of readers/code that are named after an idea and not after their module."""


NAMED = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|toml))(?:::\w+)?`")
"""A file with its folder, as guides write it."""


def test_files_that_guides_name_are_there():
    here = TESTS.parent
    folders = ("schedmate", "evals", "benchmarks", "tests", "examples", "packaging")
    known = {path.as_posix() for folder in folders for path in (here / folder).rglob("*.*")}
    wrong = []
    for guide in (here / "CONTRIBUTING.md", *sorted((here / "docs").glob("*.md"))):
        for name in NAMED.findall(guide.read_text("utf-8")):
            stands_for_many = any(part.isupper() for part in re.split(r"[/.]", name))
            if not stands_for_many and not any(path.endswith(f"/{name}") for path in known):
                wrong.append(f"{guide.name}: {name}")
    assert not wrong


def test_folders_of_tests_are_those_of_the_package():
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")}
    assert {folder for folder in folders if not (PACKAGE / folder).is_dir()} == set(THEMES)


def is_of_a_module(name):
    """Tell whether a test's name begins with its module's; behind it may stand a part, where one file has no room."""
    folder, _, words = name.rpartition("/")
    parts = words.split("_")
    begins = (CODE / folder / "_".join(parts[:many]) for many in range(len(parts), 0, -1))
    return any(place.with_suffix(".py").exists() or place.is_dir() for place in begins)


def test_tests_of_the_readers_of_code_stand_where_their_modules_stand():
    here = TESTS / "readers" / "code"
    odd = []
    for path in here.rglob("test_*.py"):
        name = path.relative_to(here).with_suffix("").as_posix().replace("test_", "")
        if not is_of_a_module(name) and path.parent.relative_to(TESTS).as_posix() not in THEMES:
            odd.append(name)
    assert sorted(odd) == sorted(BY_IDEA)


def test_one_class_name_has_one_meaning():
    """Who finds a name in another room may take it for what he knows: call it by what it is there."""
    found = {}
    for path in FILES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and path.relative_to(PACKAGE).as_posix() not in PRINTED:
                found.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    twice = {name: where for name, where in found.items() if len(where) > 1}
    assert twice == {}


def test_the_docstring_of_a_constant_is_of_no_other():
    """Put between a constant and its docstring, another would take it: leave a blank line above who has one."""
    unclear = []
    for path in (one for top in ("schedmate", "evals", "benchmarks") for one in (TESTS.parent / top).rglob("*.py")):
        body = tree(path).body
        for above, constant, below in zip(body, body[1:], body[2:], strict=False):
            documented = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            if documented and is_constant(above) and is_constant(constant) and constant.lineno == above.end_lineno + 1:
                unclear.append(f"{path.relative_to(TESTS.parent)}:{constant.lineno}")
    assert unclear == []


def is_constant(node):
    return isinstance(node, ast.Assign | ast.AnnAssign)


def says_any(node):
    own = node.args
    given = (*own.posonlyargs, *own.args, *own.kwonlyargs, *filter(None, (own.vararg, own.kwarg)))
    return any(map(has_any, (*(one.annotation for one in given), node.returns)))


def has_any(written):
    """Tell whether an annotation has `Any` in it, as a name or within a text."""
    parts = ast.walk(written) if written else ()
    return any("Any" in (getattr(one, "id", ""), getattr(one, "attr", ""), getattr(one, "value", "")) for one in parts)


def types_told(path):
    """Give what other files see of a file's types beside signatures: what its names mean, what its objects hold."""
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.Name):
            yield node.lineno, node.value
        elif isinstance(node, ast.AnnAssign):
            yield node.lineno, node.annotation
    for node in nodes(path):
        if isinstance(node, ast.ClassDef):
            yield from ((one.lineno, one.annotation) for one in node.body if isinstance(one, ast.AnnAssign))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            yield node.lineno, node.annotation


def test_no_signature_says_any_without_a_reason():
    wrong = []
    for path in FILES:
        if path.relative_to(PACKAGE).parts[0] in TYPED:
            lines = path.read_text("utf-8").splitlines()
            for node in nodes(path):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and says_any(node):
                    head = "\n".join(lines[node.lineno - 1 : node.body[0].lineno - 1])
                    if "# Any: " not in head:
                        wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert not wrong


def test_nothing_that_is_kept_says_any_without_a_reason():
    wrong = []
    for path in FILES:
        if path.relative_to(PACKAGE).parts[0] in TYPED:
            lines = path.read_text("utf-8").splitlines()
            found = {line for line, written in types_told(path) if has_any(written)}
            wrong += [
                f"{path.relative_to(PACKAGE)}:{line}" for line in sorted(found) if "# Any: " not in lines[line - 1]
            ]
    assert not wrong


def needs(value, made):
    """Tell the line of the last function or class of its file that a constant is made with; 0: of none."""
    return max((made.get(one.id, 0) for one in ast.walk(value) if isinstance(one, ast.Name)), default=0)


def test_constants_stand_above_the_code_that_uses_them():
    wrong = []
    for path in FILES:
        body = tree(path).body
        code = [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        made, used = {node.name: node.lineno for node in code}, {}
        for node in code:
            for name in {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}:
                used.setdefault(name, node.lineno)
        for node in body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                first = min((used.get(one.id, node.lineno) for one in targets if isinstance(one, ast.Name)), default=0)
                if needs(node.value, made) < first < node.lineno:
                    wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} is used from line {first} on")
    assert not wrong
