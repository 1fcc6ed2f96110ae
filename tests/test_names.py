"""How things are called and where they stand: one class name has one meaning, constants come before their use."""

import ast
from pathlib import Path

from tests.test_layers import FILES, PACKAGE, tree

TESTS = Path(__file__).parent
CODE = PACKAGE / "readers" / "code"
SAME_NAME = {
    "Answer": "what each graph hands out",
    "Job": "a job, and what each graph is told of one",
}
"""Classes of one name, with the reason."""
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
    "fuzzing": "drawn programs",
    "installed/tool_configurations": "tools that are read by their configuration",
    "installed/tool_words": "words that only look like an installed program's",
    "launchers/own_submitters": "a repository's own program that submits",
    "launchers/wrappers": "several launchers, one in another",
    "python/agreement": "the whole interpreter beside Python",
    "python/side_work": "what trains and is not the job",
    "shell/read": "one builtin of many ways",
}
"""Tests of readers/code that are named after an idea and not after their module."""


def test_folders_of_tests_are_those_of_the_package():
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")}
    assert {folder for folder in folders if not (PACKAGE / folder).is_dir()} == set(THEMES)


def test_tests_of_the_readers_of_code_stand_where_their_modules_stand():
    here = TESTS / "readers" / "code"
    odd = []
    for path in here.rglob("test_*.py"):
        name = path.relative_to(here).with_suffix("").as_posix().replace("test_", "")
        stands = (CODE / f"{name}.py").exists() or (CODE / name).is_dir()
        if not stands and path.parent.relative_to(TESTS).as_posix() not in THEMES:
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
    assert {name: where for name, where in twice.items() if name not in SAME_NAME} == {}
    assert set(SAME_NAME) <= set(twice), "a name that stands once is no exception"


def says_any(node):
    parts = (*(one.annotation for one in (*node.args.args, *node.args.kwonlyargs)), node.returns)
    return any(isinstance(one, ast.Name) and one.id == "Any" for part in parts if part for one in ast.walk(part))


def test_no_signature_says_any_without_a_reason():
    wrong = []
    for path in FILES:
        if path.relative_to(PACKAGE).parts[0] in TYPED:
            lines = path.read_text("utf-8").splitlines()
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and says_any(node):
                    head = "\n".join(lines[node.lineno - 1 : node.body[0].lineno - 1])
                    if "# Any: " not in head:
                        wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
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
