"""A batch that asks a model: one budget for its server; answers are kept for all readers; slowness fails nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.batch.on_ray import portions
from schedmate.batch.run import Batch, run
from schedmate.settings import get_settings
from tests.scripted_server import ScriptedServer, fails, says

parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra batch")
pytest.importorskip("fsspec", reason="needs the extra batch")


@given(nodes=st.integers(1, 300), workers=st.integers(1, 300), calls=st.integers(1, 300))
def test_the_nodes_of_ray_together_have_no_more_calls_under_way_than_all_may(nodes, workers, calls):
    used, each = portions(nodes, workers, calls)
    assert 1 <= used <= workers
    assert each >= 1
    assert min(nodes, used) * each <= calls
    assert used == workers or used == calls < nodes, "nobody is left out who could ask"


VERDICT = {"lines": [2], "cause": "the script gave up", "error_type": "script", "faulty_component": ""}


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.log").write_text(f"step 1/9 loss 3.0\ntrain.py: error: no {'abcdefgh'[number]} here\n")
    return folder


@pytest.fixture
def ask(logs, monkeypatch):
    """Have all logs read with a model on this server."""

    def asked(server, name, workers, calls):
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        monkeypatch.setenv("SCHEDMATE_LLM_CONCURRENCY", str(calls))
        get_settings.cache_clear()
        output = logs.parent / name
        count = run(Batch("diagnose", [f"{logs}/*.log"], output, "model", workers=workers))
        return count, parquet.read_table(output).to_pylist()

    yield asked
    get_settings.cache_clear()


def test_all_readers_share_one_budget_and_what_was_answered(ask):
    with ScriptedServer(lambda body: says(VERDICT, delay_s=0.3)) as server:
        count, rows = ask(server, "first.parquet", workers=3, calls=2)
        assert (count.read, count.failed) == (8, 0)
        assert {row["engine"] for row in rows} == {"both"}
        assert server.most_in_flight <= 2
        asked = len(server.chats())
        again, _ = ask(server, "again.parquet", workers=3, calls=2)
        assert (again.read, again.failed) == (8, 0)
        assert len(server.chats()) == asked


def test_a_server_that_has_too_much_to_do_slows_the_batch_and_fails_nothing(ask):
    heard = []

    def turn(body):
        heard.append(body)
        return fails(503, "overloaded", **{"Retry-After": "0"}) if len(heard) % 6 else says(VERDICT)

    with ScriptedServer(turn) as server:
        count, rows = ask(server, "busy.parquet", workers=2, calls=1)
    assert (count.read, count.failed) == (8, 0)
    assert {row["engine"] for row in rows} == {"both"}
    assert len(heard) >= 48
