"""This machine as a cluster: what the contract does not ask, above all what survives a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from schedmate import diagnose
from schedmate.clusters import (
    Ended,
    FoundRunning,
    NodeSpec,
    Placement,
    Submitted,
    Withdrawn,
)
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.clusters.local.ends import MOST_LOST
from schedmate.clusters.local.runs import RUNNER
from schedmate.clusters.runner import cgroup, run_job
from schedmate.clusters.runner.processes import start_ticks
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.learning import past_job
from schedmate.tools.locks import is_locked

ONE = Placement("gpu", (("n1", 1),))
OTHER = Placement("gpu", (("n1", 2),))


class Machine:
    """A cluster that can be killed, in memory, and come back on the same store."""

    def __init__(self, folder):
        self.folder = folder
        self.users = LiveStore(folder)
        self.cluster = None
        self.come()

    def come(self, clock=None):
        if self.cluster is not None:
            self.cluster.close()
            self.cluster.store.close()
        self.cluster = LocalCluster([NodeSpec("n1", 2)], LiveStore(self.folder, patient=True), clock, grace_s=0.3)
        self.seen = []

    def submit(self, script, token="one", arguments=(), **options):
        command = (sys.executable, "-S", "-c", script, *arguments)
        return self.users.submit(Submission(command, "/", {"PATH": os.environ["PATH"]}, **options), token, 1.0)

    def until(self, kind, within_s=120.0):
        limit_s = self.cluster.now_s() + within_s
        while True:
            for event in self.seen:
                if isinstance(event, kind):
                    self.seen.remove(event)
                    return event
            assert self.cluster.now_s() < limit_s, f"no {kind} came"
            self.seen += self.cluster.wait(self.cluster.now_s() + 0.2)

    def start(self, job, placement=ONE):
        job.placement = placement
        self.cluster.start(job, placement)

    def up(self, number, run=1):
        """Wait until the job's own process is there; give its pid."""
        record = self.folder / "jobs" / str(number) / str(run) / "job"
        while not record.exists():
            self.cluster.wait(self.cluster.now_s() + 0.02)
        return self.cluster.runs[number, run].read("job")["pid"]

    def log(self, number, run=1):
        path = self.folder / "jobs" / str(number) / str(run) / "log"
        return path.read_text() if path.exists() else ""

    def close(self):
        for number in [*self.cluster.jobs]:
            self.cluster.cancel(number)
        while self.cluster.runs or any(run.pid for run in self.cluster.leaving):
            self.cluster.wait(self.cluster.now_s() + 0.05)
            for run in self.cluster.leaving:
                run.reap()
        self.cluster.close()
        self.cluster.store.close()
        self.users.close()


@pytest.fixture
def machine(tmp_path):
    made = Machine(tmp_path)
    yield made
    made.close()


def test_a_job_that_runs_is_found_again_and_ends_once(machine):
    gate = machine.folder / "gate"
    machine.submit(f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.02)\nprint('done')")
    machine.start(machine.until(Submitted).job)
    pid = machine.up(1)
    machine.come()
    found = machine.until(FoundRunning)
    assert found.placement == ONE
    found.job.placement = ONE
    assert machine.up(1) == pid
    gate.touch()
    ended = machine.until(Ended)
    assert (ended.job, ended.status) == (found.job, "completed")
    assert machine.log(1) == "done\n"
    machine.come()
    assert machine.cluster.wait(machine.cluster.now_s() + 0.1) == []


def test_a_job_that_ended_while_nobody_watched_is_booked(machine):
    machine.submit("raise SystemExit(3)")
    machine.start(machine.until(Submitted).job)
    run = machine.cluster.runs[1, 1]
    while not (run.folder / "exit").exists():
        run.reap()
    machine.come()
    machine.until(FoundRunning).job.placement = ONE
    assert machine.until(Ended).status == "failed"
    assert machine.users.runs(1)[0].code == 3
    assert machine.users.job(1).state == "failed"


