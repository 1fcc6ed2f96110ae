"""A process that reads what others wrote is held in memory, and is the first to die where all of it is short."""

import json
import subprocess
import sys

import pytest

READER = """
import json, resource, sys
from pathlib import Path
from schedmate.scheduling.live.reader_worker import answer_all

def grow(asked):
    return {"length": len(bytearray(asked["bytes"]))}

def look(asked):
    score = int(Path("/proc/self/oom_score_adj").read_text())
    return {"score": score, "limit": resource.getrlimit(resource.RLIMIT_DATA)[0]}

answer_all({"grow": grow, "look": look, "step": look})
"""


def answers(*asked):
    text = "".join(json.dumps(one) + "\n" for one in asked)
    told = subprocess.run([sys.executable, "-c", READER], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


@pytest.mark.skipif(sys.platform != "linux", reason="as Linux counts a process's memory")
def test_a_reading_that_grows_without_end_is_an_error_and_the_next_is_answered():
    grown, looked = answers({"kind": "grow", "bytes": 5 << 30}, {"kind": "look"})
    assert "more memory than a reading may have" in grown["error"]
    assert looked["score"] >= 800
    assert 0 < looked["limit"] <= 4 << 30


@pytest.mark.skipif(sys.platform != "linux", reason="as Linux counts a process's memory")
def test_what_a_recovery_step_starts_has_what_it_needs():
    looked = answers({"kind": "step"})[0]
    assert looked["score"] < 800
