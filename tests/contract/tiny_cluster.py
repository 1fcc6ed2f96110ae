"""The tiny engine behind `ManagedCluster`, as the author of an adapter would write it: asks, compares, tells."""

import json
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from schedmate.clusters import (
    Ended,
    FoundRunning,
    JobProgress,
    NodeDown,
    NodeSpec,
    NodeUp,
    Placement,
    Submitted,
    Withdrawn,
)
from schedmate.clusters.job_rows import live_job, told
from schedmate.clusters.managed import NODES, Can, Facts, Mark, NodeState, Refused, Unreachable
from schedmate.clusters.steady_clock import SteadyClock
from schedmate.clusters.waiting import Waiting, wake_path
from schedmate.history.live import Changes
from schedmate.history.live_rows import Submission

PROGRAM = Path(__file__).with_name("tiny_engine.py")
OUTCOMES = {"done": "completed", "failed": "failed", "cancelled": "cancelled", "node_fail": "lost"}
OURS = "schedmate"


def start_engine(folder, nodes, *options):
    """Start the engine and wait until it is up."""
    words = [f"{node.name}={node.gpus}" for node in nodes]
    command = [sys.executable, "-S", str(PROGRAM), "serve", str(folder), *words, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"up\n"
    return process


class TinyRun:
    """A run as the loop sees it."""

    def __init__(self, job, row, log, began_s=None):
        self.job, self.run, self.log, self.began_s = job, row.run, log, began_s
        self.placement, self.partner = Placement(row.kind, row.parts), row.partner
        self.found = False


class TinyCluster:
    """Asks the engine every so often, and books what has changed since."""

    def __init__(self, folder, store, examines=False, chooses=False, answer_s=10.0):
        self.folder, self.store, self.examines, self.answer_s = Path(folder), store, examines, answer_s
        self.can = Can(place=not chooses, order=chooses)
        self.clock = SteadyClock()
        self.trouble = ""
        self.waiting = Waiting(wake_path(store.data_dir), self.clock, self.look, 0.05)
        self.serve, self.leave, self.nudge = self.waiting.serve, self.waiting.leave, self.waiting.nudge
        self.wait, self.now_s = self.waiting.wait, self.clock.now_s
        self.jobs, self.names, self.held = {}, store.numbers(), {}
        """Jobs that are not over, numbers by the engine's names, and the run that each job is in."""
        self.known = list[NodeState]()
        self.reserved, self.up = set(), set()
        self.changes = Changes(store)
        self.fresh = True
        """Whether there may be jobs in the store that the engine has not been given."""
        self.leaving = set()
        """Jobs that are being stopped without a word: preempted, or moved."""
        for row in store.jobs(("pending", "running", "examined", "held")):
            self.hold_row(row)
        for row in store.runs():
            job, log = self.jobs.get(row.job) or self.hold_row(store.job(row.job)), str(store.log_of(row.job, row.run))
            run = self.held[row.job] = TinyRun(job, row, log, row.began_s)
            if row.stopping:
                self.leaving.add(row.job)
                continue
            run.found = True
            self.post(FoundRunning(job, run.placement, self.jobs.get(row.partner), row.began_s or row.intended_s))
        for row in store.jobs(("pending",)):
            if row.engine_id:
                self.post(Submitted(self.jobs[row.id]))
        self.take_nodes(self.ask("look")["nodes"], tell=False)
        for number, run in self.held.items():
            self.carry_out(number, run)

    def hold_row(self, row):
        job = self.jobs[row.id] = live_job(row)
        if row.engine_id:
            self.names[row.engine_id] = row.id
        return job

    def ask(self, word, **fields):
        """Ask the engine one thing; it answers within its time or is out of reach."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(self.answer_s)
                client.connect(str(self.folder / "socket"))
                with client.makefile("rw") as stream:
                    stream.write(json.dumps({"word": word, **fields}) + "\n")
                    stream.flush()
                    answer = json.loads(stream.readline())
        except (OSError, ValueError) as error:
            raise Unreachable(f"the tiny engine does not answer: {error}", "start it") from error
        if "refused" in answer:
            raise Refused(f"the tiny engine refuses: {answer['refused']}")
        return answer["answer"]

    def name(self, number):
        return self.store.job(number).engine_id

    def post(self, event):
        self.store.when_written(lambda: self.waiting.posted.append(event))

    def remarks(self):
        return []

    def close(self):
        self.waiting.close()

    def look(self):
        """Compare what the engine tells with what is known."""
        try:
            self.hand_over()
            told = self.ask("look")
        except Unreachable as error:
            self.trouble = error.message
            return
        self.trouble = ""
        for number, run in [*self.held.items()]:
            if number in self.leaving:
                self.ask("stop", job=self.name(number), why="requeued")
            elif run.began_s is None:
                self.carry_out(number, run)
        for job in told["jobs"]:
            self.take_job(job)
        self.take_nodes(told["nodes"])

    def hand_over(self):
        """Give the engine what others have put into the store; what it was given before it knows by its token."""
        self.fresh = self.changes.are_new() or self.fresh
        if not self.fresh:
            return
        for row in self.store.jobs(("pending",)):
            if not row.engine_id:
                engine_id = self.ask(
                    "submit", token=f"ours-{row.id}", user=row.user, slots=row.slots, command=row.command,
                    cwd=row.workdir, environment=row.environment, out=f"{self.folder}/%j.%r.out",
                )  # fmt: skip
                self.store.update(row.id, engine_id=engine_id)
                self.names[engine_id] = row.id
                self.post(Submitted(self.hold_row(self.store.job(row.id))))
        self.fresh = False

    def take_job(self, told):
        if told["id"] not in self.names:
            job = Submission(tuple(told["command"]), told["cwd"], {}, told["slots"], user=told["user"])
            number = self.store.submit(job, f"theirs-{told['id']}", told["submit_s"], told["id"])
            self.names[told["id"]] = number
            self.post(Submitted(self.hold_row(self.store.job(number))))
        number = self.names[told["id"]]
        booked = [row for row in self.store.runs(number) if row.ended_s is not None]
        for end in [end for end in told["ends"] if end["run"] not in {row.run for row in booked}]:
            self.begin(number, {**told, "state": "over", "parts": end["parts"]}, end["run"])
            self.end(number, end)
        if told["state"] == "runs" and number not in self.leaving:
            self.begin(number, told, told["run"])
        elif told["state"] == "cancelled" and self.store.job(number).state in ("pending", "held", "examined"):
            self.over(number, "cancelled")

    def begin(self, number, told, run):
        """Book a run that the engine has begun, whoever asked for it."""
        if number not in self.held:
            parts = tuple(told["parts"].items())
            log = told["out"].replace("%j", told["id"]).replace("%r", str(run))
            self.store.update(number, state="pending", end_s=None)
            opened = self.store.open_run(number, "gpu", parts, None, self.now_s(), log)
            job = self.jobs.get(number) or self.hold_row(self.store.job(number))
            self.held[number] = TinyRun(job, self.store.run(number, opened), log)
            self.held[number].found = True
            self.post(FoundRunning(job, self.held[number].placement, None, told["began_s"]))
        if self.held[number].began_s is None and told["state"] == "runs":
            self.held[number].began_s = told["began_s"]
            self.store.update_run(number, run, began_s=told["began_s"])

    def end(self, number, end):
        run, why = self.held.pop(number), end["why"]
        stopped = why == "requeued"
        self.leaving.discard(number)
        outcome = "stopped" if stopped else OUTCOMES[why]
        state = {"stopped": None, "lost": "pending"}.get(outcome, outcome)
        state = "examined" if outcome == "failed" and self.examines else state

        def work():
            times = {"began_s": end["began_s"], "ended_s": end["ended_s"]}
            self.store.update_run(number, run.run, outcome=outcome, code=end["code"], **times)
            if state:
                over_s = None if state == "pending" else end["ended_s"]
                self.store.update(number, state=state, end_s=over_s)
            if not stopped:
                ended = run.found or run.job.placement is not None
                status = "node_fail" if outcome == "lost" else outcome
                self.post(Ended(run.job, status) if ended else Withdrawn(run.job, status))

        self.store.write(work)
        if state in ("completed", "failed", "cancelled"):
            self.jobs.pop(number, None)
        self.carry_on(number)

    def over(self, number, state):
        waits = self.store.job(number).state == "pending"
        self.store.update(number, state=state, end_s=self.now_s())
        if waits:
            self.post(Withdrawn(self.jobs[number], state))
        self.jobs.pop(number, None)

    def take_nodes(self, nodes, tell=True):
        """Tell of nodes that take jobs no more, or again."""
        self.known = []
        for node in nodes:
            spec = NodeSpec(node["name"], node["gpus"])
            state = {"up": "up", "drained": "marked", "down": "down"}[node["state"]]
            kind, _, action = node["reason"].partition(" ")[0].partition(":")
            mark = Mark(kind, int(action)) if state == "marked" and node["by"] == OURS else None
            self.known.append(NodeState(spec, state, node["reason"], node["by"], mark))
        up = {state.spec.name for state in self.known if state.state == "up"} - self.reserved
        for state in self.known if tell else ():
            name = state.spec.name
            if (name in up) != (name in self.up):
                self.post(NodeUp(state.spec) if name in up else NodeDown(name))
        self.up = up

    def nodes(self):
        return [state.spec for state in self.known if state.spec.name in self.up]

    def states(self):
        return self.known

    def devices(self, node, slots):
        return tuple(slots)

    def launcher(self, nodes):
        return (sys.executable, "-S", str(PROGRAM), "on", str(self.folder), NODES, "--")

    def mark(self, node, mark, reason=""):
        if self.node(node).state == "up":
            self.ask("node", node=node, state="drained", reason=f"{mark.kind}:{mark.action} {reason}", by=OURS)
            self.take_nodes(self.ask("look")["nodes"])

    def unmark(self, node, mark):
        if self.node(node).mark != mark:
            return False
        self.ask("node", node=node, state="up")
        self.take_nodes(self.ask("look")["nodes"])
        return True

    def node(self, name):
        self.take_nodes(self.ask("look")["nodes"])
        return next(state for state in self.known if state.spec.name == name)

    def reserve(self, nodes, limit_s):
        self.reserved |= {*nodes}
        self.take_nodes(self.ask("look")["nodes"])

    def let_go(self, nodes):
        self.reserved -= {*nodes}
        self.take_nodes(self.ask("look")["nodes"])

    def job(self, number):
        return self.jobs.get(number)

    def running(self):
        return self.held.values()

    def facts(self, number, run):
        row = self.store.run(number, run)
        placed = told(self.store.job(number), run, Placement(row.kind, row.parts), ())
        return Facts(str(self.store.log_of(number, run)), row.code, row.reason, placed)

    def submit(self, job, token):
        self.fresh = True
        return self.store.submit(job, token, self.now_s())

    def start(self, job, placement, partner=None):
        """Write the intent down, then ask; the engine starts a run of a number once."""
        name, beside = self.name(job.number), partner and partner.number
        stays = job.number in self.held
        run = self.store.open_run(job.number, placement.kind, placement.parts, beside, self.now_s(), "")
        if run is None:
            self.refuse(job)
            return
        log = f"{self.folder}/{name}.{run}.out"
        self.store.update_run(job.number, run, log=log)
        if not stays:
            self.held[job.number] = TinyRun(job, self.store.run(job.number, run), log)
            with suppress(Unreachable):  # the next look asks again
                self.carry_out(job.number, self.held[job.number])

    def refuse(self, job):
        """Take back a start that came too late: the job was cancelled or held meanwhile."""
        waiting = self.waiting
        waiting.posted = [one for one in waiting.posted if not (isinstance(one, Withdrawn) and one.job is job)]
        self.post(Ended(job, self.store.job(job.number).state))

    def carry_on(self, number):
        """Carry out a start that had to wait until the run before it had ended."""
        for row in self.store.runs(number):
            if row.ended_s is None and not row.stopping:
                run = self.held[number] = TinyRun(self.jobs[number], row, row.log)
                self.carry_out(number, run)

    def carry_out(self, number, run):
        row = self.store.job(number)
        environment = told(row, run.run, run.placement, ())
        if run.began_s is None and number not in self.leaving:
            parts = dict(run.placement.parts)
            self.ask("start", job=row.engine_id, run=run.run, parts=parts, environment=environment)

    def preempt(self, job):
        self.stop(job)
        self.store.update(job.number, state="pending", preemptions=job.preemptions, served_s=job.served_s)

    def stop(self, job):
        """Stop whatever of a job runs, or is about to."""
        for row in self.store.runs(job.number):
            if row.ended_s is None:
                self.store.update_run(job.number, row.run, stopping="preempt")
        run = self.held.get(job.number)
        if run is not None:
            self.leaving.add(job.number)
            with suppress(Unreachable):  # the next look asks again
                self.ask("stop", job=self.name(job.number), why="requeued")
                self.forget_unbegun(job.number)

    def forget_unbegun(self, number):
        """Book runs that the engine never began."""
        told = next(job for job in self.ask("look")["jobs"] if self.names[job["id"]] == number)
        for row in self.store.runs(number):
            if row.ended_s is None and row.run > told["run"]:
                self.store.update_run(number, row.run, ended_s=self.now_s(), outcome="stopped")
                if number in self.held and self.held[number].run == row.run:
                    del self.held[number]
                    self.leaving.discard(number)

    def resize(self, job, placement):
        self.stop(job)
        self.start(job, placement)

    def progress(self, job):
        return JobProgress()

    def speed(self, job):
        return None

    def cancel(self, number):
        row = self.store.job(number)
        if row.state in ("completed", "failed", "cancelled"):
            return "over"
        self.ask("stop", job=row.engine_id, why="cancelled")
        if row.state == "running":
            return "stopping"
        self.over(number, "cancelled")
        return "cancelled"

    def hold(self, number, reason):
        def work():
            row = self.store.job(number)
            self.ask("hold", job=row.engine_id)
            self.store.update(number, state="held", reason=reason)
            if row.state == "pending":
                self.post(Withdrawn(self.jobs[number], "held"))

        self.store.write(work)

    def requeue(self, number, reason=""):
        def work():
            row = self.store.job(number)
            if row.state == "pending":
                return
            self.ask("requeue", job=row.engine_id)
            self.store.update(number, state="pending", reason=reason, end_s=None)
            job = self.jobs.get(number) or self.hold_row(self.store.job(number))
            self.post(Submitted(job))

        self.store.write(work)

    release = requeue

    def give_up(self, number, reason):
        self.store.update(number, state="failed", reason=reason)
        self.jobs.pop(number, None)

    def tell(self, number, words):
        pass

    def order(self, jobs):
        with suppress(Unreachable):
            self.ask("order", jobs=[self.name(job.number) for job in jobs])


def open_engine(store, wish):
    """Open the engine whose folder is named."""
    return TinyCluster(wish.words["folder"], store, examines=True, chooses=wish.words.get("chooses") == "yes")
