"""Figures for monitoring: as Prometheus reads them, with no label that a job or a user could make up."""

import json
import re
import shutil
import subprocess
import sys
import time
from importlib.resources import files

import pytest

from schedmate.history.figures import ended_runs
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.history.overviews import Lines, job_lines
from schedmate.scheduling.live.timings import FACT, Timings, remembered
from schedmate.tools.exposition import Family, Histogram, page_of
from schedmate.web.failure_counts import failures
from tests.scripted_server import ScriptedServer
from tests.web.web_process import TOKENS

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)')
NAMES = re.compile(r"\b(?:schedmate|process)_[a-z_]+")
MONITORING = files("schedmate.web").joinpath("monitoring")
LABELS = {"state", "cluster", "policy", "phase", "class", "outcome", "action", "event", "kind", "engine", "code"}
LABELS |= {"share", "le", "asker", "model", "task", "direction", "reason"}


def read(text):
    """Read a page as the format has it: each name has its help and its type before its values."""
    found, typed = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE"):
            _, _, name, kind = line.split(" ")
            assert name not in typed, f"{name} stands there twice"
            typed[name] = kind
        elif not line.startswith("# HELP"):
            match = LINE.fullmatch(line)
            assert match, line
            base = re.sub("_(bucket|sum|count)$", "", match[1])
            assert match[1] in typed or typed.get(base) == "histogram", line
            labels = dict(re.findall(r'([a-z]+)="((?:[^"\\]|\\.)*)"', match[2] or ""))
            found.setdefault(match[1], []).append((labels, float(match[3])))
    return found, typed


def test_a_page_is_what_the_format_wants():
    histogram = Histogram.of(0.1, 1.0)
    for value in (0.05, 0.1, 0.5, 7.0):
        histogram.add(value)
    odd = 'a"b\\c\nd\x1b'
    page = page_of(
        [Family("x_seconds", "histogram", "About.", histogram.values(kind=odd)), Family("none", "gauge", "No.", [])]
    )
    found, typed = read(page)
    assert typed == {"x_seconds": "histogram"}
    assert [(labels["le"], value) for labels, value in found["x_seconds_bucket"]] == [
        ("0.1", 2),
        ("1.0", 3),
        ("+Inf", 4),
    ]
    assert found["x_seconds_count"][0][1] == 4
    assert found["x_seconds_sum"][0][1] == pytest.approx(7.65)
    assert "\x1b" not in page


def test_timings_are_kept_and_what_is_broken_is_none(tmp_path):
    store, timings = LiveStore(tmp_path), Timings()
    timings.turn(lambda: None)
    assert timings.turns.counts == Timings().turns.counts, "a turn in which nothing was decided does not count"
    timings.turn(lambda: timings.decided(None, []))
    timings.reading("diagnose", 0.3, "built-in")
    timings.tend(store, 100.0)
    timings.reading("diagnose", 0.3, "error")
    timings.tend(store, 101.0)
    kept = remembered(store.fact(FACT))
    assert sum(kept.turns.counts) == 1
    assert kept.outcomes == {("diagnose", "built-in"): 1}
    timings.tend(store, 200.0)
    assert remembered(store.fact(FACT)).outcomes == timings.outcomes
    for broken in ("{", "[]", '{"turns": 3}', '{"readings": {"a": 1}}', "null"):
        assert remembered(broken).outcomes == {}
    store.close()


