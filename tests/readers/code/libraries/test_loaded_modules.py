"""Modules that are looked up by name: `sys.modules`, `pydoc.locate`, `inspect.getmembers`, `cProfile.run`."""

import pytest

FILES = {
    "configs/sub/job.yaml": "rate: 0.25\nrows: 8\n",
    "settings/job.json": '{"rate": 0.25, "rows": 8}\n',
    "parts/job_of_mine.py": "RATE, ROWS = 0.25, 8\n",
    "pkg/__init__.py": "",
    "pkg/job.json": '{"rate": 0.25, "rows": 8}\n',
    "pkg/net.py": "class Net:\n    def __init__(self, rows):\n        self.rows = rows\ndef other():\n    pass\n",
}


@pytest.mark.parametrize(
    "way",
    [
        "from pydoc import locate\nNet = locate('pkg.net.Net')",
        "import sys\n__import__('pkg.net')\nNet = getattr(sys.modules['pkg.net'], 'Net')",
        "import importlib, inspect\nm = importlib.import_module('pkg.net')\n"
        "Net = [one for name, one in inspect.getmembers(m, inspect.isclass) if name == 'Net'][0]",
    ],
)
def test_classes_are_found(outcome, way):
    assert outcome(f"{way}\nx = Net(rows=8).rows\n", "", FILES) == 8


def test_managers_that_are_entered_by_a_stack(outcome):
    code = """
        from contextlib import ExitStack, contextmanager
        @contextmanager
        def options():
            yield {"rows": 8}
        with ExitStack() as stack:
            x = stack.enter_context(options())["rows"]
    """
    assert outcome(code) == 8


def test_functions_of_the_program_itself_are_found(outcome):
    code = "import sys\ndef fit():\n    global x\n    x = 8\ngetattr(sys.modules[__name__], sys.argv[1])()\n"
    assert outcome(code, "fit") == 8
