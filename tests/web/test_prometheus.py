"""A real Prometheus scrapes a real loop, and every query of the dashboard finds something; `make test-web`."""

import itertools
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from importlib.resources import files
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from tests.scheduling.live.test_hanging_model import STRANGE
from tests.scripted_server import ScriptedServer, fails, obedient
from tests.web.test_metrics import read
from tests.web.web_process import TOKENS, Client

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif("not __import__('os').environ.get('WEB_TEST')", reason="make test-web"),
    pytest.mark.skipif(shutil.which("prometheus") is None, reason="no prometheus: apt-get install prometheus"),
]
STEPS = (
    "import time, sys\nfor i in range(int(sys.argv[1])): print(f'step {i}/1000 loss 1.0', flush=True); time.sleep(0.1)"
)
MONITORING = files("schedmate.web").joinpath("monitoring")
CONFIG = """
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: schedmate
    authorization: {credentials: TOKEN}
    static_configs: [{targets: ["127.0.0.1:PORT"]}]
"""


@pytest.fixture
def prometheus(tmp_path):
    """Give what starts one that scrapes a port, and gives what asks it."""
    started = []

    def start(port):
        folder = tmp_path / "prometheus"
        folder.mkdir()
        (folder / "alerts.yml").write_text(MONITORING.joinpath("alerts.yml").read_text("utf-8"))
        config = CONFIG.replace("TOKEN", TOKENS["viewer"]).replace("PORT", f"{port}")
        (folder / "prometheus.yml").write_text(config)
        words = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.listen-address=127.0.0.1:0"]
        console = (folder / "console").open("w")
        started.append((subprocess.Popen(["prometheus", *words], cwd=folder, stderr=console), console))
        limit_s = time.monotonic() + 120
        while not (found := re.search(r"address=127\.0\.0\.1:([1-9]\d*)", (folder / "console").read_text())):
            assert time.monotonic() < limit_s, (folder / "console").read_text()
            time.sleep(0.05)

        def ask(query):
            try:
                with urlopen(f"http://127.0.0.1:{found[1]}/api/v1/query?query={quote(query)}") as answer:
                    return json.load(answer)["data"]["result"]
            except HTTPError as error:
                if error.code != 503:  # it is not ready yet
                    raise
                return []

        return ask

    yield start
    for process, console in started:
        process.terminate()
        process.wait(60)
        console.close()


DEATH = "step 1/9 loss 1.0\nTraceback (most recent call last):\n  File \"t.py\", line 1, in <module>\nKeyError: 'lr'\n"


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def test_a_watch_tells_prometheus_what_died(prometheus, tmp_path):
    """`schedmate watch --prometheus` counts a death under its class, and no label names a log."""
    logs, port = tmp_path / "logs", free_port()
    logs.mkdir()
    (logs / "whose-name-is-nobodys-business.log").write_text(DEATH)
    words = ["watch", f"{logs}/*.log", "--prometheus", f"{port}", "--interval", "0.2"]
    environment = {**os.environ, "SCHEDMATE_DATA_DIR": f"{tmp_path / 'data'}", "PYTHONPATH": os.pathsep.join(sys.path)}
    with (tmp_path / "watch.console").open("w") as console:
        process = subprocess.Popen(
            [sys.executable, "-m", "schedmate", *words], stdout=console, stderr=console, env=environment
        )
        try:
            ask = prometheus(port)
            limit_s = time.monotonic() + 120
            while not ask('schedmate_watch_deaths_total{class="script"} == 1'):
                assert process.poll() is None, (tmp_path / "watch.console").read_text()
                assert time.monotonic() < limit_s, (tmp_path / "watch.console").read_text()
                time.sleep(0.1)
            assert ask('schedmate_watch_events_total{kind="died"}')[0]["value"][1] == "1"
            assert ask("schedmate_watch_logs")[0]["value"][1] == "1"
            assert ask("schedmate_watch_reading_seconds_count")[0]["value"][1] == "1"
            assert "nobodys" not in json.dumps(ask('{__name__=~"schedmate_.+"}'))
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture
def model_server():
    """A model that refuses every other request, and else says as little as it may."""
    turn = itertools.count()
    with ScriptedServer(lambda body: obedient(body) if next(turn) % 2 else fails(400)) as server:
        yield server


def test_every_query_of_the_dashboard_finds_something(make_up, prometheus, model_server):
    tokens = {"SCHEDMATE_WEB_TOKEN_VIEWER": TOKENS["viewer"], "SCHEDMATE_LLM_URL": model_server.url}
    up = make_up("--slots", "cpu=2", "--nodes", "2", "--mode", "act", "--web", "0", **tokens)
    up.until(lambda: "viewer viewer: http://127.0.0.1:" in up.said())
    port = int(re.search(r"127\.0\.0\.1:(\d+)/", up.said())[1])
    client = Client(port, {"Authorization": f"Bearer {TOKENS['viewer']}"})
    up.submit(STEPS, "1000", name="long")
    first = up.submit(STEPS, "3", name="short", user="ada")
    up.until_state("completed", jobs=[first])
    up.submit("raise KeyError('lr')", name="dies")
    up.submit(STRANGE, name="dies of what nobody knows")
    up.until(lambda: "schedmate_model_call_seconds_count" in read(client.get("/metrics").text)[0])
    ask = prometheus(port)
    up.until(lambda: ask("schedmate_up"))
    again = up.submit(STEPS, "3", name="short", user="ada")
    dies = up.submit("raise IndexError('x')", name="dies again")
    up.submit(STRANGE, "again", name="dies of what nobody knows")
    up.until_state("completed", jobs=[again])
    up.until_state("held", "failed", jobs=[dies])
    for _ in range(5):
        up.submit(STEPS, "1000", name="waits")
    dashboard = json.loads(MONITORING.joinpath("dashboard.json").read_text("utf-8"))
    queries = [target["expr"].replace("$job", ".+") for panel in dashboard["panels"] for target in panel["targets"]]
    missing = queries

    def nothing_is_missing():
        nonlocal missing
        missing = [query for query in missing if not found(ask(query))]
        return not missing

    def found(result):
        return any(not math.isnan(float(one["value"][1])) for one in result)

    try:
        up.until(nothing_is_missing, within_s=240.0)
    except AssertionError as error:
        raise AssertionError(f"nothing for {missing}") from error
    assert ask('count(ALERTS{alertname="SchedMateWaitsForAPerson"}) or vector(0)')
    assert float(ask("schedmate_up")[0]["value"][1]) == 1
