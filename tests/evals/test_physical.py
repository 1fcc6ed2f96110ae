"""The physical experiment without Ray: what is drawn, how its program behaves beside others, and the simulator."""

import json
import os
import subprocess
import sys
from dataclasses import asdict

import pytest

from evals.testbed import train
from evals.testbed.beside import simulate
from evals.testbed.playing import Ended, Played, queued_again_s
from evals.testbed.workload import MOST_GPUS, draw
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Answer, Submission

PROGRAMS = (
    ("LSTM", 128), ("ResNet50", 128), ("ResNet50", 64), ("ResNet18", 128), ("VGG", 64), ("LSTM", 64), ("ResNet50", 32),
    ("EfficientNet", 128), ("EfficientNet", 32), ("MobileNetV3", 32), ("DCGAN", 64), ("PointNet", 64), ("ResNet18", 32),
)  # fmt: skip


@pytest.fixture
def workload(tmp_path):
    lucid = tmp_path / "lucid"
    lucid.mkdir()
    rows = [f"{model},d,{batch},0,1.0,50,10,2000,{number % 3}" for number, (model, batch) in enumerate(PROGRAMS)]
    (lucid / "single_data.csv").write_text(
        "\n".join(["model,dataset,batchsize,amp,speed,gpu_util,gmem_util,gmem,label", *rows])
    )
    pairs = ["model1,dataset1,batchsize1,amp1,speed1,model2,dataset2,batchsize2,amp2,speed2", *PAIRS]
    (lucid / "colocate_info.csv").write_text("\n".join(pairs))
    return draw(tmp_path, 40, 60.0, 1.0, 1)


PAIRS = ("ResNet50,d,32,0,0.5,PointNet,d,64,0,0.9",)


def test_jobs_are_cut_to_seven_nodes_and_come_within_the_span(workload):
    assert len(workload.tasks) == 40
    assert [task.number for task in workload.tasks] == list(range(40))
    assert len(workload.past) == 120
    assert all(1 <= task.gpus <= MOST_GPUS for task in workload.tasks)
    moments = [task.submit_s for task in workload.tasks]
    assert moments == sorted(moments)
    assert (moments[0], moments[-1]) == (0.0, 60.0)
    assert any(task.fault for task in workload.tasks)
    assert not any(task.fault and task.bug for task in workload.tasks)


@pytest.mark.parametrize("arm", ["fifo", "qssf", "lucid", "lucid+", "ours"])
def test_the_simulator_plays_every_arm_to_its_end(workload, arm):
    ended = [
        Ended(
            number=task.number,
            submit_s=task.submit_s,
            end_s=0.0,
            ran_s=0.0,
            profiled_s=5.0,
            profiled_gpus=task.gpus if arm.startswith("lucid") and task.gpus <= 8 else 0,
            runs=1,
            state="completed",
            believed_s=task.work_s,
            recovery_s=5.0 if task.fault else None,
            released=0,
            start_s=2.0,
            queued_s=5.0 if task.fault else None,
        )
        for task in workload.tasks
    ]
    told = simulate(workload, Played(arm, ended, 0, 0, 2.0))
    assert (told.jct_s > 0).all()
    ideal = simulate(workload, Played(arm, ended, 0, 0, 2.0), counts_starts=False)
    assert told.result.outcomes.run_s.sum() > ideal.result.outcomes.run_s.sum(), "a start takes time"


def start(folder, number, job, slots="0", run=1, **told):
    environment = {
        **os.environ, "TESTBED": str(folder), "TESTBED_TASK": str(number), "SCHEDMATE_JOB_ID": str(job),
        "SCHEDMATE_RUN": str(run), "SCHEDMATE_PLACEMENT": f"n1:{slots}", "SCHEDMATE_NODES": "n1", **told,
    }  # fmt: skip
    command = [sys.executable, train.__file__, "--output-dir", str(folder / f"out{job}")]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def plan(folder, number, key, **told):
    for name in ("tasks", "notes"):
        (folder / name).mkdir(exist_ok=True)
    words = {"key": key, "speeds": {"a": 1.0, "b": 0.5}, "steps": 4, "shown_steps": 4, "step_s": 0.01, "save_s": 0.02}
    words |= {"bug": "", "fault": "", "fault_step": 0}
    (folder / "tasks" / f"{number}.json").write_text(json.dumps(words | told))