@pytest.fixture
def store(tmp_path):
    made = LiveStore(tmp_path / "data")
    now_s = time.time()
    for number in range(1, 41):
        name = f"job {number} </script> \u202e\n"
        made.submit(
            Submission(("x",), "/", {}, name=name, user=f"user{number}", vc="a", slots=2), f"{number}", now_s - 900
        )
        if number <= 30:
            made.open_run(number, "gpu", ((f"node{number % 4}", 3),), None, now_s - 600)
        if number <= 20:
            outcome = "failed" if number % 2 else "completed"
            failure = {1: "gpu.xid_79", 3: "python.key_error", 5: "made.up"}.get(number, "") if number % 2 else ""
            made.update_run(
                number, 1, began_s=now_s - 600, ended_s=now_s - 240, outcome=outcome, failure=failure, ran_s=360.0
            )
            made.update(number, state=outcome, end_s=now_s - 240, estimate=json.dumps({"duration_mean_s": 720.0}))
        elif number <= 30:
            phase = "stalled" if number == 21 else "train"
            made.update(number, metrics=json.dumps({"step": 5, "total_steps": 10, "phase": phase, "eta_s": 60.0}))
    made.note_action(made.add_action(1, 1, 0, "isolate", "node1", "x", "suggest"), "proposed", "x")
    yield made
    made.close()


def test_an_elastic_job_counts_by_the_slots_that_its_runs_had(tmp_path):
    store, now_s = LiveStore(tmp_path), time.time()
    asked = {"slots": 1, "most_slots": 4}
    dead, lives = (store.submit(Submission(("x",), "/", {}, **asked), name, now_s - 900) for name in ("dead", "lives"))
    for number, mask in ((dead, 15), (lives, 7)):
        store.open_run(number, "gpu", (("n1", mask),), None, now_s - 600)
    store.update_run(dead, 1, began_s=now_s - 600, ended_s=now_s, outcome="failed", ran_s=360.0)
    store.update(dead, state="failed", end_s=now_s)
    assert failures(store, 1.0).gpu_hours == pytest.approx(4 * 0.1)
    assert [one.slot_seconds for one in ended_runs(store.connection)] == [4 * 360.0]
    (line,) = job_lines(store.connection, Lines(states=("running",)))
    assert (line.slots, line.held) == (1, 3)
    store.close()


