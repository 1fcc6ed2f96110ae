"""What is over is forgotten in its time, and nothing that is open is touched."""

import json
import os
import subprocess
import sys

import pytest

from schedmate.clusters import NodeSpec
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Answer, Submission
from schedmate.history.retention import DAY_S
from schedmate.scheduling.live.retention import STEP, Retention
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.scheduling.recovery.owner_rules import KeepRules

NOW_S = 2e9
SECRET = "hf_tokenoftheuser"


@pytest.fixture
def store(tmp_path):
    opened = LiveStore(tmp_path)
    yield opened
    opened.close()


def job(store, state="failed", days=0.0):
    """Put a job into the store that has been over for so long, with a folder as its run leaves it."""
    number = store.submit(Submission(("true",), "/", {"TOKEN": SECRET}), os.urandom(8).hex(), 1.0)
    run = store.open_run(number, "cpu", (("n1", 1),), None, 1.0)
    end_s = NOW_S - days * DAY_S
    store.update_run(number, run, ended_s=end_s, outcome="failed")
    store.update(number, state=state, end_s=end_s, workload="{}", metrics="{}")
    folder = store.data_dir / "jobs" / str(number) / str(run)
    folder.mkdir(parents=True)
    (folder / "spec").write_text(json.dumps({"environment": {"TOKEN": SECRET}, "store": "x"}))
    (folder / "log").write_text("step 1")
    return number, folder


def prune(store, **keep):
    retention = Retention(store, KeepRules(**keep))
    while retention.step(NOW_S):
        pass
    return retention.words()


@pytest.mark.parametrize(
    ("days", "has_variables", "has_log", "has_folder"),
    [(6, True, True, True), (8, False, True, True), (91, False, False, True), (366, False, False, False)],
)
def test_each_thing_goes_in_its_time(store, days, has_variables, has_log, has_folder):
    number, folder = job(store, days=days)
    prune(store)
    assert bool(store.job(number).environment) is has_variables
    assert (folder / "log").exists() is has_log
    assert folder.exists() is has_folder
    assert (store.job(number).workload == "{}") is has_folder
    if has_folder:
        assert (SECRET in (folder / "spec").read_text()) is has_variables
        assert json.loads((folder / "spec").read_text())["store"] == "x"


@pytest.mark.parametrize("state", ["pending", "running", "examined", "held"])
def test_what_is_open_is_never_touched(store, state):
    number, folder = job(store, state, days=9999)
    assert prune(store, environment_days=0, log_days=0, folder_days=0) == ""
    assert store.job(number).environment
    assert (folder / "log").exists()


def test_a_run_that_has_not_ended_keeps_its_job(store):
    number, folder = job(store, days=9999)
    store.update_run(number, 1, ended_s=None)
    prune(store)
    assert folder.exists()


def test_a_year_is_gone_through_in_steps_and_a_second_round_finds_nothing(store):
    for _ in range(2 * STEP + 3):
        job(store, days=400)
    retention, steps = Retention(store, KeepRules()), 0
    while retention.step(NOW_S):
        steps += 1
    assert steps == 3
    assert retention.gone["folder"] == 2 * STEP + 3
    assert not any((store.data_dir / "jobs").glob("*/*"))
    assert prune(store) == ""


def test_requests_go_and_the_trail_stays(store):
    old = store.ask("cancel", 1)
    store.answer(old, Answer("done"))
    action = store.add_action(1, 1, 0, "isolate", "n1", "a fault", "act")
    store.note_action(action, "done")
    store.connection.execute("UPDATE live_requests SET done_s = ?", (NOW_S - 400 * DAY_S,))
    looked, waits = store.ask("standing", 1), store.ask("cancel", 2)
    store.answer(looked, Answer())
    store.connection.execute("UPDATE live_requests SET done_s = ? WHERE id = ?", (NOW_S - 2 * DAY_S, looked))
    assert prune(store) == "2 requests"
    assert [request.id for request in store.requests()] == [waits]
    assert store.verify().entries == 1


def test_a_job_without_its_variables_is_not_released(store, tmp_path):
    number, _ = job(store)
    store.update(number, end_s=1.0, environment="{}")
    options = ServiceOptions(
        tmp_path, [NodeSpec("n1", 1, "cpu")], reading="tests.scheduling.live.quick_reading", tracks=False, readers=1
    )
    service = Service(options, lambda words: None)
    try:
        request = service.store.ask("release", number)
        service.desk.serve()
        assert "no longer kept" in service.store.answer_to(request).words
        assert service.store.job(number).state == "failed"
    finally:
        service.close()


def test_the_loop_forgets_the_variables_of_a_job_that_completed_at_once(make_up):
    up = make_up("--slots", "cpu=1")
    done = up.submit("import os; print(len(os.environ['PATH']) > 0)")
    up.until_state("completed", jobs=[done])
    assert up.log(done) == "True\n"
    assert up.store.job(done).environment == {}
    up.until(lambda: json.loads((up.data_dir / "jobs" / str(done) / "1" / "spec").read_text())["environment"] == {})
    assert up.ask("prune").words.startswith("what is over for long is being forgotten")


def test_the_command_prunes_where_no_loop_is_up(store, tmp_path):
    number, folder = job(store)
    store.update(number, end_s=1.0)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", "prune"], capture_output=True, text=True, check=True,
        env={**os.environ, "SCHEDMATE_DATA_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.stdout == "forgotten: 1 environment, 6 log bytes, 1 folder, 1 reading\n"
    assert not folder.exists()
    shown = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", "logs", str(number)], capture_output=True, text=True, check=False,
        env={**os.environ, "SCHEDMATE_DATA_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert shown.returncode == 2
    assert "is not there" in shown.stderr
