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


def test_a_doubtful_label_accepts_each_class_that_it_names(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "name,category,subcategory,root_line,root_span\n"
        "a,framework|infrastructure,node,1,1\nb,framework,,1,1\nc,infrastructure,node,1,1\nd,script|infrastructure,,1,1\n"
    )
    cases = failures.read_cases(tmp_path)
    said = [failures.Answer("infrastructure", "node", 1, 0.1)] * 4
    row = failures.score_row("ours", cases, said)
    assert str(row[4]).startswith("3/4")
    assert row[5] == "3/3"
    assert [one.truth("none") for one in cases] == ["framework", "framework", "infrastructure", "script"]
    assert [line[0] for line in failures.wrong_cases(cases, said).rows] == ["b"]


def test_no_place_named_is_no_hit_however_near_the_first_line_the_root_stands(tmp_path):
    (tmp_path / "labels.csv").write_text("name,category,subcategory,root_line,root_span\na,script,,2,1\n")
    (case,) = failures.read_cases(tmp_path)
    assert not failures.located(case, failures.Answer("script", "", 0, 0.1))
    assert failures.located(case, failures.Answer("script", "", 1, 0.1))
