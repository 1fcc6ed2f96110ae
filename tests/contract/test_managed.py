"""What `schedmate up` may rely on, whatever the engine: see the docstrings of `schedmate.clusters.managed`."""

import os
import subprocess
from pathlib import Path

import pytest

from schedmate.clusters import Ended, FoundRunning, NodeDown, NodeSpec, NodeUp, Placement, Submitted, Withdrawn
from schedmate.clusters.managed import Mark, Unreachable, on_nodes
from schedmate.errors import SchedMateError

NODES = [NodeSpec("n1", 2), NodeSpec("n2", 2)]
ONE = Placement("gpu", (("n1", 1),))
OTHER = Placement("gpu", (("n2", 1),))
GATE = "until test -e gate; do sleep 0.02; done"
LIMIT_S = 120.0


class Watch:
    """Waits on a cluster, and keeps what it told."""

    def __init__(self, bench, **options):
        self.bench, self.cluster, self.events = bench, bench.manage(NODES, **options), []

    def come_again(self):
        """Let the loop be killed, and the next one come."""
        self.cluster, self.events = self.bench.reopen(), []

    @property
    def store(self):
        return self.bench.store

    def until(self, done):
        limit_s = self.cluster.now_s() + LIMIT_S
        while not done():
            assert self.cluster.now_s() < limit_s, "it never came to be"
            self.take(self.cluster.wait(self.cluster.now_s() + 0.2))

    def take(self, events):
        self.events += events
        for event in events:
            if isinstance(event, Ended):
                event.job.placement = None
            elif isinstance(event, FoundRunning):
                event.job.placement = event.placement

    def settle(self):
        """Wait until the cluster has looked some times more, and found nothing."""
        quiet = 0
        while quiet < 4:
            events = self.cluster.wait(self.cluster.now_s() + 0.1)
            quiet = 0 if events else quiet + 1
            self.take(events)

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    def came(self, script="true", **options):
        """Submit, and give the job when it has come."""
        number = self.bench.add(script, **options)
        self.until(lambda: any(event.job.number == number for event in self.of(Submitted)))
        return next(event.job for event in self.of(Submitted) if event.job.number == number)

    def start(self, job, placement=ONE):
        job.placement = placement
        self.cluster.start(job, placement)

    def fail(self, script="echo sorry; exit 3"):
        """Let a job fail; give it when it waits to be examined."""
        job = self.came(script)
        self.start(job)
        self.until(lambda: self.of(Ended))
        assert self.store.job(job.number).state == "examined"
        return job

    def state(self, job):
        return self.store.job(job.number).state

    def node(self, name):
        return next(state for state in self.cluster.states() if state.spec.name == name)


@pytest.fixture
def watch(managed):
    return Watch(managed)


def test_a_run_leaves_its_log_its_exit_and_what_it_was_told(watch):
    job = watch.fail('echo "run $SCHEDMATE_RUN of $SCHEDMATE_JOB_ID"; exit 3')
    facts = watch.cluster.facts(job.number, 1)
    assert facts.code == 3
    assert Path(facts.log).read_text() == f"run 1 of {job.number}\n"
    assert Path(facts.log) == watch.store.log_of(job.number, 1)
    assert facts.environment["SCHEDMATE_PLACEMENT"] == "n1:0"
    with pytest.raises(SchedMateError):
        watch.cluster.facts(job.number, 7)


def test_what_runs_is_listed_with_its_place_and_log(watch):
    job = watch.came(GATE)
    watch.start(job)
    watch.until(lambda: any(run.began_s is not None for run in watch.cluster.running()))
    (run,) = watch.cluster.running()
    assert (run.job, run.run, run.placement, run.partner) == (job, 1, ONE, None)
    assert Path(run.log) == watch.store.log_of(job.number, 1)
    assert watch.cluster.job(job.number) is job
    Path(watch.bench.folder.name, "gate").touch()
    watch.until(lambda: watch.of(Ended))
    assert (list(watch.cluster.running()), watch.cluster.job(job.number)) == ([], None)


def test_a_failed_job_waits_again_under_its_number_and_knows_its_checkpoint(watch):
    job = watch.fail('test "$SCHEDMATE_CHECKPOINT" = /ckpt/7')
    watch.store.update(job.number, checkpoint="/ckpt/7")
    for _ in range(2):
        watch.cluster.requeue(job.number, "its node is out")
    watch.settle()
    assert [event.job.number for event in watch.of(Submitted)] == [job.number] * 2, "as it came, and once again"
    assert (watch.state(job), watch.store.job(job.number).reason) == ("pending", "its node is out")
    again = watch.of(Submitted)[-1].job
    assert again is watch.cluster.job(job.number)
    watch.start(again, OTHER)
    watch.until(lambda: len(watch.of(Ended)) == 2)
    assert [(row.run, row.outcome, row.code) for row in watch.store.runs(job.number)] == [
        (1, "failed", 1),
        (2, "completed", 0),
    ]


