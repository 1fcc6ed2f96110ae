"""The public API: the names that people import, and nothing heavy until they are used."""

import inspect
import subprocess
import sys
from importlib import import_module

import schedmate

PUBLIC = {"Tracker", "__version__", "advise", "classify", "diagnose", "extract", "jobs_in", "track", "simulate"}


def test_the_package_exports_what_it_promises():
    assert set(schedmate.__all__) == PUBLIC
    for name in schedmate.__all__:
        assert hasattr(schedmate, name)


def test_every_graph_is_named_alike_everywhere():
    import json
    from pathlib import Path

    from schedmate.graphs import BUILDERS

    root = Path(schedmate.__file__).parent.parent
    named = json.loads((root / "langgraph.json").read_text("utf-8"))["graphs"]
    assert set(named) == set(BUILDERS)
    for place in named.values():
        module, function = place.split(":")
        assert not inspect.signature(getattr(import_module(module), function)).parameters, "a server hands it nothing"


def test_importing_is_light():
    code = "import sys, schedmate; print('langgraph' in sys.modules, 'chromadb' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "False"]
