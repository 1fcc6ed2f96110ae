"""`schedmate up` with real processes: jobs come, run, fail, are mended; the loop is killed and comes back."""

import json
import resource
import signal
import subprocess
import sys

from schedmate.history.overviews import gpu_load
from schedmate.scheduling.live.presence import lock_file
from tests.tools.nvml_library import WELL, driver_of

XID = """
import os, sys
for step in range(5):
    print(f"step {step}/5 loss 1.0")
if not os.environ["SCHEDMATE_CHECKPOINT"]:
    open("last.ckpt", "w").write("state")
    node = os.environ["SCHEDMATE_NODES"]
    print(f"Nov 21 05:00:01 {node} kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=77, GPU has fallen off the bus.")
    sys.exit("RuntimeError: CUDA error: unspecified launch failure")
print("went on from", os.environ["SCHEDMATE_CHECKPOINT"])
"""
LIBRARY = """
import time
from types import SimpleNamespace
class Some:
    def __init__(self, *given, **named): pass
    def __call__(self, *given): return self
    sum = step = zero_grad = __call__
    def parameters(self): return []
    def backward(self): time.sleep(0.05)
zeros, nn, optim = Some(), SimpleNamespace(Linear=Some), SimpleNamespace(SGD=Some)
"""
TRAINS = """
import argparse, sys
sys.path.insert(0, sys.argv.pop())
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--max_steps", type=int, default=90_000)
args = parser.parse_args()
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(args.max_steps):
    loss = model(torch.zeros(2, 4)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {9 / (step + 1):.4f} 50.0 ms/step")
"""
GATE = "import os, time\nwhile not os.path.exists('gate'): time.sleep(0.02)\nprint('through', os.getpid())"


def test_the_load_of_a_running_jobs_gpus_is_written_down(make_up, tmp_path):
    up = make_up("--slots", "gpu=1", **driver_of(tmp_path, WELL.replace("util=0", "util=62")))
    job = up.submit(GATE)
    up.until(lambda: gpu_load(up.store.connection, job, 1))
    assert {share for _, share in gpu_load(up.store.connection, job, 1)} == {0.62}


def test_an_end_that_only_the_code_tells_gives_what_is_left(make_up, tmp_path):
    up = make_up("--slots", "cpu=1")
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "torch.py").write_text(LIBRARY)
    (up.work / "train.py").write_text(TRAINS)
    job = up.submit("train.py", str(tmp_path / "library"))
    up.until(lambda: up.store.job(job).metrics and json.loads(up.store.job(job).metrics)["eta_s"])
    told = json.loads(up.store.job(job).metrics)
    assert told["total_steps"] == 90_000
    assert told["eta_low_s"] < told["eta_s"] < told["eta_high_s"]


def test_a_loop_that_is_killed_comes_back_to_the_very_same_processes(make_up):
    up = make_up("--slots", "cpu=2")
    jobs = [up.submit(GATE), up.submit(GATE), up.submit("print('third')")]
    up.until_state("running", jobs=jobs[:2])
    records = [up.data_dir / "jobs" / str(job) / "1" / "job" for job in jobs[:2]]
    up.until(lambda: all(record.exists() for record in records))
    pids = [json.loads(record.read_text())["pid"] for record in records]
    up.kill()
    late = up.submit("print('while you were away')")
    up.start()
    (up.work / "gate").touch()
    up.until_state("completed", jobs=[*jobs, late])
    assert [up.log(job) for job in jobs[:2]] == [f"through {pid}\n" for pid in pids]
    assert [len(up.store.runs(job)) for job in (*jobs, late)] == [1, 1, 1, 1]
    assert "runs already" in up.said()


def test_a_second_loop_is_refused(make_up):
    up = make_up("--slots", "cpu=1")
    up.until(lambda: lock_file(up.data_dir).read_text() == f"{up.process.pid}\n")
    answer = subprocess.run(
        [sys.executable, "-m", "schedmate", "up"],
        capture_output=True, text=True, check=False, timeout=180,
        env={"SCHEDMATE_DATA_DIR": str(up.data_dir), "PYTHONPATH": ":".join(sys.path), "PATH": "/bin"},
    )  # fmt: skip
    assert answer.returncode == 2
    assert f"a loop is up already on {up.data_dir} (process {up.process.pid})" in answer.stderr


def test_act_mends_what_broke_and_holds_what_a_person_must_mend(make_up, tmp_path):
    driver = driver_of(tmp_path, "lost=handle", WELL, WELL)
    up = make_up("--slots", "gpu=1", "--nodes", "3", "--spares", "1", "--mode", "act", **driver)
    (up.work / "train.py").write_text("config = {}\nprint('step 1/9 loss 2.0')\nprint(config['lr'])\n")
    bug = up.submit("train.py", user="bea")
    up.until_state("held", jobs=[bug])
    assert up.store.job(bug).reason.startswith("train.py:3: python.key_error")
    broken = up.submit(XID, name="pretrain")
    up.until_state("completed", jobs=[broken])
    first, second = up.store.runs(broken)
    assert first.parts != second.parts
    assert up.log(broken, 2).endswith(f"went on from {up.work}/last.ckpt\n")
    up.until(lambda: ("notify", "done") in up.actions(broken))
    done = dict(up.actions(broken))
    assert done == dict.fromkeys(("health_check", "isolate", "replace", "restart", "notify"), "done")
    ((node, _),) = first.parts
    action = next(row.id for row in up.store.actions(job=broken) if row.kind == "isolate")
    assert up.store.marks() == {node: ("isolated", action)}
    assert up.ask("undo", action).words == f"action {action} is undone: {node} takes jobs again"
    assert not up.ask("undo", action).ok
    assert up.store.marks() == {}