def test_a_failed_job_is_given_up(watch):
    job = watch.fail()
    watch.cluster.give_up(job.number, "nobody knows why")
    row = watch.store.job(job.number)
    assert (row.state, row.reason, watch.cluster.job(job.number)) == ("failed", "nobody knows why", None)


def test_a_failed_job_is_held_and_released(watch):
    job = watch.fail()
    for _ in range(2):
        watch.cluster.hold(job.number, "train.py:12 is wrong")
    watch.settle()
    assert watch.of(Withdrawn) == [], "it did not wait"
    assert (watch.state(job), watch.store.job(job.number).reason) == ("held", "train.py:12 is wrong")
    watch.cluster.release(job.number)
    watch.until(lambda: len(watch.of(Submitted)) == 2)


def test_a_waiting_job_is_held_through_a_restart_and_released(watch):
    job = watch.came()
    watch.cluster.hold(job.number, "not now")
    watch.until(lambda: watch.of(Withdrawn))
    assert watch.of(Withdrawn) == [Withdrawn(job, "held")]
    watch.come_again()
    watch.settle()
    assert watch.events == []
    watch.cluster.release(job.number)
    watch.until(lambda: watch.of(Submitted))
    watch.start(watch.of(Submitted)[0].job)
    watch.until(lambda: watch.of(Ended))
    assert watch.state(job) == "completed"


@pytest.mark.parametrize("state", ["pending", "held", "examined", "running"])
def test_a_job_is_cancelled_whatever_it_does_and_once(watch, state):
    job = watch.fail() if state == "examined" else watch.came("sleep 600")
    if state == "held":
        watch.cluster.hold(job.number, "")
    elif state == "running":
        watch.start(job)
        watch.until(lambda: any(run.began_s is not None for run in watch.cluster.running()))
    watch.settle()
    watch.events.clear()
    assert watch.cluster.cancel(job.number) == ("stopping" if state == "running" else "cancelled")
    watch.until(lambda: watch.state(job) == "cancelled")
    watch.settle()
    expected = {"pending": [Withdrawn(job, "cancelled")], "running": [Ended(job, "cancelled")]}
    assert watch.events == expected.get(state, [])
    assert watch.cluster.cancel(job.number) == "over"
    watch.come_again()
    watch.settle()
    assert watch.events == []


def test_what_runs_is_found_again_and_ends_once(watch):
    job = watch.came(GATE)
    watch.start(job)
    watch.until(lambda: any(run.began_s is not None for run in watch.cluster.running()))
    watch.come_again()
    watch.until(lambda: watch.of(FoundRunning))
    (found,) = watch.of(FoundRunning)
    assert (found.job.number, found.placement) == (job.number, ONE)
    Path(watch.bench.folder.name, "gate").touch()
    watch.until(lambda: watch.of(Ended))
    watch.settle()
    assert watch.events[1:] == [Ended(found.job, "completed")]
    watch.come_again()
    watch.settle()
    assert watch.events == []


def test_a_job_of_another_size_is_the_same_job_also_to_the_next_loop(watch):
    job = watch.came(f'echo "on $SCHEDMATE_PLACEMENT"; {GATE}', most_slots=3)
    assert job.most_gpus == (3 if watch.cluster.can.resize else 0)
    if not watch.cluster.can.resize:
        return
    watch.start(job)
    watch.until(lambda: any(run.began_s is not None for run in watch.cluster.running()))
    job.placement = Placement("gpu", (("n1", 1), ("n2", 3)))
    watch.cluster.resize(job, job.placement)
    watch.until(lambda: any(run.run == 2 and run.began_s is not None for run in watch.cluster.running()))
    watch.come_again()
    watch.until(lambda: watch.of(FoundRunning))
    assert watch.of(FoundRunning)[0].placement == job.placement
    Path(watch.bench.folder.name, "gate").touch()
    watch.until(lambda: watch.of(Ended))
    assert [row.outcome for row in watch.store.runs(job.number)] == ["stopped", "completed"]
    log = Path(watch.cluster.facts(job.number, 2).log).read_text()
    assert "on n1:0;n2:0,1\n" in log