@pytest.mark.parametrize("memory_gib", [1e308, float("inf")])
@pytest.mark.parametrize("comes_again", [False, True])
def test_a_job_that_cannot_be_started_is_held_and_the_others_run(machine, memory_gib, comes_again):
    machine.submit("pass", memory_gib=memory_gib)
    machine.submit("print('well')", token="two")
    bad, good = machine.until(Submitted).job, machine.until(Submitted).job
    if comes_again:  # a loop that such a job has ended left a run behind
        machine.cluster.store.open_run(bad.number, ONE.kind, ONE.parts, None, 1.0)
        machine.come()
        bad, good = machine.until(FoundRunning).job, machine.until(Submitted).job
        bad.placement = ONE
    else:
        machine.start(bad)
    ended = machine.until(Ended)
    assert (ended.job, ended.status) == (bad, "held")
    assert machine.users.job(1).state == "held"
    assert "cannot be started" in machine.users.job(1).reason
    assert [row["kind"] for row in machine.users.connection.execute("SELECT kind FROM live_actions")] == [
        "not_startable"
    ]
    assert any("job 1 is held" in remark for remark in machine.cluster.remarks())
    machine.start(good)
    assert machine.until(Ended).status == "completed"
    machine.cluster.release(1)
    machine.start(machine.until(Submitted).job)
    assert machine.until(Ended).status == "held"


class LaterClock:
    """A clock of a loop that comes back an hour later, or that was set."""

    def __init__(self, by_s):
        self.by_s = by_s

    def now_s(self):
        return time.time() + self.by_s


def ended_alone(machine, by_s, **exit_says):
    """Let a job end while no loop is there; give its row as the next loop books it, whose clock stands elsewhere."""
    machine.submit("pass")
    machine.start(machine.until(Submitted).job)
    run = machine.cluster.runs[1, 1]
    while not (run.folder / "exit").exists():
        run.reap()
    record = json.loads((run.folder / "exit").read_text())
    changed = {name: record[name] + more for name, more in exit_says.items()}
    (run.folder / "exit").write_text(json.dumps(record | changed))
    machine.come(LaterClock(by_s))
    machine.until(FoundRunning).job.placement = ONE
    assert machine.until(Ended).status == "completed"
    return machine.users.runs(1)[0], record["ran_s"]


def test_an_end_is_booked_when_it_came_not_when_somebody_looked(machine):
    run, ran_s = ended_alone(machine, 3600.0)
    assert run.took_s == run.ran_s == ran_s
    assert run.ended_s - run.began_s < 600
    assert not run.clock_was_set
    assert machine.users.job(1).end_s == run.ended_s


@pytest.mark.parametrize("jump_s", [172_800.0, -172_800.0])
def test_a_clock_that_was_set_is_marked_and_not_learned_from(machine, jump_s):
    run, ran_s = ended_alone(machine, jump_s, ended_s=jump_s)
    assert run.took_s == ran_s
    assert run.ended_s >= run.began_s
    assert run.clock_was_set == (jump_s > 0), "an end before its begin is put right; a late one is marked"
    past = past_job(machine.users.job(1), machine.users)
    assert past.ran_s == past.duration_s == ran_s
    assert bool(past.notes) == (jump_s > 0)


def test_an_intent_without_a_runner_is_carried_out_once(machine, monkeypatch):
    """The loop dies between writing the intent and starting; or just after starting, before the runner got anywhere."""
    machine.submit("print('ran')")
    job = machine.until(Submitted).job
    monkeypatch.setattr("schedmate.clusters.local.runs.os.posix_spawn", lambda *a, **k: os._exit(9))
    child = os.fork()
    if not child:
        machine.start(job)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    monkeypatch.undo()
    machine.come()
    machine.until(FoundRunning).job.placement = ONE
    assert machine.until(Ended).status == "completed"
    assert machine.log(1) == "ran\n"


def test_however_often_a_runner_is_started_the_job_runs_once(machine):
    machine.submit("print('ran')")
    machine.start(machine.until(Submitted).job)
    folder = machine.cluster.runs[1, 1].folder
    others = [subprocess.Popen([sys.executable, "-I", "-S", RUNNER, str(folder)]) for _ in range(4)]
    assert machine.until(Ended).status == "completed"
    assert [other.wait(300) for other in others] == [0] * 4
    assert machine.log(1) == "ran\n"


def test_a_stop_that_comes_before_the_runner_keeps_the_job_from_starting(machine):
    machine.submit("print('ran')")
    job = machine.until(Submitted).job
    folder = machine.folder / "jobs" / "1" / "1"
    folder.mkdir(parents=True)
    (folder / "stop").touch()
    machine.start(job)
    assert not (folder / "stop.part").exists()
    machine.cluster.cancel(1)
    assert machine.until(Ended).status == "cancelled"
    assert not (folder / "log").exists()


