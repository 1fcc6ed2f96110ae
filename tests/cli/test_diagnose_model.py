"""`diagnose` with a model: `--steps` shows each node when it has run, `--votes` asks more than once."""

import json
import os
import subprocess
import sys

from tests.scripted_server import ScriptedServer, says

LOG = "epoch 1 step 1 loss 2.0\nFATAL: grxl plonk zzyzx\n"


def test_steps_go_to_stderr_and_the_answer_to_stdout(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(LOG)
    judged = {"lines": [2], "cause": "It says so.", "error_type": "script", "faulty_component": ""}
    with ScriptedServer([says(judged)]) as server:
        told = {"SCHEDMATE_LLM_URL": server.url, "SCHEDMATE_CACHE_DIR": str(tmp_path), "SCHEDMATE_LLM_ATTEMPTS": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "schedmate", "diagnose", "--json", "--steps", str(path)],
            capture_output=True, text=True, check=True, env=os.environ | told,
        )  # fmt: skip
    assert json.loads(done.stdout)["engine"] == "both"
    nodes = [line.split(": ")[1].split(" ")[0] for line in done.stderr.splitlines()]
    assert nodes == ["open_logs", "split_attempts", "locate", "classify", "judge", "merge", "verify", "plan", "report"]


def test_votes_ask_so_often_and_take_the_majority(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(LOG)
    kinds = {0: "infrastructure/gpu", 1: "script", 2: "script"}

    def turn(body):
        told = {"cause": "It says so.", "error_type": kinds[body.get("seed", 0)], "faulty_component": ""}
        return says({"lines": [2], **told})

    with ScriptedServer(turn) as server:
        told = {"SCHEDMATE_LLM_URL": server.url, "SCHEDMATE_CACHE_DIR": str(tmp_path), "SCHEDMATE_LLM_ATTEMPTS": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "schedmate", "diagnose", "--json", "--votes", "3", str(path)],
            capture_output=True, text=True, check=True, env=os.environ | told,
        )  # fmt: skip
    assert json.loads(done.stdout)["category"] == "script"
    assert len(server.chats()) == 3
