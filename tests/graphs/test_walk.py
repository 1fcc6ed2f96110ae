"""What a compiled graph has opened is closed also where one of its steps fails."""

import asyncio
import gc
import gzip
import os

import pytest

from schedmate.errors import InputError, SettingsError
from schedmate.graphs import load_builder
from schedmate.history.database import open_database
from schedmate.settings import get_settings

DEAD = "step 1 loss 2.0\nodd.py: error: nothing that is known\n"


def open_files():
    names = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    return sorted(os.readlink(name) for name in names if os.path.lexists(name))


FAILING = [
    ("diagnose", {"path": "packed.log.gz"}, "model", SettingsError),
    ("diagnose", {"path": "both", "files": ["packed.log.gz", "none.log"]}, "built-in", InputError),
    ("track", {"path": "packed.log.gz"}, "paper", SettingsError),
    ("classify", {"path": "packed.log.gz"}, "model", SettingsError),
    ("advise", {"repo": "."}, "built-in", InputError),
]


@pytest.mark.parametrize(("name", "given", "engine", "error"), FAILING)
def test_where_a_step_fails_all_is_closed(tmp_path, monkeypatch, name, given, engine, error):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "packed.log.gz").write_bytes(gzip.compress(DEAD.encode()))
    open_database(get_settings().data_dir).close()
    graph = load_builder(name)()

    def fail():
        with pytest.raises(error):
            asyncio.run(graph.ainvoke(given, context={"engine": engine}))
        gc.collect()

    fail()
    before = open_files()
    fail()
    assert open_files() == before
    assert not [one for one in before if "history" in one or ".gz" in one]
