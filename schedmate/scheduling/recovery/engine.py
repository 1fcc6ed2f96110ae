"""Carries plans out: one step after the other, each written down before it is done, so that a kill forgets none.

A step's life is in the audit trail: planned, then observed (mode observe) or proposed and approved or rejected (mode
suggest), started, done or failed or refused, maybe undone. What was started when the loop was killed is done again.
"""

import time
from collections.abc import Callable, Sequence

from schedmate.clusters.local import LocalCluster
from schedmate.clusters.local_jobs import devices
from schedmate.errors import InputError, SchedMateError
from schedmate.history.live_rows import ActionRow, Request
from schedmate.scheduling.live.desk import Desk, Result
from schedmate.scheduling.recovery.planner import Past, steps_for
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.rules import Rules
from schedmate.scheduling.recovery.steps import Case
from schedmate.schemas import Diagnosis

OPEN = ("planned", "proposed", "approved", "started")
ISOLATED, SPARE = "isolated", "spare"
BREAKER = "breaker"


class Recovery:
    """Plans and carries out; the steps stand on it as their ground."""

    def __init__(self, cluster: LocalCluster, desk: Desk, mode: str, rules: Rules, say: Callable[[str], None]) -> None:
        self.cluster = cluster
        self.store = cluster.store
        self.desk = desk
        self.mode = mode
        self.rules = rules
        self.tell = say
        self.busy: dict[int, frozenset[str]] = {}
        """Nodes that slow steps are at work on, by action."""
        self.cases: dict[tuple[int, int], Case] = {}
        cluster.chores.append(self.tend)

    def take(self, number: int, run: int, diagnosis: Diagnosis) -> None:
        """Plan for a failure and begin; a plan that exists is gone on with, not made again."""
        case = self.case(number, run)
        runs = [row for row in self.store.runs(number) if row.run < run and row.outcome == "failed"]
        past = [Past(row.failure, row.progress) for row in runs]
        progress = next(row.progress for row in self.store.runs(number) if row.run == run)
        steps = steps_for(diagnosis, past, case.nodes, self.rules.recovery, progress)

        def work() -> None:
            for place, step in enumerate(steps):
                action = self.store.add_action(number, run, place, step.kind, step.target, step.reason, self.mode)
                if action is not None:
                    self.store.note_action(action, "planned")

        self.store.write(work)
        self.advance(number, run)

    def case(self, number: int, run: int) -> Case:
        """Put together what is known of a failure."""
        kept = self.cases.get((number, run))
        if kept is not None:
            return kept
        row = self.store.job(number)
        parts = next(one.parts for one in self.store.runs(number) if one.run == run)
        nodes = tuple(name for name, _ in parts)
        gpus = tuple((node, self.devices_of(node)) for node in nodes)
        diagnosis = Diagnosis.model_validate_json(row.diagnosis)
        case = Case(number, run, row.user, row.name, row.command, row.checkpoint, diagnosis, nodes, gpus)
        self.cases[number, run] = case
        return case

    def devices_of(self, name: str) -> tuple[int, ...]:
        """Give a node's GPUs as this machine numbers them."""
        node = self.cluster.declared.get(name)
        slots = {} if node is None else {name: range(node.gpus)}
        return tuple(devices(slots, self.cluster.declared.values()))

    def rows(self, number: int, run: int) -> list[ActionRow]:
        """List the steps of one plan."""
        return [row for row in self.store.actions(job=number) if row.run == run]

    def advance(self, number: int, run: int) -> None:
        """Do what can be done now; stop where an approval or a slow step is waited for."""
        while True:
            row = next((row for row in self.rows(number, run) if row.event in OPEN), None)
            if row is None:
                self.finish(number, run)
                return
            if row.id in self.busy or row.event == "proposed":
                return
            step = STEPS[row.kind]
            if row.mode == "observe" and step.radius != "nothing":
                self.store.note_action(row.id, "observed", step.describe(row, self.case(number, run)))
            elif row.mode == "suggest" and step.radius != "nothing" and row.event == "planned":
                if self.propose(row, number, run):
                    return
            elif not self.begin(row, number, run):
                return

    def propose(self, row: ActionRow, number: int, run: int) -> bool:
        """Wait for a person; False when there is nothing to ask, because it could not be done anyway."""
        why = STEPS[row.kind].preflight(row, self.case(number, run), self)
        if why:
            self.store.note_action(row.id, "refused", why)
            return False
        words = STEPS[row.kind].describe(row, self.case(number, run))
        self.store.note_action(row.id, "proposed", words)
        self.store.update(number, reason=f"action {row.id} waits for approval")
        self.tell(f"action {row.id} is proposed: {words} (schedmate approve {row.id})")
        return True

    def begin(self, row: ActionRow, number: int, run: int) -> bool:
        """Do one step; False while it goes on beside the loop, or must wait for another on the same node."""
        step, case = STEPS[row.kind], self.case(number, run)
        why = step.preflight(row, case, self)
        if why:
            self.store.note_action(row.id, "refused", why)
            return True
        if not step.slow:
            self.store.note_action(row.id, "started", step.describe(row, case))
            self.conclude(row, self.attempt(row, case))
            return True
        nodes = frozenset(row.target.split(",")) if row.kind in ("health_check", "nccl_test") else frozenset()
        if any(nodes & others for others in self.busy.values()):
            return False
        self.busy[row.id] = nodes
        self.store.note_action(row.id, "started", step.describe(row, case))
        limit_s = self.rules.recovery.check_limit_s * 2 + 30
        asked: Result = {"kind": "step", "limit_s": limit_s, "rules": self.rules.model_dump()}
        asked |= {"row": row_fields(row), "case": case.dump()}
        self.desk.ask(asked, limit_s, lambda answer: self.answered(row, answer), self.cluster.now_s())
        return False

    def attempt(self, row: ActionRow, case: Case) -> Result:
        """Run a quick step and look whether it took effect."""
        step = STEPS[row.kind]
        try:
            done = step.run(row, case, self)
            wrong = step.verify(row, case, self)
        except SchedMateError as error:
            return {"error": error.message}
        return {"error": f"{done}; but {wrong}"} if wrong else {"done": done}

    def answered(self, row: ActionRow, answer: Result) -> None:
        """Take in what a slow step has found."""
        self.busy.pop(row.id, None)
        key = (row.job, row.run)
        case = self.case(*key)
        found = tuple(node for node in answer.get("found", ()) if node in case.nodes)
        cleared = tuple(node for node in answer.get("cleared", ()) if node in case.nodes)
        self.cases[key] = case.seen(found, cleared)
        self.conclude(row, answer)
        self.advance(*key)

    def conclude(self, row: ActionRow, answer: Result) -> None:
        """Write down how a step ended."""
        failed = "error" in answer
        words = str(answer["error"] if failed else answer["done"])
        self.store.note_action(row.id, "failed" if failed else "done", words)
        if row.kind != "notify" or failed:
            self.tell(f"action {row.id} ({row.kind}) {'failed' if failed else 'done'}: {words}")

    def finish(self, number: int, run: int) -> None:
        """Leave no job between two states: what nothing has put elsewhere is dead."""
        if self.store.job(number).state == "examined":
            steps = [row for row in self.rows(number, run) if row.event != "done"]
            would = [row.detail for row in steps if row.event == "observed"]
            why = f"would: {would[-1]}" if would else "; ".join(row.detail for row in steps if row.detail)
            self.store.update(number, state="failed", reason=why[:400])
            self.cluster.jobs.pop(number, None)
            self.tell(f"job {number} stays dead" + (f": {why}" if why else ""))
        self.cases.pop((number, run), None)

    def tend(self) -> None:
        """Take up plans that wait for a node, or for an approval that has come."""
        waiting = {(row.job, row.run) for row in self.store.actions(("planned", "approved", "started"))}
        for number, run in sorted(waiting):
            if self.store.job(number).diagnosis:
                self.advance(number, run)

    def obey(self, request: Request) -> str:
        """Approve, reject, undo, or reset the breaker, as a person asks."""
        if request.kind == "reset-breaker":
            self.store.set_fact(BREAKER, f"{time.time()}")
            return "the circuit breaker is reset"
        row = next((row for row in self.store.actions() if row.id == request.target), None)
        if row is None:
            raise InputError(f"there is no action {request.target}", "schedmate actions lists them")
        if request.kind == "undo":
            return self.undo(row)
        if row.event != "proposed":
            raise InputError(f"action {row.id} is {row.event}, not proposed", "schedmate actions lists them")
        self.store.note_action(row.id, "approved" if request.kind == "approve" else "rejected", request.argument)
        self.advance(row.job, row.run)
        return f"action {row.id} ({row.kind}) is {'approved' if request.kind == 'approve' else 'rejected'}"

    def undo(self, row: ActionRow) -> str:
        """Take back what an action did."""
        if row.event != "done":
            raise InputError(f"action {row.id} is {row.event}: only what was done can be undone", "schedmate actions")
        words = STEPS[row.kind].undo(row, self.case(row.job, row.run), self)
        self.store.note_action(row.id, "undone", words)
        return f"action {row.id} is undone: {words}"

    def isolated(self) -> dict[str, int]:
        """Give each isolated node and the action that isolated it."""
        return {node: action for node, (mark, action) in self.store.marks().items() if mark == ISOLATED}

    def breaker(self, node: str) -> str:
        """Say why no further node may be isolated now."""
        rules, now_s = self.rules.recovery, time.time()
        since_s = max(now_s - rules.window_s, float(self.store.fact(BREAKER) or 0))
        nodes: set[str] = set()
        for row in self.store.actions(("done", "undone")):
            if row.kind != "isolate":
                continue
            if row.event == "undone" and row.target == node and now_s - row.at_s < rules.cooldown_s:
                return f"a person brought {node} back {now_s - row.at_s:.0f} s ago"
            if row.at_s >= since_s:
                nodes.add(row.target or row.detail)
        most = max(1, int(rules.isolate_share * len(self.cluster.declared))) if rules.isolate_share else 0
        if len(nodes) < most:
            return ""
        return (
            f"the circuit breaker is open: {len(nodes)} of {len(self.cluster.declared)} nodes were isolated lately,"
            f" {most} may be (schedmate actions --reset-breaker)"
        )

    def isolate(self, node: str, action: int) -> None:
        """Mark a node and give it no more jobs."""
        self.store.mark(node, ISOLATED, action, time.time())
        self.cluster.take_down(node, kill=False)

    def restore(self, node: str, action: int) -> bool:
        """Take back the mark that this action made."""
        if not self.store.unmark(node, action):
            return False
        self.cluster.bring_back(node)
        return True

    def spares(self) -> Sequence[str]:
        """List nodes that are kept in reserve, in their order."""
        marks = self.store.marks()
        return [node for node in self.cluster.declared if marks.get(node, ("", 0))[0] == SPARE]

    def bring_in(self, node: str) -> None:
        """Let a spare take jobs."""
        if self.store.unmark(node, 0):
            self.cluster.bring_back(node)

    def state_of(self, job: int) -> str:
        """Tell a job's state."""
        return self.store.job(job).state

    def requeue(self, job: int, reason: str) -> None:
        """Put a job back into the queue."""
        self.cluster.release(job, reason)

    def hold(self, job: int, reason: str) -> None:
        """Keep a job from running until somebody releases it."""
        self.cluster.hold(job, reason)


def row_fields(row: ActionRow) -> dict[str, object]:
    """Give an action's fields for another process."""
    return {name: getattr(row, name) for name in ActionRow.__slots__}