def test_what_ended_while_nobody_watched_is_booked(watch):
    job = watch.came("exit 3")
    watch.start(job)
    watch.until(lambda: watch.cluster.facts(job.number, 1).code is not None or watch.of(Ended))
    watch.come_again()
    watch.settle()
    row = watch.store.runs(job.number)[0]
    assert (row.outcome, row.code, watch.state(job)) == ("failed", 3, "examined")


def test_what_waits_comes_again_after_a_restart(watch):
    job = watch.came()
    watch.come_again()
    watch.until(lambda: watch.of(Submitted))
    watch.settle()
    assert [event.job.number for event in watch.events] == [job.number]


def test_a_submission_that_is_repeated_is_one_job(watch):
    row = watch.store.job(watch.came().number)
    from schedmate.history.live_rows import Submission

    job = Submission(row.command, row.workdir, row.environment)
    assert watch.cluster.submit(job, "token") == watch.cluster.submit(job, "token") == row.id + 1
    watch.until(lambda: len(watch.of(Submitted)) == 2)
    watch.settle()
    assert len(watch.of(Submitted)) == 2


def test_a_marked_node_takes_no_jobs_and_keeps_those_it_has(watch):
    job = watch.came(GATE)
    watch.start(job)
    watch.until(lambda: any(run.began_s is not None for run in watch.cluster.running()))
    mark = Mark("isolated", 7)
    watch.cluster.mark("n1", mark, "Xid 79")
    watch.until(lambda: watch.of(NodeDown))
    assert [node.name for node in watch.cluster.nodes()] == ["n2"]
    state = watch.node("n1")
    assert (state.state, state.mark, state.by) == ("marked", mark, "schedmate")
    Path(watch.bench.folder.name, "gate").touch()
    watch.until(lambda: watch.of(Ended))
    assert watch.of(Ended) == [Ended(job, "completed")]


def test_a_mark_outlives_the_loop_and_only_its_own_is_taken_back(watch):
    mark = Mark("isolated", 7)
    for one in (mark, mark, Mark("isolated", 8)):
        watch.cluster.mark("n1", one, "Xid 79")
    watch.come_again()
    assert (watch.node("n1").mark, [node.name for node in watch.cluster.nodes()]) == (mark, ["n2"])
    assert not watch.cluster.unmark("n1", Mark("isolated", 8))
    assert not watch.cluster.unmark("n2", mark)
    assert watch.cluster.unmark("n1", mark)
    watch.until(lambda: watch.of(NodeUp))
    assert (watch.node("n1").state, watch.node("n1").mark) == ("up", None)
    assert not watch.cluster.unmark("n1", mark)
    assert watch.of(NodeUp) == [NodeUp(NODES[0])]


def test_a_reserved_node_takes_no_jobs_until_it_is_let_go_or_the_loop_dies(watch):
    watch.cluster.reserve(["n1", "n2"], 60.0)
    watch.until(lambda: len(watch.of(NodeDown)) == 2)
    watch.cluster.mark("n2", Mark("isolated", 1))
    watch.cluster.let_go(["n1", "n2"])
    watch.until(lambda: watch.of(NodeUp))
    watch.settle()
    assert watch.of(NodeUp) == [NodeUp(NODES[0])], "the other one was marked meanwhile"
    watch.cluster.reserve(["n1"], 60.0)
    watch.come_again()
    assert [node.name for node in watch.cluster.nodes()] == ["n1"]


def test_a_command_runs_on_the_nodes_that_are_named(watch):
    folder = watch.bench.folder.name
    watch.cluster.reserve(["n1", "n2"], 60.0)
    before = on_nodes(watch.cluster.launcher(["n1", "n2"]), ["n1", "n2"])
    done = subprocess.run([*before, "sh", "-c", "echo here; cat"], input=b"in", cwd=folder, capture_output=True)
    assert done.returncode == 0
    assert done.stdout.count(b"here") == (1 if watch.cluster.can.here else 2)
    assert subprocess.run([*before, "sh", "-c", "exit 3"], cwd=folder, check=False).returncode != 0


def test_slots_are_numbered_as_their_host_numbers_them(watch):
    one, other = watch.cluster.devices("n1", [0, 1]), watch.cluster.devices("n2", [0, 1])
    assert (len(one), len(other)) == (2, 2)
    assert bool(set(one) & set(other)) != watch.cluster.can.here