def test_a_runner_that_a_killed_loop_has_started_comes_too_late_for_a_cancelled_job(machine):
    """It has taken no lock when the next loop looks: to that loop nothing has been started."""
    number = machine.submit("pass")
    machine.start(machine.until(Submitted).job)
    runner = machine.cluster.runs[number, 1].pid
    os.kill(runner, signal.SIGSTOP)
    folder = machine.folder / "jobs" / str(number) / "1"
    if is_locked(folder / "lock"):  # it was faster than the stop
        os.kill(runner, signal.SIGCONT)
        return
    machine.come()
    machine.cluster.cancel(number)
    while machine.cluster.runs:
        machine.cluster.wait(machine.cluster.now_s() + 0.02)
    assert machine.users.job(number).state == "cancelled"
    os.kill(runner, signal.SIGCONT)
    os.waitpid(runner, 0)
    assert not (folder / "job").exists()
    assert not (folder / "log").exists()


def test_a_job_that_ignores_sigterm_is_killed_after_its_grace_with_all_its_children(machine):
    machine.submit(
        "import os, signal, time; signal.signal(15, signal.SIG_IGN); child = os.fork()\n"
        "print('up', os.getpid(), flush=True); time.sleep(600)"
    )
    machine.start(machine.until(Submitted).job)
    machine.up(1)
    while machine.log(1).count("up") < 2:
        machine.cluster.wait(machine.cluster.now_s() + 0.02)
    pids = [int(word) for word in machine.log(1).split() if word.isdigit()]
    assert machine.cluster.cancel(1) == "stopping"
    assert machine.until(Ended).status == "cancelled"
    while any(start_ticks(pid) for pid in pids):  # SIGKILL was sent before the end was told; dying takes a moment
        machine.cluster.wait(machine.cluster.now_s() + 0.02)


ESCAPES = """
import os, signal, sys, time
def write(word):
    print(word, flush=True)
if not os.fork():
    os.setsid()
    if not os.fork():
        signal.signal(15, signal.SIG_IGN)
        write(f"far {os.getpid()}")
        time.sleep(600)
    os._exit(0)
if not os.fork():
    os.setsid()
    write(f"near {os.getpid()}")
    time.sleep(600)
while sys.argv[1] == "stays" or open(sys.argv[2]).read().count("\\n") < 2:
    time.sleep(0.02)
"""


@pytest.mark.parametrize("main", ["stays", "goes"])
def test_a_session_of_its_own_is_no_way_out(machine, main):
    """Whatever a job has started ends with it, when it is cancelled and when it ends by itself."""
    log = machine.folder / "jobs" / "1" / "1" / "log"
    machine.submit(ESCAPES, arguments=(main, str(log)))
    machine.start(machine.until(Submitted).job)
    assert machine.up(1)
    while machine.log(1).count("\n") < 2:
        machine.cluster.wait(machine.cluster.now_s() + 0.02)
    pids = [int(word) for word in machine.log(1).split() if word.isdigit()]
    if main == "stays":
        machine.cluster.cancel(1)
    assert machine.until(Ended).status == ("cancelled" if main == "stays" else "completed")
    assert [start_ticks(pid) for pid in pids] == [0, 0], "its end is told only when nothing of it is left"


def test_a_killed_runner_leaves_nothing_behind_where_there_are_control_groups(machine):
    if not (probe := cgroup.make(cgroup.own_place(), f"probe-{os.getpid()}")):
        pytest.skip("no control groups are to be had here")
    cgroup.end(probe)
    script = "import os, time\nfor _ in range(2):\n    if os.fork() == 0:\n        os.setsid()\ntime.sleep(600)"
    number = machine.submit(script)
    machine.start(machine.until(Submitted).job)
    machine.up(number)
    run = machine.cluster.runs[number, 1]
    record = run.read("job")
    assert record["wall"] == "control group"
    while len(pids := cgroup.members(record["group"])) < 4:
        machine.cluster.wait(machine.cluster.now_s() + 0.02)
    os.kill(run.read("began")["pid"], signal.SIGKILL)
    assert machine.until(Ended).status == "node_fail"
    for pid in pids:
        while start_ticks(pid):
            machine.cluster.wait(machine.cluster.now_s() + 0.02)
    assert not os.path.isdir(record["group"]) or cgroup.end(record["group"])


