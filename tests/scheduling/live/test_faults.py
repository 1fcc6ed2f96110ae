"""Whatever kills the loop, wherever: no job lost, none started twice, no action forgotten.

`FAULT_KILLS=200 python -m pytest tests/scheduling/live/test_faults.py` (or `make test-faults`) kills more.
"""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from schedmate.history.live import LiveStore

SEED = os.environ.get("FAULT_SEED", "8")
KILLS = int(os.environ.get("FAULT_KILLS", "24"))
JOBS = max(8, KILLS // 5)
KINDS = ("xid", "bug", "good", "good", "good")


@pytest.fixture(params=["act", "suggest"])
def aftermath(tmp_path, request):
    """Kill loops, and give what they left."""
    print(f"FAULT_SEED={SEED}")
    command = [sys.executable, "-m", "tests.scheduling.live.mortal", str(tmp_path), request.param]
    command += [SEED, str(KILLS), str(JOBS)]
    paths = os.pathsep.join([os.getcwd(), *sys.path])
    answer = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=900, env={**os.environ, "PYTHONPATH": paths}
    )
    assert answer.returncode == 0, answer.stderr[-4000:]
    told = json.loads(answer.stdout.splitlines()[-1])
    assert told["last"] == 0, answer.stderr[-4000:]
    assert told["killed"] >= KILLS
    store = LiveStore(tmp_path / "data")
    yield store, [line.split() for line in (tmp_path / "work" / "ledger").read_text().splitlines()]
    store.close()


def test_no_job_lost_none_twice_no_action_forgotten(aftermath):
    store, ledger = aftermath
    jobs = store.jobs()
    assert [row.id for row in jobs] == list(range(1, JOBS + 1)), "every submission is one job, however often it came"
    words = Counter(word for word, _, _ in ledger)
    assert not words["TWICE"], "no job ran twice at once"
    assert not words["CLASH"], "no slot was held by two"
    started = Counter((int(job), int(run)) for word, job, run in ledger if word == "start")
    assert set(started.values()) == {1}, "no run started twice"
    for row in jobs:
        kind = KINDS[(row.id - 1) % len(KINDS)]
        runs = store.runs(row.id)
        expected = {"xid": ["failed", "completed"], "bug": ["failed"], "good": ["completed"]}[kind]
        assert [run.outcome for run in runs if run.outcome != "lost"] == expected
        assert row.state == ("held" if kind == "bug" else "completed")
        assert all(started[row.id, run.run] == 1 for run in runs if run.outcome != "lost")
        steps = store.actions(job=row.id)
        planned = {"xid": "restart", "bug": "hold", "good": None}[kind]
        assert [step.event for step in steps if step.kind == planned] == (["done"] if planned else [])
        isolated = {step.nodes: step.id for step in store.actions() if step.kind == "isolate" and step.event == "done"}
        assert {(node,): action for node, (_, action) in store.marks().items()} == isolated, "each mark has its entry"
        assert len(isolated) == 1, "the breaker counts across lives"
        for step in steps:
            assert step.event in ("done", "refused"), "no step is left half done"
            assert [event for _, event, *_ in store.trail(step.id)].count("done") <= 1
