"""What was acknowledged holds, in whatever order people ask and however often the loop dies between."""

import os
import re
import shutil
import tempfile
import time
from pathlib import Path

from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from schedmate.clusters import NodeSpec
from schedmate.clusters.runner.processes import start_ticks
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.service import Service, ServiceOptions

EXAMPLES = int(os.environ.get("ORDER_EXAMPLES", "20"))
NODES = [NodeSpec("node1", 2, "cpu")]
COMMANDS = {
    "good": ("/bin/true",),
    "bad": ("/bin/false",),
    "long": ("/bin/sleep", "600"),
    "stubborn": ("/bin/sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"),
}
STOPPED = re.compile(r"job (\d+) is (?:cancelled|being stopped)")
RELEASED = re.compile(r"job (\d+) is back in the queue")
JOB = st.integers(1, 3)
STEPS = st.one_of(
    st.tuples(st.just("submit"), st.sampled_from(sorted(COMMANDS))),
    st.tuples(st.sampled_from(["cancel", "release"]), JOB),
    st.tuples(st.sampled_from(["cancel", "release"]), JOB),
    st.tuples(st.just("turn"), st.integers(1, 12)),
    st.tuples(st.sampled_from(["kill", "down"]), st.just(0)),
)


class Desk:
    """A store with people on one side and loops that come and go on the other."""

    def __init__(self, folder):
        self.folder = folder
        self.users = LiveStore(folder)
        self.submitted = 0
        self.stopped = {}
        """How many runs a job had when its end was acknowledged, as long as nobody has released it."""
        self.come()

    def come(self):
        options = ServiceOptions(
            self.folder, NODES, reading="tests.scheduling.live.quick_reading", tracks=False, grace_s=0.1, readers=1
        )
        self.service = Service(options, self.hear)
        self.service.desk.serve()

    def go(self):
        """Leave nothing behind but what a killed loop leaves: the store, the folders, the processes."""
        self.service.close()

    def hear(self, said):
        if found := STOPPED.fullmatch(said):
            self.stopped[int(found[1])] = len(self.users.runs(int(found[1])))
        elif found := RELEASED.fullmatch(said):
            self.stopped.pop(int(found[1]), None)

    def turn(self, times):
        for _ in range(times):
            if not self.service.going:
                self.go()
                self.come()
            self.service.cluster.nudge()
            self.service.turn()
            self.check()

    def step(self, word, argument):
        if word == "submit":
            self.submitted += 1
            job = Submission(COMMANDS[argument], "/", {"PATH": "/bin"})
            self.users.submit(job, f"t{self.submitted}", 1.0)
        elif word == "turn":
            self.turn(argument)
        elif word == "kill":
            self.go()
            self.come()
        else:
            self.users.ask(word, argument)

    def check(self):
        for job, runs in self.stopped.items():
            assert len(self.users.runs(job)) == runs, f"job {job} was started after its end was acknowledged"
        for job in self.users.jobs():
            alive = [run for run in self.users.runs(job.id) if self.lives(job.id, run.run)]
            assert len(alive) <= 1, f"job {job.id} runs twice at once"

    def lives(self, job, run):
        path = self.folder / "jobs" / str(job) / str(run)
        made = self.service.cluster.runs.get((job, run))
        record = made.read("job") if made else None
        return path.exists() and record is not None and start_ticks(record["pid"]) == record["ticks"]

    def settle(self):
        """Turn until every job is where it stays; the long ones stay on their slots."""
        for _ in range(3000):
            self.turn(1)
            rows = self.users.jobs(("pending", "running", "examined"))
            waits = [row for row in rows if row.command[0] in ("/bin/true", "/bin/false") or row.id in self.stopped]
            stays = [row for row in rows if row not in waits and row.state == "running"]
            if not self.users.requests() and (not waits or len(stays) == 2) and not self.stopping():
                return
            self.service.cluster.waiting.sleep(0.01)
        raise AssertionError(f"it never came to rest: {[(row.id, row.state) for row in rows]}")

    def stopping(self):
        return [run for run in self.users.runs() if run.stopping]

    def close(self):
        for row in self.users.jobs():
            self.users.ask("cancel", row.id)
        while self.users.requests() or self.users.runs():
            self.turn(1)
        self.go()
        self.users.close()


CANCELLED_TWICE = [
    *(("submit", "stubborn"), ("turn", 7), ("cancel", 1), ("submit", "bad"), ("submit", "stubborn")),
    *(("submit", "bad"), ("cancel", 1), ("cancel", 1)),
]


@given(st.lists(STEPS, min_size=3, max_size=25))
@example(CANCELLED_TWICE)
@settings(max_examples=EXAMPLES, deadline=None, phases=[Phase.explicit, Phase.generate])
def test_what_was_acknowledged_holds_whatever_the_order(steps):
    folder = Path(tempfile.mkdtemp(prefix="orders-"))
    pool = Desk(folder)
    try:
        for step in steps:
            pool.step(*step)
        pool.settle()
        for job in pool.stopped:
            assert pool.users.job(job).state in ("cancelled", "completed")
    finally:
        pool.close()
        remove(folder)


def remove(folder):
    """A runner that may no longer start its job can still write down that it began."""
    limit_s = time.monotonic() + 10.0
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=True)
        assert time.monotonic() < limit_s
