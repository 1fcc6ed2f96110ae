"""`diagnose --steps` shows each node when it has run, those that ask a model included."""

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
    assert nodes == ["open", "split_attempts", "locate", "classify", "judge", "merge", "verify", "plan", "report"]
