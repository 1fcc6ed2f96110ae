"""What `why` says of a job agrees with what is known of it."""

import json

from schedmate.history.live import LiveStore, Submission
from schedmate.scheduling.live.job_account import story


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