def test_which_limits_the_kernel_does_not_hold_is_said():
    """As it is on this machine: the words and what a group of ours really has agree, and no group is left behind."""
    place = cgroup.own_place()
    said = cgroup.shortcomings(place)
    group = cgroup.make(place, f"probe-{os.getpid()}")
    try:
        lacks = {name for name in ("memory", "cpu", "pids") if not os.path.exists(f"{group}/{name}.max")}
        assert bool(said) == bool(lacks or not group)
        assert ("no control groups" in said) == (not group)
        if group and said:
            in_order = [name for name in cgroup.CONTROLLERS if name in lacks]
            assert said.startswith(f"the control groups that are ours here lack {' and '.join(in_order)}:")
    finally:
        assert cgroup.end(group)


def test_a_log_that_grows_without_end_ends_its_job(machine):
    machine.cluster.most_log_bytes, machine.cluster.limits_every_s = 1 << 20, 0.02
    machine.submit("while True: print('x' * 10_000)")
    machine.start(machine.until(Submitted).job)
    assert machine.until(Ended).status == "failed"
    assert machine.users.runs(1)[0].reason.endswith("1 MiB are the limit")
    assert "schedmate: the job was ended: its log has" in machine.log(1)[-200:]


def test_a_job_that_takes_more_memory_than_it_may_is_ended_alone(machine):
    machine.cluster.limits_every_s = 0.02
    machine.submit(
        "import os, time; os.setsid() if not os.fork() else 0; a = b'x' * (64 << 20); time.sleep(600)", memory_gib=0.05
    )
    machine.start(machine.until(Submitted).job)
    assert machine.until(Ended).status == "failed"
    assert machine.users.runs(1)[0].reason.endswith("51 MiB are its limit")


@pytest.fixture
def narrow():
    """A control group of 64 MiB, of whichever kind there is; a job goes in by itself, so ours are not in its way."""
    for place, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        folder = Path(f"{place}/narrow-{os.getpid()}")
        try:
            folder.mkdir()
            (folder / limit).write_text(f"{64 << 20}")
        except OSError:
            with suppress(OSError):
                folder.rmdir()
            continue
        yield folder / "cgroup.procs"
        folder.rmdir()
        return
    pytest.skip("no control group with a limit of memory is to be had here")


def test_whom_the_kernel_kills_for_want_of_memory_is_known_from_who_was_only_killed(machine, narrow):
    machine.submit(f"import os; open('{narrow}', 'w').write(str(os.getpid())); a = b'x' * (256 << 20)")
    machine.submit("import os; os.kill(os.getpid(), 9)", token="two")
    for _ in range(2):
        machine.start(machine.until(Submitted).job)
        assert machine.until(Ended).status == "failed"
    first, second = (machine.users.runs(number)[0] for number in (1, 2))
    assert (first.code, second.code) == (-9, -9)
    assert first.reason == run_job.MEMORY_SHORT
    assert second.reason == ""
    assert diagnose(machine.folder / "jobs" / "1" / "1" / "log").failure_id == "node.kernel_oom"


def test_a_job_runs_on_as_many_processors_as_it_may(machine):
    machine.submit("import os; print(len(os.sched_getaffinity(0)))", cpus=1)
    machine.start(machine.until(Submitted).job)
    assert machine.until(Ended).status == "completed"
    assert machine.log(1) == "1\n"


def test_a_job_whose_runner_is_killed_goes_back_into_the_queue_but_not_for_ever(machine):
    machine.submit("import time; time.sleep(600)")
    job = machine.until(Submitted).job
    for run in range(1, MOST_LOST + 2):
        machine.start(job)
        pid = machine.up(1, run)
        os.kill(machine.cluster.runs[1, run].read("began")["pid"], signal.SIGKILL)
        assert machine.until(Ended).status == ("node_fail" if run <= MOST_LOST else "failed")
        job.placement = None
        assert start_ticks(pid) == 0 or machine.cluster.wait(machine.cluster.now_s() + 0.2) == []
    assert [row.outcome for row in machine.users.runs(1)] == ["lost"] * MOST_LOST + ["failed"]


