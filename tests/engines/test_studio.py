"""LangGraph's own server on the shipped langgraph.json: every graph answers plain JSON over HTTP.

`make test-studio` installs `schedmate[studio]` into an environment of its own and runs this.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from schedmate.graphs import BUILDERS, load_builder

ROOT = Path(__file__).parent.parent.parent
LANGGRAPH = shutil.which("langgraph", path=str(Path(sys.executable).parent))
LIMIT_S = 120
"""Only catches what does not end."""

pytestmark = [
    pytest.mark.studio,
    pytest.mark.skipif(LANGGRAPH is None, reason="needs langgraph-cli[inmem]: make test-studio"),
]

LOG = ROOT / "examples" / "logs"
REPO = ROOT / "examples" / "repo"
QUESTIONS = {
    "diagnose": ({"path": str(LOG / "user_bug.log")}, "diagnosis", {"failure_id": "torch.shape_mismatch"}),
    "track": ({"path": str(LOG / "finetune_running.log")}, "metrics", {"step": 412}),
    "classify": ({"path": str(LOG / "finetune_running.log")}, "classification", {"engine": "built-in"}),
    "extract": ({"repo": str(REPO), "command": "sbatch run.sh"}, "extraction", {"engine": "built-in"}),
    "advise": ({"repo": str(REPO), "command": "sbatch run.sh", "user": "ada"}, "estimate", {"source": "fallback"}),
}


def ask(url, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    home = tmp_path_factory.mktemp("studio")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = {"HOME": str(home), "SCHEDMATE_DATA_DIR": str(home / "data"), "LANGSMITH_TRACING": "false"}
    command = [
        LANGGRAPH,
        "dev",
        "--no-browser",
        "--no-reload",
        "--port",
        str(port),
        "--config",
        ROOT / "langgraph.json",
    ]
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=home, env={**os.environ, **told}, stdout=log, stderr=log)
        url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + LIMIT_S
        try:
            while not is_up(url):
                assert process.poll() is None, (home / "server.log").read_text("utf-8")[-3000:]
                assert time.monotonic() < deadline, (home / "server.log").read_text("utf-8")[-3000:]
                time.sleep(0.2)
            yield url
        finally:
            process.terminate()
            process.wait()


def is_up(url):
    try:
        return ask(url, "/ok")["ok"]
    except OSError:
        return False


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_graph_answers_over_http(server, name):
    given, key, expected = QUESTIONS[name]
    answer = ask(server, "/runs/wait", {"assistant_id": name, "input": given, "context": {"engine": "built-in"}})
    assert set(answer) == {key}
    assert {word: answer[key][word] for word in expected} == expected


def test_what_cannot_be_read_is_an_error(server):
    """The server tells outsiders its kind only."""
    answer = ask(server, "/runs/wait", {"assistant_id": "diagnose", "input": {"path": "/nowhere/job.log"}})
    assert answer["__error__"]["error"] == "InputError"


def test_a_threads_state_is_plain_json(server):
    thread = ask(server, "/threads", {})["thread_id"]
    given, key, _ = QUESTIONS["diagnose"]
    ask(server, f"/threads/{thread}/runs/wait", {"assistant_id": "diagnose", "input": given})
    assert set(ask(server, f"/threads/{thread}/state")["values"]) == {*given, key}


@pytest.mark.parametrize("name", BUILDERS)
def test_schemas_and_drawings_are_ours(server, name):
    found = ask(server, "/assistants/search", {"graph_id": name})[0]["assistant_id"]
    schemas = ask(server, f"/assistants/{found}/schemas")
    assert schemas["input_schema"]["properties"]
    assert schemas["output_schema"]["properties"]
    drawn = {node["id"] for node in ask(server, f"/assistants/{found}/graph")["nodes"]}
    assert drawn == set(load_builder(name)().get_graph().nodes)


def test_a_person_answers_a_proposal_over_http(server):
    thread = ask(server, "/threads", {})["thread_id"]
    asked = {"assistant_id": "approve", "input": {"action": 7, "words": "isolate node-2"}}
    waiting = ask(server, f"/threads/{thread}/runs/wait", asked)
    assert waiting["__interrupt__"][0]["value"]["words"] == "isolate node-2"
    done = ask(server, f"/threads/{thread}/runs/wait", {"assistant_id": "approve", "command": {"resume": "approve"}})
    assert done["verdict"] == "approved"


def test_the_example_asks_it(server):
    example = ROOT / "examples" / "graphs" / "over_http.py"
    answer = subprocess.run(
        [sys.executable, example, server], capture_output=True, text=True, timeout=LIMIT_S, check=True
    )
    assert answer.stdout.startswith("torch.shape_mismatch 45 ")