def test_pipes_are_served_while_waiting(watch):
    reader, writer = os.pipe()
    heard = []
    watch.cluster.serve(reader, lambda: heard.append(os.read(reader, 10)))
    os.write(writer, b"news")
    watch.until(lambda: heard)
    watch.cluster.leave(reader)
    os.write(writer, b"more")
    watch.settle()
    assert heard == [b"news"]
    watch.cluster.nudge()
    assert watch.cluster.wait(None) == []


def test_what_is_posted_comes_in_the_next_answer(watch):
    job = watch.came()
    watch.cluster.post(Withdrawn(job, "held"))
    assert watch.cluster.wait(None) == [Withdrawn(job, "held")]


def test_what_was_not_written_down_was_not_told(watch):
    job = watch.came()

    def half():
        watch.cluster.hold(job.number, "not now")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        watch.store.write(half)
    watch.settle()
    assert (watch.of(Withdrawn), watch.state(job)) == ([], "pending")
    watch.cluster.hold(job.number, "not now")
    watch.settle()
    assert (watch.of(Withdrawn), watch.state(job)) == ([Withdrawn(job, "held")], "held")


def needs(watch, what):
    if not hasattr(watch.bench, what):
        pytest.skip("this engine is all ours")


def test_a_job_of_somebody_who_knows_us_not_is_taken_in_once(watch):
    needs(watch, "add_elsewhere")
    name = watch.bench.add_elsewhere("true")
    watch.until(lambda: watch.of(Submitted))
    watch.come_again()
    watch.settle()
    (event,) = watch.events
    row = watch.store.job(watch.store.number_of(name))
    who = (event.job.user, row.command[0])
    assert (event.job.number, event.job.job_id, who) == (row.id, name, watch.bench.elsewhere)
    watch.start(event.job)
    watch.until(lambda: watch.of(Ended))
    assert watch.state(event.job) == "completed"


def test_a_mark_that_somebody_changed_is_no_longer_ours(watch):
    needs(watch, "touch_mark")
    mark = Mark("isolated", 7)
    watch.cluster.mark("n1", mark, "Xid 79")
    watch.bench.touch_mark("n1")
    watch.settle()
    state = watch.node("n1")
    assert (state.state, state.mark, state.by, state.reason) == ("marked", None, "root", "fan is loud")
    assert not watch.cluster.unmark("n1", mark)
    assert watch.node("n1").state == "marked"


def test_an_engine_that_does_not_answer_is_waited_for_and_nothing_is_missed(watch):
    needs(watch, "hang")
    job = watch.came(GATE)
    watch.start(job)
    watch.until(lambda: any(run.began_s is not None for run in watch.cluster.running()))
    watch.bench.hang()
    watch.events.clear()
    watch.until(lambda: watch.cluster.trouble)
    assert watch.events == []
    assert [state.spec for state in watch.cluster.states()] == NODES
    with pytest.raises(Unreachable):
        watch.cluster.mark("n1", Mark("isolated", 7))
    with pytest.raises(Unreachable):
        watch.cluster.cancel(job.number)
    assert watch.state(job) == "running"
    watch.bench.go_on()
    watch.until(lambda: not watch.cluster.trouble)
    watch.cluster.cancel(job.number)  # what may have been done is asked again
    watch.cluster.mark("n1", Mark("isolated", 7))
    watch.until(lambda: watch.of(Ended) and watch.of(NodeDown))
    watch.settle()
    assert sorted(watch.events, key=lambda event: len(event)) == [NodeDown("n1"), Ended(job, "cancelled")]
    assert watch.node("n1").mark == Mark("isolated", 7)


def test_an_engine_that_chooses_itself_tells_what_runs_where_and_takes_an_order(managed):
    if not managed.may_choose:
        managed.manage(NODES)
        pytest.skip("this engine does as it is told")
    watch = Watch(managed, chooses=True)
    assert (watch.cluster.can.place, watch.cluster.can.order) == (False, True)
    blocks = [watch.came(GATE, slots=2) for _ in NODES]
    watch.until(lambda: len(watch.of(FoundRunning)) == 2)
    first, second = watch.came("true", slots=2), watch.came("true", slots=2)
    watch.cluster.order([second, first])
    Path(managed.folder.name, "gate").touch()
    watch.until(lambda: len(watch.of(Ended)) == 4)
    begun = [event.job.number for event in watch.of(FoundRunning)]
    assert sorted(begun[:2]) == [job.number for job in blocks]  # they begin at once, in whatever order
    assert sorted(begun[2:]) == [first.number, second.number]
    began_s = {number: watch.store.runs(number)[0].began_s for number in (first.number, second.number)}
    assert began_s[second.number] <= began_s[first.number]