def test_observe_does_nothing_and_says_what_it_would(make_up):
    up = make_up("--slots", "gpu=1", "--nodes", "2")
    job = up.submit(XID)
    up.until_state("failed", jobs=[job])
    assert up.store.marks() == {}
    assert len(up.store.runs(job)) == 1
    observed = {kind for kind, event in up.actions(job) if event == "observed"}
    assert observed == {"isolate", "replace", "restart"}


def test_suggest_waits_for_a_word_even_through_a_kill(make_up):
    up = make_up("--slots", "gpu=1", "--nodes", "2", "--mode", "suggest")
    job = up.submit(XID)
    up.until(lambda: ("isolate", "proposed") in up.actions(job))
    up.kill()
    up.start()
    isolate = next(row for row in up.store.actions(job=job) if row.kind == "isolate")
    assert up.store.job(job).state == "examined"
    assert up.ask("approve", isolate.id).words == f"action {isolate.id} (isolate) is approved"
    up.until(lambda: up.store.marks())
    up.until(lambda: ("restart", "proposed") in up.actions(job))
    restart = next(row for row in up.store.actions(job=job) if row.kind == "restart")
    assert up.ask("reject", restart.id, "not today").words.endswith("is rejected")
    up.until_state("failed", jobs=[job])
    assert [event for _, event, *_ in up.store.trail(restart.id)] == ["planned", "proposed", "rejected"]


def test_a_word_to_a_loop_that_is_gone_reaches_no_other(make_up):
    """`down`, asked of a loop that hung and was killed, must not end the next one."""
    up = make_up("--slots", "cpu=1")
    up.pause()
    asking = subprocess.Popen(
        [sys.executable, "-P", "-m", "schedmate", "down"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={"SCHEDMATE_DATA_DIR": str(up.data_dir), "PYTHONPATH": ":".join(sys.path), "PATH": "/bin"},
    )  # fmt: skip
    up.until(up.store.requests)
    (request,) = up.store.requests()
    up.kill()
    asking.wait(180)
    up.start()
    up.until(lambda: up.store.answer_to(request.id))
    assert up.store.answer_to(request.id).words.endswith("is gone already")
    job = up.submit("print('ran')")
    up.until_state("completed", jobs=[job])
    assert up.process.poll() is None


def test_a_full_disk_keeps_no_loop_from_going(make_up):
    up = make_up("--slots", "cpu=1")
    first = up.submit("print('first')")
    up.until_state("completed", jobs=[first])
    hard = resource.prlimit(up.process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(up.process.pid, resource.RLIMIT_FSIZE, (up.console.stat().st_size + 2048, hard))
    job = up.submit("print('ran')")
    up.until(lambda: "the store cannot be written" in up.said())
    up.process.send_signal(signal.SIGTERM)
    up.process.wait(60)
    assert "going down although the store cannot be written" in up.said()
    up.start()
    up.until_state("completed", jobs=[job])
    assert len(up.store.runs(job)) == 1


def test_a_job_too_large_is_held_and_others_pass(make_up):
    up = make_up("--slots", "cpu=1", "--nodes", "2")
    large, small = up.submit("pass", slots=5), up.submit("pass")
    up.until_state("completed", jobs=[small])
    assert up.store.job(large).state == "held"
    assert "wants 5 slots; the cluster has 2" in up.store.job(large).reason


def test_a_new_job_is_read_and_expected_to_take_what_its_likes_took(make_up):
    up = make_up("--slots", "cpu=1")
    (up.work / "train.py").write_text(
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--seed')\nprint('step 1/1')\n"
    )
    first = up.submit("train.py", "--seed", "1", user="ada")
    up.until_state("completed", jobs=[first])
    up.until(lambda: up.store.connection.execute("SELECT 1 FROM jobs WHERE source = 'schedmate'").fetchone())
    again = up.submit("train.py", "--seed", "2", user="ada")
    up.until_state("completed", jobs=[again])
    estimate = json.loads(up.store.job(again).estimate)
    assert estimate["source"] == "resubmission"
    assert estimate["rests_on"] == [str(first)]
    up.until(lambda: up.store.job(first).estimate)
    assert json.loads(up.store.job(first).estimate)["source"] == "fallback"


def test_a_job_that_prints_nothing_is_read_by_the_way_it_ended(make_up):
    up = make_up("--slots", "cpu=1")
    silent = [
        up.submit(f"import os, signal; {end}") for end in ("os._exit(127)", "os.kill(os.getpid(), signal.SIGSEGV)")
    ]
    up.until_state("failed", "held", jobs=silent)
    read = [json.loads(up.store.job(job).diagnosis) for job in silent]
    assert [one["failure_id"] for one in read] == ["exit.not_found", "exit.segfault"]
    answer = subprocess.run(
        [sys.executable, "-m", "schedmate", "why", str(silent[0])],
        capture_output=True, text=True, check=True,
        env={"SCHEDMATE_DATA_DIR": str(up.data_dir), "PYTHONPATH": ":".join(sys.path), "PATH": "/bin"},
    )  # fmt: skip
    assert "with code 127: The command was not found" in answer.stdout
