"""The public API: the names that people import, and nothing heavy until they are used."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

import schedmate

VERBS = {"advise", "classify", "diagnose", "extract", "jobs_in", "track", "simulate"}
PUBLIC = {"SimulationOptions", "Tracker", "__version__", *VERBS}


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
    assert {name: place.removeprefix("./") for name, place in named.items()} == BUILDERS
    for place in named.values():
        module, function = place.split(":")
        assert not inspect.signature(getattr(import_module(module), function)).parameters, "a server hands it nothing"


SURE = "May  1 12:00:00 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."
READ = "".join(f"step {step}/200 loss {4 / step:.4f} time per iter: 0.25s\n" for step in range(1, 80))


@pytest.mark.parametrize(("verb", "text"), [("diagnose", f"step 1 loss 2.0\n{SURE}\n"), ("track", READ)])
def test_a_model_that_is_configured_and_not_asked_is_not_loaded(tmp_path, monkeypatch, verb, text):
    monkeypatch.setenv("SCHEDMATE_LLM_URL", "http://127.0.0.1:9/v1")
    (tmp_path / "job.log").write_text(text)
    code = f"import sys, schedmate; schedmate.{verb}({str(tmp_path / 'job.log')!r}); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"langgraph", "schedmate.models.llm", "openai", "schedmate.settings"}.isdisjoint(loaded)


def test_importing_is_light():
    code = "import sys, schedmate; print('langgraph' in sys.modules, 'chromadb' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "False"]
