"""What `why` says of a job agrees with what is known of it."""

import json

from schedmate.cli.jobs import progress_of
from schedmate.history.live import LiveStore, Submission
from schedmate.scheduling.live.job_account import facts_of, story
from schedmate.scheduling.live.learning import past_job


def test_a_log_that_was_read_is_not_said_to_be_read_still(tmp_path):
    store = LiveStore(tmp_path)
    try:
        number = store.submit(Submission(("true",), "/", {}), "token", 1.0)
        store.update(number, state="examined")
        assert "its log is being read" in story(store.job(number), store)
        store.update(number, diagnosis=json.dumps({"category": "script"}), reason="action 5 waits for approval")
        assert "died, and what to do is being decided: action 5 waits" in story(store.job(number), store)
    finally:
        store.close()


HANGS = """
import os, time
os.write(1, "".join(f"step {step}/900 loss {9 / step:.3f} 0.5 s/step\\n" for step in range(1, 41)).encode())
os.utime(1, (time.time() - 3600, time.time() - 3600))
while not os.path.exists("go"):
    time.sleep(0.02)
"""
"""Its log looks as if the last step had come an hour ago."""


def test_a_job_that_stands_still_is_said_to_and_nothing_is_said_to_be_left(make_up):
    up = make_up("--slots", "gpu=1")
    number = up.submit(HANGS)
    up.until(lambda: json.loads(up.store.job(number).metrics or "{}").get("phase") == "stalled")
    row = up.store.job(number)
    assert row.state == "running"
    assert json.loads(row.metrics)["eta_s"] > 0, "its log would have it so"
    facts = facts_of(row, up.store, None)
    assert "its log is at step 40 of 900" in facts
    assert "stalled: no step for 60 min" in facts
    assert not any("left" in fact for fact in facts)
    assert progress_of(row) == "step 40/900, stalled: no step for 60 min"
    (up.work / "go").touch()
    up.until_state("completed", jobs=[number])
    assert "stalled" not in progress_of(up.store.job(number))
    assert past_job(up.store.job(number), up.store).metrics.still_since_s is not None


def test_a_hang_that_somebody_cancelled_is_no_measure_of_the_next_run(make_up):
    up = make_up("--slots", "gpu=1")
    hang = "import time; print('begun'); time.sleep(600)"
    first = up.submit(hang)
    up.until(lambda: up.log(first) == "begun\n")
    up.ask("cancel", first)
    up.until_state("cancelled", jobs=[first])
    second = up.submit(hang)
    up.until(lambda: up.store.job(second).estimate)
    row = up.store.job(second)
    assert json.loads(row.estimate)["source"] == "fallback"
    assert not any("expected to run" in fact for fact in facts_of(row, up.store, None))