def test_what_cannot_be_started_says_so_in_its_log(machine):
    machine.users.submit(Submission(("no-such-program",), "/", {"PATH": "/bin"}), "x", 1.0)
    machine.start(machine.until(Submitted).job)
    assert machine.until(Ended).status == "failed"
    assert machine.log(1) == "schedmate: the job could not be started: no-such-program: command not found\n"


def test_a_waiting_job_is_cancelled_at_once_and_for_good(machine):
    machine.submit("print('ran')")
    job = machine.until(Submitted).job
    assert machine.cluster.cancel(1) == "cancelled"
    assert machine.until(Withdrawn) == (job, "cancelled")
    assert machine.cluster.cancel(1) == "over"
    machine.come()
    assert machine.cluster.wait(machine.cluster.now_s() + 0.1) == []


def test_who_cancels_a_job_that_the_policy_moves_has_the_last_word(machine):
    machine.submit("import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(600)")
    job = machine.until(Submitted).job
    machine.start(job)
    machine.up(1)
    assert machine.cluster.cancel(1) == "stopping"
    machine.cluster.preempt(job)
    job.placement = None
    machine.start(job, OTHER)
    assert machine.until(Ended).status == "cancelled"
    job.placement = None
    while machine.cluster.runs:
        assert machine.cluster.wait(machine.cluster.now_s() + 0.05) == [], "its end is told once"
    assert machine.users.job(1).state == "cancelled"
    assert len(machine.users.runs(1)) == 1


def test_a_job_that_is_cancelled_again_while_it_is_being_stopped_frees_its_place(machine):
    machine.submit("import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(600)")
    job = machine.until(Submitted).job
    machine.start(job)
    machine.up(1)
    for _ in range(3):
        assert machine.cluster.cancel(1) == "stopping"
    assert machine.until(Ended) == (job, "cancelled"), "or its place is taken for ever"
    assert machine.cluster.cancel(1) == "over"


def test_what_fails_while_it_is_being_cancelled_is_not_examined_and_started_anew(machine):
    machine.cluster.examines = True
    machine.submit("raise SystemExit(3)")
    machine.start(machine.until(Submitted).job)
    run = machine.cluster.runs[1, 1]
    while not (run.folder / "exit").exists():
        run.reap()
    machine.cluster.cancel(1)
    assert machine.until(Ended).status == "cancelled"
    assert machine.users.job(1).state == "cancelled"


def test_a_job_released_before_it_was_seen_comes_once(machine):
    machine.cluster.wait(machine.cluster.now_s() + 0.01)
    number = machine.submit("pass")
    assert machine.cluster.cancel(number) == "cancelled"
    machine.cluster.release(number)
    machine.until(Submitted)
    assert machine.cluster.wait(machine.cluster.now_s() + 0.1) == []


def test_a_full_disk_keeps_nobody_from_stopping_a_job(machine):
    machine.submit("import time; time.sleep(600)")
    machine.start(machine.until(Submitted).job)
    machine.up(1)
    folder = machine.cluster.runs[1, 1].folder
    assert (folder / "stop.part").exists(), "a name is changed, nothing is made"
    machine.cluster.cancel(1)
    assert machine.until(Ended).status == "cancelled"
    assert not (folder / "stop.part").exists()


def test_a_held_job_waits_for_its_release_through_a_restart(machine):
    machine.submit("print('ran')")
    machine.until(Submitted)
    machine.cluster.hold(1, "train.py:12 is wrong")
    assert machine.until(Withdrawn).status == "held"
    machine.come()
    assert machine.cluster.wait(machine.cluster.now_s() + 0.1) == []
    assert machine.users.job(1).reason == "train.py:12 is wrong"
    machine.cluster.release(1)
    machine.start(machine.until(Submitted).job)
    assert machine.until(Ended).status == "completed"


def test_a_submission_that_is_repeated_is_one_job(machine):
    assert [machine.submit("pass", token) for token in ("a", "a")] == [1, 1]


def test_the_job_is_told_where_it_is_and_sees_only_its_gpus(machine):
    names = (
        "CUDA_VISIBLE_DEVICES",
        "CUDA_DEVICE_ORDER",
        "SCHEDMATE_PLACEMENT",
        "SCHEDMATE_NODES",
        "SCHEDMATE_JOB_ID",
        "SCHEDMATE_SHARE",
    )
    machine.submit(f"import os; print(*[os.environ[name] for name in {names!r}])", share=0.5)
    job = machine.until(Submitted).job
    assert job.packable
    assert job.profile.gpu_util == 50
    machine.start(job, OTHER)
    machine.until(Ended)
    assert machine.log(1) == "1 PCI_BUS_ID n1:1 n1 1 0.5\n"


