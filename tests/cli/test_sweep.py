"""A sweep that is killed goes on where it was."""

import json
import os
import signal
import subprocess
import sys
import time

from tests.cli.test_simulate import ROWS

POLICIES = ["fifo", "sjf", "srtf", "qssf", "tiresias"]


def test_a_killed_sweep_goes_on_where_it_was(tmp_path):
    (tmp_path / "jobs.csv").write_text(ROWS)
    command = [sys.executable, "-m", "schedmate", "simulate", "--trace", "jobs.csv", "--nodes", "2x4", "--json"]
    command += ["--policy", ",".join(POLICIES), "--repeat", "400", "--workers", "1", "--sweep", "done.jsonl"]
    ledger = tmp_path / "done.jsonl"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def lines():
        return ledger.read_bytes().count(b"\n") if ledger.exists() else 0

    seen = [0]
    for _ in range(2):
        with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL) as process:
            while lines() < seen[-1] + 3 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        seen.append(lines())
        assert seen[-1] >= seen[-2] + 3
    before = ledger.read_text().splitlines()[: seen[-1]]
    small = [*command[: command.index("--repeat")], "--repeat", "3", *command[command.index("--workers") :]]
    told = subprocess.run(small, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in told.splitlines()]
    assert [(row["policy"], row["seed"]) for row in rows] == [
        (policy, seed) for policy in POLICIES for seed in range(3)
    ]
    assert ledger.read_text().splitlines()[: len(before)] == before
    kept = [json.loads(line)["summary"] for line in before if line.endswith("}")]
    again = [row for row in kept if (row["policy"], row["seed"]) in {("fifo", 0), ("fifo", 1), ("fifo", 2)}]
    # What a policy changes is told of all runs together, so it is no part of what one run leaves behind.
    alone = [{key: value for key, value in row.items() if key != "change"} for row in rows]
    assert again, "the first runs were done before the kill"
    assert all(row in alone for row in again), "what was done before the kill is told as it was done"
