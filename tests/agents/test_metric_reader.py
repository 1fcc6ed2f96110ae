"""The paper's way: the last lines of progress go to the model, and only what stands in them comes back."""

import pytest

from schedmate import track
from schedmate.errors import ModelFailed
from schedmate.settings import get_settings
from tests.scripted_server import ScriptedServer, fails, says

NOTHING = dict.fromkeys(("step_time_s", "throughput", "loss", "step", "total_steps", "epoch")) | {"throughput_unit": ""}
NOISE = "Requirement already satisfied: numpy in /opt/lib/python/site-packages\n"


def log_text(count=60):
    for place in range(1, count + 1):
        yield f"epoch 1 step {place}/900 loss {4 / place:.4f} lr 1e-4 time per step 250 ms\n" + NOISE * 3


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Track a log the paper's way; returns the metrics and what the server heard."""

    def asked(turn, text="".join(log_text()), **environment):
        path = tmp_path / "job.log"
        path.write_text(text, "utf-8")
        with ScriptedServer([turn, turn], max_model_len=32768) as server:
            changes = {"LLM_URL": server.url, "LLM_ATTEMPTS": "1", "LLM_CACHE": "false", **environment}
            for name, value in changes.items():
                monkeypatch.setenv(f"SCHEDMATE_{name}", value)
            get_settings.cache_clear()
            return track(path, engine="paper"), server.chats()

    yield asked
    get_settings.cache_clear()


def test_the_last_forty_lines_of_progress_are_shown(ask):
    found, heard = ask(says(NOTHING | {"step_time_s": 0.25, "step": 60, "loss": 0.0667}))
    shown = heard[0]["messages"][-1]["content"].splitlines()[1:-1]
    assert len(shown) == 40
    assert all(line.startswith("epoch 1 step ") for line in shown)
    assert (found.step_time_s, found.step, found.loss, found.engine) == (0.25, 60, 0.0667, "model")
    assert {one.line for one in found.evidence} == {237}


def test_how_many_lines_is_a_setting(ask):
    _, heard = ask(says(NOTHING), PROGRESS_LINES="7")
    assert len(heard[0]["messages"][-1]["content"].splitlines()) == 7 + 2


def test_a_number_that_stands_in_no_line_is_dropped(ask):
    found, _ = ask(says(NOTHING | {"step_time_s": 0.77, "step": 61, "throughput": 9000}))
    assert (found.step_time_s, found.step, found.throughput) == (None, None, None)
    assert "the model's step_time_s of 0.77 is in no line" in found.notes


def test_a_rate_may_be_turned_around(ask):
    found, _ = ask(says(NOTHING | {"step_time_s": 0.5}), "train step 10/90 loss 0.4 2.00 it/s\n" * 30)
    assert found.step_time_s == 0.5


def test_a_log_without_progress_asks_nobody(ask):
    found, heard = ask(says(NOTHING | {"step_time_s": 0.5}), NOISE * 50)
    assert (found.step_time_s, heard) == (None, [])
    assert found.notes == ("no training progress found",)


def test_a_model_that_is_gone_is_said(ask):
    with pytest.raises(ModelFailed):
        ask(fails(500))
