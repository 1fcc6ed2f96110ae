"""Records that tell when jobs started are set beside the replay, and a replay that is far from them is called so."""

import json
import subprocess
import sys

import numpy as np
import pytest

from schedmate.scheduling.simulation.as_it_was import changes, doubt, recorded
from schedmate.scheduling.simulation.options import SimulationOptions
from schedmate.scheduling.simulation.simulate import simulate
from schedmate.traces.reading import read_trace
from schedmate.traces.reshaping import scale

HEAD = "JobID|User|Partition|JobName|Submit|Start|End|Elapsed|State|AllocTRES\n"
ROWS = """1|ada|gpu|a|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T01:00:00|01:00:00|COMPLETED|gres/gpu=8
2|ada|gpu|a|2026-01-01T00:00:10|2026-01-01T01:00:00|2026-01-01T02:00:00|01:00:00|COMPLETED|gres/gpu=8
3|bob|gpu|b|2026-01-01T00:00:20|2026-01-01T02:00:00|2026-01-01T02:10:00|00:10:00|FAILED|gres/gpu=1
"""
PLAIN = "job_id,user,vc,name,submit_s,duration_s,gpus,status\na,u,,n,0,10,1,COMPLETED\n"


@pytest.fixture
def sacct(tmp_path):
    path = tmp_path / "sacct.txt"
    path.write_text(HEAD + ROWS)
    return path


def test_waits_are_those_that_the_records_tell(sacct):
    past = recorded(read_trace(str(sacct)))
    assert past.avg_queue_s_by_gpus == {"2 to 8": 1795.0, "1": 7180.0}
    assert past.avg_jct_s == pytest.approx((3600 + 7190 + 7780) / 3)


def test_rows_that_are_picked_keep_their_waits(sacct):
    assert scale(read_trace(str(sacct)), most_gpus=4).waited_s.tolist() == [0.0, 3590.0, 7180.0]
    assert read_trace(str(sacct)).rows(np.array([False, True, False])).waited_s.tolist() == [3590.0]


def test_where_too_few_starts_are_known_nothing_is_said(sacct, tmp_path):
    lines = [f"{n}|ada|gpu|a|2026-01-01T03:00:00|Unknown|Unknown|00:10:00|FAILED|gres/gpu=1\n" for n in range(4, 7)]
    sacct.write_text(HEAD + ROWS + "".join(lines))
    assert recorded(read_trace(str(sacct))) is None
    (tmp_path / "plain.csv").write_text(PLAIN)
    assert recorded(read_trace(str(tmp_path / "plain.csv"))) is None


@pytest.mark.parametrize(("nodes", "warned"), [("1x8", False), ("2x8", True)])
def test_a_replay_that_is_far_from_the_past_says_so(sacct, nodes, warned):
    command = [sys.executable, "-m", "schedmate", "simulate", "--trace", str(sacct), "--policy", "fifo"]
    told = subprocess.run([*command, "--nodes", nodes, "--json"], capture_output=True, text=True, check=True)
    past, fifo = map(json.loads, told.stdout.splitlines())
    assert (past["policy"], past["avg_queue_s"]) == ("as it was", 3590.0)
    assert (fifo["avg_queue_s"] == 3590.0) is not warned
    assert ("no policy replays the waits that are recorded" in told.stderr) is warned
    assert ("wait 0 s where they waited 1,795 s" in told.stderr) is warned


@pytest.fixture
def replayable(tmp_path):
    """Write records of a site that ran first in, first out on one node: each job as long as it is numbered."""
    head, at_s = HEAD.replace("User|", "User|Account|QOS|").replace("Elapsed|", "ElapsedRaw|"), 0
    lines = []
    for number in range(1, 61):
        long = 3000 if number % 2 else 100
        start_s = max(at_s, number * 1000)
        at_s = start_s + long
        stamps = "|".join(
            str(np.datetime64("2026-01-01") + np.timedelta64(s, "s")) for s in (number * 1000, start_s, at_s)
        )
        qos = "normal" if number % 2 else "urgent"
        lines.append(f"{number}|ada|vision|{qos}|gpu|a|{stamps}|{long}|COMPLETED|gres/gpu=8\n")
    path = tmp_path / "site.txt"
    path.write_text(head + "".join(lines))
    return path


def test_the_past_is_compared_by_quality_of_service_and_changes_have_an_interval(replayable):
    told = simulate(SimulationOptions(trace=str(replayable), policies=("fifo", "sjf"), nodes="1x8", workers=1))
    past = recorded(told.experiment.trace)
    assert set(past.avg_queue_s_by_qos) == {"normal", "urgent"}
    assert past.avg_queue_s_by_qos == told.summaries[0].avg_queue_s_by_qos
    assert doubt(past, told.summaries) == ""
    (change,) = changes(past, told.summaries, told.waits).values()
    line = change.told("sjf")
    assert line.startswith("sjf instead of fifo, which replays the past: jobs would wait ")
    fifo, sjf = (float(np.mean(told.waits[name, 0])) for name in ("fifo", "sjf"))
    assert f"wait {fifo - sjf:,.0f} s less on average (90 %" in line
    assert "interval over 12 stretches" in line
    assert f"{change.low_s:,.0f} to {change.high_s:,.0f} s less" in line
    # By hand: Student's 1.796 holds 90 % with eleven degrees of freedom.
    saved_s = told.waits["fifo", 0] - told.waits["sjf", 0]
    half_s = 1.796 * np.std(saved_s, ddof=1) / 12**0.5
    assert change.less_wait_s == pytest.approx(np.mean(saved_s), abs=1e-3)
    assert (change.low_s, change.high_s) == pytest.approx(
        (change.less_wait_s - half_s, change.less_wait_s + half_s), abs=2e-3
    )


def test_what_would_change_is_told_in_json_and_on_the_page(replayable, tmp_path):
    pytest.importorskip("matplotlib")
    command = [sys.executable, "-m", "schedmate", "simulate", "--trace", str(replayable), "--policy", "fifo,sjf"]
    page = tmp_path / "page.html"
    more = ["--nodes", "1x8", "--workers", "1", "--json", "--plot", str(page)]
    told = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
    _, fifo, sjf = map(json.loads, told.stdout.splitlines())
    assert fifo["change"] is None
    assert sjf["change"]["against"] == "fifo"
    assert sjf["change"]["low_s"] < sjf["change"]["less_wait_s"] < sjf["change"]["high_s"]
    assert f"jobs would wait {sjf['change']['less_wait_s']:,.0f} s less on average (90 % interval" in page.read_text()


def test_a_quality_of_service_that_waited_otherwise_is_named(replayable):
    told = simulate(SimulationOptions(trace=str(replayable), policies=("sjf",), nodes="1x8", workers=1))
    past = recorded(told.experiment.trace)
    assert "lets jobs of QoS urgent wait" in doubt(past, told.summaries)
    assert changes(past, told.summaries, told.waits) == {}
