"""Python 2's imports: in a package a plain name means the module beside the file."""

import pytest

PACKAGE = {
    "work/parts/__init__.py": "import wide\nimport slim\n",
    "work/parts/wide.py": "size = 8\n",
    "work/parts/slim.py": "size = 3\n",
    "slim.py": "size = 1\n",
}


def test_a_module_beside_the_file_wins_where_another_one_lies_only_there(outcome):
    assert outcome("from work import parts\nx = [parts.wide.size, parts.slim.size]", files=PACKAGE) == [8, 3]


def test_names_are_taken_out_of_a_module_beside_the_file(outcome):
    files = {**PACKAGE, "work/parts/maker.py": "from wide import size\nfrom slim import size as other\n"}
    assert outcome("from work.parts.maker import size, other\nx = [size, other]", files=files) == [8, 3]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"work/parts/__init__.py": "import slim\n"}, 1),  # which is found from the start: Python 3 finds it there too
        ({"wide.py": "size = 5\n"}, 1),
        ({"work/parts/__init__.py": "from __future__ import absolute_import\nimport wide\nimport slim\n"}, 1),
    ],
)
def test_what_is_found_where_imports_are_looked_up_stays_meant(outcome, changed, told):
    assert outcome("from work import parts\nx = parts.slim.size", files={**PACKAGE, **changed}) == told


def test_a_library_is_no_module_that_merely_lies_beside_the_file(follow):
    files = {**PACKAGE, "work/parts/__init__.py": "import wide\nimport wandb\n", "work/parts/wandb.py": "size = 2\n"}
    run, names = follow("from work import parts\nx = parts.wandb.size", files=files)
    assert "wandb" in run.imports
    assert names["x"].data != 2


def test_a_file_never_means_itself(outcome):
    files = {"work/parts/__init__.py": "", "work/parts/slim.py": "import slim\nimport wide\nsize = 9\n"}
    files |= {"work/parts/wide.py": "size = 8\n", "slim.py": "size = 1\n"}
    assert outcome("from work.parts.slim import slim, size\nx = [slim.size, size]", files=files) == [1, 9]


@pytest.mark.parametrize(("code", "told"), [("from parts import *\n", 8), ("from parts import slim\n", "unknown")])
def test_a_package_that_takes_all_names_of_its_own_name_means_the_module_beside_it(outcome, code, told):
    files = {"parts/__init__.py": code, "parts/parts.py": "size = 8\nslim = 5\n", "parts/slim.py": ""}
    assert outcome("from parts import size\nx = size", files=files) == told