def note(folder, job, run=1):
    return json.loads((folder / "notes" / f"{job}.{run}.json").read_text())


def test_the_program_goes_on_from_its_checkpoint_after_a_fault_that_comes_once(tmp_path):
    plan(tmp_path, 0, "a", fault="nccl", fault_step=3)
    first = start(tmp_path, 0, 7)
    said = first.communicate()[0]
    assert first.returncode == 1
    assert "Watchdog caught collective operation timeout" in said
    second = start(tmp_path, 0, 7, run=2)
    said = second.communicate()[0]
    assert second.returncode == 0
    assert "at step 2" in said
    assert (note(tmp_path, 7, 2)["steps"], note(tmp_path, 7, 2)["finished"]) == (2, True)


@pytest.mark.parametrize(("bug", "words"), [("key", "KeyError"), ("shape", "mat1"), ("memory", "out of memory")])
def test_the_program_dies_of_its_own_bug_each_time(tmp_path, bug, words):
    plan(tmp_path, 0, "a", bug=bug)
    process = start(tmp_path, 0, 7)
    assert words in process.communicate()[0]
    assert process.returncode == 1


def test_who_shares_a_gpu_is_slowed_and_who_has_gone_slows_nobody(tmp_path):
    plan(tmp_path, 0, "a", steps=1000)
    plan(tmp_path, 1, "b", steps=10_000)
    other = start(tmp_path, 1, 8)
    while not list((tmp_path / "gpus").glob("*/8.1")):
        assert other.poll() is None
    other.kill()
    other.communicate()
    alone = start(tmp_path, 0, 7, TESTBED_PROFILE_S="0.1")
    assert alone.communicate()[0].count("step_time") >= 2
    assert not list((tmp_path / "gpus").glob("*/8.1")), "a lock that nobody holds is no neighbour"
    assert note(tmp_path, 7)["profiled"]


def test_a_neighbour_on_one_gpu_of_several_sets_the_pace(tmp_path, monkeypatch):
    plan(tmp_path, 0, "a")
    plan(tmp_path, 1, "b", steps=100_000)
    other = start(tmp_path, 1, 8, slots="3")
    try:
        while not any(path.read_text() for path in (tmp_path / "gpus").glob("*/8.1")):
            assert other.poll() is None
        told = {"TESTBED": tmp_path, "TESTBED_TASK": 0, "SCHEDMATE_JOB_ID": 7, "SCHEDMATE_RUN": 1}
        for name, value in (told | {"SCHEDMATE_PLACEMENT": "n1:2,3"}).items():
            monkeypatch.setenv(name, str(value))
        bed = train.Testbed(tmp_path / "out")
        bed.enter()
        assert bed.speed() == 0.5
        bed.leave({})
    finally:
        other.kill()
        other.communicate()


def test_how_long_a_fault_kept_a_job_out_of_the_queue_is_read_from_the_store(tmp_path):
    store = LiveStore(tmp_path)
    for number in (1, 2, 3):
        store.open_run(store.submit(Submission(("x",), "/", {}), f"{number}", 0.0), "gpu", (("n1", 1),), None, 10.0)
        store.update_run(number, 1, ended_s=100.0, outcome="failed")
    step = store.add_action(1, 1, 0, "restart", "the job", "x", "act")
    for event in ("started", "done"):
        store.note_action(step, event)
    store.answer(store.ask("release", 2), Answer("done"))
    store.connection.execute("UPDATE live_requests SET done_s = 141.0")
    done_s = store.trail(step)[-1].at_s
    after = [queued_again_s(store, number, store.run(number, 1)) for number in (1, 2, 3)]
    assert after == [done_s - 100.0, 41.0, None]
    store.close()


def test_what_was_played_can_be_kept_as_json():
    played = Played("fifo", [Ended(0, 1.0, 2.0, 1.0, 0.0, 0, 1, "completed", 1.0, None, 0)], 0, 0, 1.0)
    told = json.loads(json.dumps(asdict(played)))
    assert Played(**{**told, "jobs": [Ended(**job) for job in told["jobs"]]}) == played
