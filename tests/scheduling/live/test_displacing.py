"""A running job makes room for one that is done much sooner, once it has saved on disk, and goes on from there."""

import os
import re
import sys
import time

import pytest

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.history.figures import ended_runs
from schedmate.history.jobs import Which, count_jobs, iterate_jobs
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.history.stats import history_stats
from schedmate.reports.past import Gathering
from schedmate.reports.sources import from_history
from schedmate.scheduling.live.saves import SETTLED_S, Saves
from schedmate.scheduling.live.service import Service, ServiceOptions

LONG = """
import os, time
found = os.environ["SCHEDMATE_CHECKPOINT"]
print("began from", os.path.basename(found) or "nothing", flush=True)
if not found:
    open("model.ckpt", "w").write("weights")
    while True: time.sleep(0.05)
"""
ELASTIC = """
import os, time
found = os.path.basename(os.environ["SCHEDMATE_CHECKPOINT"])
print("began on", os.environ["SCHEDMATE_PLACEMENT"], "from", found or "nothing", flush=True)
open("model.ckpt", "w").write("weights")
step = 0
while not os.path.exists("enough"):
    step += 1
    print(f"step {step}/100000000 loss 1.0", flush=True)
    time.sleep(0.05)
"""
LIMIT_S = 180.0


class Bench:
    """A loop in this process on one slot, which follows logs."""

    def __init__(self, folder, slots=1, **options):
        self.folder = folder
        self.store = LiveStore(folder)
        self.said = []
        reading = "tests.scheduling.live.quick_reading"
        nodes = [NodeSpec("n", slots, "cpu")]
        wanted = ServiceOptions(folder, nodes, reading=reading, grace_s=0.5, **options)
        self.service = Service(wanted, self.said.append)
        for name, seconds in (("long", 1e6), ("short", 1.0)):
            self.service.estimates.learn(LiveJob(0, "", 1, 0.0, "ada", name), seconds, "completed")

    def submit(self, name, program, **options):
        folder = self.folder / name
        folder.mkdir()
        command = (sys.executable, "-S", "-c", program)
        job = Submission(command, str(folder), {"PATH": os.environ["PATH"]}, user="ada", name=name, **options)
        return self.store.submit(job, os.urandom(8).hex(), time.time())

    def until(self, done):
        limit_s = time.monotonic() + LIMIT_S
        while not done():
            assert time.monotonic() < limit_s, self.said
            self.service.turn()

    def log(self, number, run):
        with open(self.service.cluster.facts(number, run).log) as file:
            return file.read()

    def close(self):
        for row in self.store.jobs(("running", "pending")):
            self.store.ask("cancel", row.id)
        self.until(lambda: not self.store.runs())
        self.service.close()
        self.store.close()


@pytest.fixture
def bench(tmp_path):
    made = []

    def make(**options):
        made.append(Bench(tmp_path, **options))
        return made[0]

    yield make
    made[0].close()


def test_who_has_saved_makes_room_and_goes_on_from_there(bench):
    here = bench()
    long = here.submit("long", LONG)
    here.until(lambda: here.store.job(long).checkpoint)
    short = here.submit("short", "print('short')")
    here.until(lambda: here.store.job(long).state == "completed")
    assert here.store.job(short).state == "completed"
    assert here.store.job(long).preemptions == 1
    assert here.log(long, 2) == "began from model.ckpt\n"


def test_nobody_is_stopped_where_that_is_forbidden(bench):
    here = bench(displacing=False)
    long = here.submit("long", LONG)
    here.until(lambda: here.store.job(long).checkpoint)
    short = here.submit("short", "print('short')")
    here.until(lambda: here.store.job(short).state == "pending" and here.service.loop.part("").view.pending)
    assert here.store.job(long).state == "running"


def test_who_can_use_more_gets_what_lies_idle_and_gives_it_back_from_its_checkpoint(bench):
    here = bench(slots=4, policy="fifo")
    long = here.submit("long", ELASTIC, slots=1, most_slots=4)
    here.until(lambda: here.store.job(long).checkpoint)
    short = here.submit("short", "import time\nwhile True: time.sleep(0.05)", slots=2)
    here.until(lambda: here.store.job(short).state == "running")
    here.until(lambda: any(run.job.number == short and run.began_s for run in here.service.cluster.running()))
    here.service.cluster.cancel(short)
    here.until(lambda: len(here.store.runs(long)) == 3)
    (here.folder / "long" / "enough").touch()
    here.until(lambda: here.store.job(long).state == "completed")
    begun = [here.log(long, run).splitlines()[0] for run in (1, 2, 3)]
    assert begun[0] == "began on n:0,1,2,3 from nothing"
    assert re.fullmatch(r"began on n:\d,\d from model.ckpt", begun[1])
    assert begun[2] == "began on n:0,1,2,3 from model.ckpt"
    assert [row.outcome for row in here.store.runs(long)] == ["stopped", "stopped", "completed"]
    assert here.store.job(long).preemptions == 0
    counted_as_held(here, long)


def counted_as_held(here, job):
    """History, report and figures count the slots that the job had, not those that it had asked for."""
    here.until(lambda: count_jobs(here.store.connection, Which(name="long")) == 1)
    runs = here.store.runs(job)
    held_s = sum(run.took_s * slots for run, slots in zip(runs, (4, 2, 4), strict=True))
    (past,) = iterate_jobs(here.store.connection, Which(name="long"))
    assert float(past.job.extra["gpu_s"]) == pytest.approx(held_s, abs=0.01)
    assert past.job.gpus == 1
    gathering = Gathering()
    from_history(gathering, here.store.connection, lambda *_: None)
    reported = dict(zip(gathering.ids, gathering.past().gpu_hours, strict=True))
    assert reported[str(job)] * 3600 == pytest.approx(held_s, abs=0.01)
    told = history_stats(here.store.connection, here.folder)
    assert told.gpu_hours * 3600 == pytest.approx(sum(reported.values()) * 3600, abs=0.01)
    ended = {one.outcome: one.slot_seconds for one in ended_runs(here.store.connection)}
    assert ended["stopped"] + ended["completed"] == pytest.approx(held_s, abs=0.01)


@pytest.fixture
def saves(tmp_path):
    (tmp_path / "log").write_text("step 1\n")
    return Saves(str(tmp_path / "log"), str(tmp_path), since_s=1000.0, is_alone=True)


def wrote(folder, name, at_s):
    (folder / name).write_text("state")
    os.utime(folder / name, (at_s, at_s))


def test_the_newest_checkpoint_of_this_run_counts(saves, tmp_path):
    wrote(tmp_path, "before.ckpt", 900.0)
    saves.look(1100.0)
    assert saves.saved is None, "a run before this one wrote it"
    wrote(tmp_path, "one.ckpt", 1150.0)
    saves.look(1200.0)
    assert saves.saved == {"path": str(tmp_path / "one.ckpt"), "at_s": 1150.0}


def test_what_is_still_being_written_does_not_count(saves, tmp_path):
    wrote(tmp_path, "one.ckpt", 1100.0)
    assert saves.look(1100.0 + SETTLED_S / 2)
    assert saves.saved is None
    assert not saves.look(1100.0 + SETTLED_S / 2 + 0.5), "a look costs time, and comes only now and then"
    assert saves.look(1200.0)
    assert saves.saved is not None
