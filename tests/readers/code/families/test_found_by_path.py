"""Settings and code that are found by paths and names, in all the usual ways."""

import pytest

FILES = {
    "configs/sub/job.yaml": "rate: 0.25\nrows: 8\n",
    "settings/job.json": '{"rate": 0.25, "rows": 8}\n',
    "parts/job_of_mine.py": "RATE, ROWS = 0.25, 8\n",
    "pkg/__init__.py": "",
    "pkg/job.json": '{"rate": 0.25, "rows": 8}\n',
    "pkg/net.py": "class Net:\n    def __init__(self, rows):\n        self.rows = rows\ndef other():\n    pass\n",
}
HEAD = "import glob, json, os, yaml\nfrom enum import Enum\nfrom pathlib import Path\n"


def test_data_that_is_not_here_may_exist(outcome):
    code = HEAD + "x = 0\nif os.path.exists('/data/job.yaml') or os.path.exists('rows.bin'):\n    x = 1\n"
    assert outcome(code, "", FILES) == "unknown"


@pytest.mark.parametrize("path", ["data/words.json", "out/settings.yaml", "weights"])
def test_what_a_program_asks_for_first_may_exist_beside_code_of_that_name(outcome, path):
    files = {"data.py": "", "data/README.md": "", "weights.py": "", "settings.py": ""}
    code = f"import os, sys\nif not os.path.exists({path!r}):\n    sys.exit(1)\nx = 8\n"
    assert outcome(code, "", files) == 8


def test_functions_of_the_program_itself_are_found(outcome):
    code = "import sys\ndef fit():\n    global x\n    x = 8\ngetattr(sys.modules[__name__], sys.argv[1])()\n"
    assert outcome(code, "fit") == 8