def test_the_figures_are_those_of_the_store(make_web, store):
    web = make_web()
    assert web.stranger().get("/metrics").status_code == 401
    answer = web.program("viewer").get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found, typed = read(answer.text)
    one = {name: {tuple(labels.values()): value for labels, value in values} for name, values in found.items()}
    assert one["schedmate_up"][()] == 0
    assert one["schedmate_jobs"]["running",] == 10
    assert one["schedmate_queue_jobs"]["a", ""] == 10
    assert one["schedmate_queue_slots"]["a", ""] == 20
    assert one["schedmate_queue_oldest_seconds"]["a", ""] >= 900
    assert one["schedmate_running_jobs"]["stalled",] == 1
    assert one["schedmate_running_progress_ratio"]["0.5",] == 0.5
    assert one["schedmate_running_remaining_slot_seconds"][()] == 1200
    assert one["schedmate_runs_total"] == {("failed",): 10, ("completed",): 10}
    assert one["schedmate_failed_runs_total"]["infrastructure",] == 1
    assert one["schedmate_failed_runs_total"]["script",] == 1
    assert one["schedmate_failed_runs_total"]["other",] == 1
    assert one["schedmate_failed_runs_total"]["not diagnosed",] == 7
    assert one["schedmate_lost_slot_seconds_total"]["infrastructure",] == 720
    assert one["schedmate_estimate_ratio"]["0.5",] == 2.0
    assert one["schedmate_start_delay_seconds"]["0.99",] == pytest.approx(300, abs=1)
    assert one["schedmate_action_events_total"]["isolate", "proposed"] == 1
    assert one["schedmate_actions_awaited"][()] == 1
    for name, kind in typed.items():
        assert (kind == "counter") == name.endswith("_total"), f"{name} is a {kind}"
    assert {label for values in found.values() for labels, _ in values for label in labels} <= LABELS
    assert not re.search(r"user\d|job \d|script>|\u202e", answer.text), "what jobs and users are called makes no series"
    if shutil.which("promtool"):
        checked = subprocess.run(
            ["promtool", "check", "metrics"], input=answer.content, capture_output=True, check=False
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_dashboard_and_alerts_ask_for_what_there_is(make_web, store, tmp_path):
    """Each name in a query is exposed; promtool reads the rules where it is installed."""
    timings = Timings()
    timings.reading("diagnose", 0.3, "built-in")
    timings.calls.note("qwen", 0.3, (700, 20), task="diagnose")
    timings.tend(store, 100.0)
    exposed, _ = read(make_web().program("viewer").get("/metrics").text)
    dashboard = json.loads(MONITORING.joinpath("dashboard.json").read_text("utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(queries) > 15
    rules = MONITORING.joinpath("alerts.yml").read_text("utf-8")
    for name in set(NAMES.findall(" ".join(queries) + rules.replace("severity", ""))):
        assert name in exposed, f"{name} is asked for and not exposed"
    if shutil.which("promtool"):
        (tmp_path / "alerts.yml").write_text(rules)
        command = ["promtool", "check", "rules", str(tmp_path / "alerts.yml")]
        checked = subprocess.run(command, capture_output=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_what_a_reading_for_a_page_asks_a_model_is_counted(make_web, store, tmp_path, monkeypatch):
    (tmp_path / "odd.log").write_text("step 3/9 loss 1.0\nthe flux capacitor is out of phase\n")
    with ScriptedServer() as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        program = make_web(None, "--root", str(tmp_path)).program("viewer")
        assert program.post("/api/v1/diagnose", content=b'{"path": "odd.log", "exited": "7"}').status_code == 200
        found, _ = read(program.get("/metrics").text)
        asked = len(server.chats())
    assert asked
    assert found["schedmate_model_call_seconds_count"] == [
        ({"asker": "web", "model": "scripted", "task": "diagnose"}, asked)
    ]
    tokens = {labels["direction"]: value for labels, value in found["schedmate_model_tokens_total"]}
    assert tokens["prompt"] > tokens["answer"] > 0


def test_files_for_monitoring_are_printed():
    for option, name in (("--dashboard", "dashboard.json"), ("--alerts", "alerts.yml")):
        told = subprocess.run(
            [sys.executable, "-m", "schedmate", "web", option], capture_output=True, text=True, check=True
        ).stdout
        assert told.rstrip() == MONITORING.joinpath(name).read_text("utf-8").rstrip()


def test_up_brings_its_pages_and_ends_them(make_up):
    """`up --web`: the loop's own page, with its turns and readings in it; it goes with the loop."""
    from tests.web.web_process import Client

    tokens = {"SCHEDMATE_WEB_TOKEN_VIEWER": TOKENS["viewer"], "SCHEDMATE_WEB_TOKEN_OPERATOR": TOKENS["operator"]}
    up = make_up("--slots", "cpu=1", "--web", "0", "--allow-actions", **tokens)
    up.until(lambda: "operator operator: http://127.0.0.1:" in up.said())
    port = int(re.search(r"127\.0\.0\.1:(\d+)/", up.said())[1])
    client = Client(port, {"Authorization": f"Bearer {TOKENS['viewer']}"})
    job = up.submit("raise SystemExit(3)", name="dies")
    up.until(lambda: up.store.job(job).diagnosis)
    up.until(lambda: sum(remembered(up.store.fact(FACT)).readings.get("diagnose", Histogram.of()).counts))

    def page():
        return read(client.get("/metrics").text)[0]

    up.until(lambda: "schedmate_reading_seconds_count" in page())
    found = page()
    assert found["schedmate_up"][0][1] == 1
    assert {labels["policy"] for labels, _ in found["schedmate_queue_jobs"]} == {"schedmate"}
    assert found["schedmate_loop_turn_cpu_seconds_count"][0][1] >= 1
    assert "dies" in client.get("/").text
    up.kill()

    def is_gone():
        try:
            return not client.get("/").status_code
        except OSError:
            return True

    up.until(is_gone)
    up.start()
