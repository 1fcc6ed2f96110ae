"""Failures of the last days in numbers: by class, by failure, by node and by user."""

import json
import time
from collections import Counter
from typing import Any

from schedmate.history.live import LiveStore

MOST = 20


def summary(store: LiveStore, since_hours: float) -> dict[str, Any]:
    """Count what ended badly; a job without a diagnosis is counted as that."""
    since_s = time.time() - since_hours * 3600
    ended = [row for row in store.jobs() if (row.end_s or 0.0) >= since_s]
    failed = [row for row in ended if row.diagnosis or row.state == "failed"]
    counts: dict[str, Counter[str]] = {
        "by_class": Counter(),
        "by_failure": Counter(),
        "by_node": Counter(),
        "by_user": Counter(),
    }
    for row in failed:
        found = json.loads(row.diagnosis) if row.diagnosis else {}
        counts["by_class"][found.get("category") or "not diagnosed"] += 1
        counts["by_failure"][found.get("failure_id") or "unknown"] += 1
        counts["by_user"][row.user] += 1
        runs = store.runs(row.id)
        counts["by_node"].update({node for node, _ in runs[-1].parts} if runs else ())
    shown = {name: dict(counter.most_common(MOST)) for name, counter in counts.items()}
    return {"since_hours": since_hours, "jobs_ended": len(ended), "jobs_failed": len(failed), **shown}