def test_a_job_dies_before_the_loop_where_the_machine_is_short_of_memory(machine):
    machine.submit("print(open('/proc/self/oom_score_adj').read())")
    machine.start(machine.until(Submitted).job)
    machine.until(Ended)
    assert int(machine.log(1)) >= run_job.DIES_FIRST > 0


def test_the_audit_trail_cannot_be_changed(machine):
    store = machine.users
    action = store.add_action(1, 1, 0, "isolate", "n1", "Xid 79", "act")
    store.note_action(action, "planned")
    assert store.add_action(1, 1, 0, "isolate", "n1", "Xid 79", "act") is None, "one step is planned once"
    for table in ("live_actions", "live_action_events"):
        for statement in (f"UPDATE {table} SET id = 9", f"DELETE FROM {table}"):
            with pytest.raises(Exception, match="append-only"):
                store.connection.execute(statement)
    assert [row.event for row in store.actions()] == ["planned"]


def test_a_trail_that_was_changed_behind_its_back_is_found_out(machine):
    store = machine.users
    for place in range(3):
        action = store.add_action(1, 1, place, "isolate", "n1", "Xid 79", "act")
        store.note_action(action, "planned")
        store.note_action(action, "done", "n1 takes no more jobs", ["n1"])
    whole = store.verify()
    assert (whole.entries, whole.older, whole.broken) == (6, 0, None)
    for trigger in ("live_actions_stay", "live_action_events_stay", "live_action_events_remain"):
        store.connection.execute(f"DROP TRIGGER {trigger}")
    for statement, broken in (
        ("UPDATE live_action_events SET detail = 'nothing' WHERE id = 4", 4),
        ("UPDATE live_actions SET reason = 'because' WHERE id = 2", 3),
        ("DELETE FROM live_action_events WHERE id = 2", 3),
        ("DELETE FROM live_action_events WHERE id > 4", 5),
        ("DELETE FROM live_action_events", 1),
        ("UPDATE live_action_events SET digest = ''", 1),
        ("UPDATE live_action_events SET digest = '', detail = 'nothing', actor = 'ada'", 1),
    ):
        store.connection.execute("BEGIN")
        store.connection.execute(statement)
        assert store.verify().broken == broken
        assert store.verify().head != whole.head
        store.connection.execute("ROLLBACK")


def test_only_the_mark_of_ones_own_is_taken_back(machine):
    store = machine.users
    store.mark("n1", "isolated", 7, 1.0)
    store.mark("n1", "isolated", 8, 2.0)
    assert not store.unmark("n1", 8)
    assert store.marks() == {"n1": ("isolated", 7)}
    assert store.unmark("n1", 7)


def test_a_full_disk_does_not_swallow_an_exit(tmp_path):
    """The blocks of `exit` are there before the job starts: only names change afterwards."""
    folder = tmp_path / "1"
    folder.mkdir()
    script = f"import os; part = {str(folder / 'exit.part')!r}; print(os.stat(part).st_blocks > 0)"
    spec = {"command": [sys.executable, "-S", "-c", script], "environment": {}, "workdir": "/", "name": "1/1"}
    spec |= {"log": str(folder / "log"), "wake": str(tmp_path / "none")}
    (folder / "spec").write_text(__import__("json").dumps(spec))
    subprocess.run([sys.executable, "-I", "-S", RUNNER, str(folder)], check=True, timeout=120)
    assert (folder / "log").read_text() == "True\n"
    assert Path(folder / "exit").stat().st_size == 512


def test_a_job_that_comes_while_the_loop_comes_up_is_seen(machine, monkeypatch):
    """Between reading what there is and listening for what changes, nothing may slip through."""
    jobs = LiveStore.jobs

    def late(store, *arguments, **options):
        found = jobs(store, *arguments, **options)
        if store is not machine.users and not machine.users.jobs():
            machine.submit("pass")
        return found

    monkeypatch.setattr(LiveStore, "jobs", late)
    machine.come()
    assert machine.until(Submitted).job.job_id == "1"
