"""`schedmate report --slurm` beside the accounting itself: the same jobs, ends and GPU hours, counted anew."""

import json
import re
from collections import Counter

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from tests.slurm.conftest import emptied
from tests.slurm.slurm_up import BUG

pytestmark = pytest.mark.slurm

ASKED = ("sacct", "-a", "-X", "-n", "-P", "-S", "now-1day", "-o", "JobID,State,ElapsedRaw,AllocTRES,User")
ENDS = {"COMPLETED": "completed", "FAILED": "failed", "CANCELLED": "cancelled", "NODE_FAIL": "node_fail"}
GPUS = re.compile(r"gres/gpu=(\d+)")


@pytest.fixture
def slurm(four_nodes, slurm_path):
    slurm_path(four_nodes)
    yield four_nodes
    emptied(four_nodes)


def counted(slurm):
    """Count by hand what the accounting has of jobs that are over: how many ended how, and their GPU hours."""
    ends, hours = Counter(), 0.0
    for line in slurm.check(*ASKED).splitlines():
        name, state, elapsed, tres, user = line.split("|")
        if (end := ENDS.get(state.split()[0])) and name:
            ends[end] += 1
            hours += int(elapsed) * int((GPUS.findall(tres) or ["0"])[0]) / 3600
            ends[user] += end != "completed" and end != "cancelled"
    return ends, hours


def test_a_report_counts_what_the_accounting_has(slurm):
    work = slurm.at / "work"
    bugs = [slurm.sbatch(BUG, "--gpus=2", "-o", "bug-%j.out", user=user) for user in ("games", "news")]
    array = slurm.sbatch("sleep 2; test $SLURM_ARRAY_TASK_ID != 3", "--gpus=4", "-a", "1-5", user="mail")
    stopped = slurm.sbatch("sleep 600", "--gpus=8", user="games")
    slurm.sbatch("true", "--hold", user="news")  # what waits is in no figure
    slurm.until(lambda: slurm.run("squeue", "-h", "-j", stopped, "-o", "%t").stdout.strip() == "R")
    slurm.check("scancel", stopped)
    done = ("sacct", "-X", "-n", "-P", "-o", "State", "-j", ",".join((*bugs, array, stopped)))
    wanted = Counter(COMPLETED=4, FAILED=3, CANCELLED=1)
    slurm.until(lambda: Counter(line.split()[0] for line in slurm.run(*done).stdout.splitlines()) == wanted)
    ends, hours = counted(slurm)
    page = work / "report.html"
    logs = [str(work / f"bug-{name}.out") for name in bugs]
    options = ("--slurm", "--since", "1d", "--policy", "fifo,sjf", "--json", "-o", str(page))
    said = CliRunner().invoke(make_app(), ["report", *options, *logs], catch_exceptions=False)
    assert said.exit_code == 0, said.output
    told = json.loads(said.stdout)
    assert {one["status"]: one["jobs"] for one in told["ends"]} == {
        name: ends[name] for name in ENDS.values() if ends[name]
    }
    assert told["gpu_hours"] == pytest.approx(hours, abs=0.02)
    assert {one["name"]: one["failures"] for one in told["by_user"]} == {
        one["name"]: ends[one["name"]] for one in told["by_user"]
    }
    assert told["diagnosed"] == 2
    assert [one["name"] for one in told["by_failure"]] == ["python.key_error"]
    assert page.read_text().count("<svg") >= 1
