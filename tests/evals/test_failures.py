"""The failures eval prints the paper's handler, a model alone, beside ours where a model is set."""

from argparse import ArgumentParser

import pytest

from evals import failures
from schedmate.settings import get_settings
from tests.scripted_server import ScriptedServer, says


@pytest.fixture
def methods(tmp_path, monkeypatch):
    """Run the eval on a few made logs; give the names of the methods in its table."""

    def run():
        get_settings.cache_clear()
        parser = ArgumentParser()
        failures.add_arguments(parser)
        report = failures.run(parser.parse_args(["--logs", "4"]))
        return {row["method"]: row for row in report.tables[0].records()}

    monkeypatch.setenv("SCHEDMATE_CACHE_DIR", str(tmp_path))
    yield run
    get_settings.cache_clear()


def test_a_model_alone_is_measured_where_one_is_set(methods, monkeypatch):
    name = "schedmate, paper locator and a model alone"
    assert name not in methods()
    judged = says({"lines": [], "cause": "Nothing is wrong.", "error_type": "none", "faulty_component": ""})
    with ScriptedServer(lambda body: judged) as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        row = methods()[name]
        assert len(server.chats()) == 4
    assert row["locator hits"].startswith("0/")
