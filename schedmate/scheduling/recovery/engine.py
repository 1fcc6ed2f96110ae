"""Carries plans out: one step after the other, each written down before it is done, so that a kill forgets none.

A step's life is in the audit trail: planned, then observed (mode observe) or proposed and approved or rejected (mode
suggest), started, done or failed or refused, maybe undone; unproven where only a log speaks for it, which a person may
approve all the same. What was started when the loop was killed is done again.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from schedmate.clusters.managed import ManagedCluster, Unreachable
from schedmate.errors import InputError, SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import ActionRow, Request
from schedmate.scheduling.live.desk import Desk, Result
from schedmate.scheduling.recovery.approvals import Approvals, announced
from schedmate.scheduling.recovery.hands import Hands
from schedmate.scheduling.recovery.planner import CHECKS, Past, steps_for
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.rules import Rules
from schedmate.scheduling.recovery.steps import Case, Finding, QuickStep, SlowStep
from schedmate.schemas import Diagnosis

OPEN = ("planned", "proposed", "approved", "started")


class Recovery:
    """Plans and carries out; a step stands on `hands` as its ground."""

    def __init__(
        self,
        cluster: ManagedCluster,
        store: LiveStore,
        desk: Desk,
        mode: str,
        rules: Rules,
        say: Callable[[str], None],
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.desk = desk
        self.mode = mode
        self.rules = rules
        self.tell = say
        self.hands = Hands(cluster, store, rules, say)
        self.busy: dict[int, frozenset[str]] = {}
        """Nodes that slow steps are at work on, by action."""
        if mode == "suggest":
            _ = self.approvals  # now, so that the first failure is not kept waiting

    @cached_property
    def approvals(self) -> Approvals:
        """What a person is asked; made when first needed, because LangGraph takes a second to import."""
        return Approvals(self.store)

    def take(self, number: int, run: int, diagnosis: Diagnosis) -> None:
        """Plan for a failure and begin; a plan that exists is gone on with, not made again."""
        case = self.case(number, run)
        runs = [row for row in self.store.runs(number) if row.run < run and row.outcome == "failed"]
        past = [Past(row.failure, row.progress) for row in runs]
        progress = next(row.progress for row in self.store.runs(number) if row.run == run)
        steps = steps_for(diagnosis, past, case.nodes, self.rules.recovery, progress)
        steps = announced(steps) if self.mode == "suggest" else steps

        def work() -> None:
            for place, step in enumerate(steps if not self.rows(number, run) else ()):
                action = self.store.add_action(number, run, place, step.kind, step.target, step.reason, self.mode)
                if action is not None:
                    self.store.note_action(action, "planned")

        self.store.write(work)
        self.advance(number, run)

    def case(self, number: int, run: int) -> Case:
        """Put together what is known of a failure; all of it stands in the store, so a kill forgets none."""
        row = self.store.job(number)
        parts = next(one.parts for one in self.store.runs(number) if one.run == run)
        nodes = tuple(name for name, _ in parts)
        checks = [one for one in self.rows(number, run) if one.kind in CHECKS and one.event == "done"]
        spares = tuple(self.hands.spares())
        return Case(
            number,
            row.job_id,
            run,
            row.user,
            row.name,
            row.command,
            row.checkpoint,
            Diagnosis.model_validate_json(row.diagnosis),
            nodes,
            devices=self.hands.devices_of((*nodes, *spares)),
            idle=self.hands.idle_of(parts, spares),
            spares=spares,
            here=self.cluster.can.here,
            addresses=self.hands.addresses((*nodes, *spares)),
            found=tuple(dict.fromkeys(node for one in checks for node in one.nodes)),
            cleared=tuple(dict.fromkeys(node for one in checks for node in one.cleared)),
            done=tuple(story(one) for one in self.rows(number, run) if one.event not in OPEN and one.kind != "notify"),
            asks=tuple(f"action {one.id}: {one.kind} {one.target}" for one in self.rows(number, run) if asks(one)),
        )

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
                case = self.case(number, run)
                self.store.note_action(
                    row.id, "observed", doubted(step.describe(row, case), step.doubt(row, case, self.hands))
                )
            elif asks(row):
                if self.propose(row, number, run):
                    return
            elif not self.begin(row, number, run):
                return

    def propose(self, row: ActionRow, number: int, run: int) -> bool:
        """Wait for a person; False when there is nothing to ask, because it could not be done anyway."""
        step, case = STEPS[row.kind], self.case(number, run)
        why = step.preflight(row, case, self.hands)
        if why:
            self.store.note_action(row.id, "refused", why)
            return False
        words = doubted(step.describe(row, case), step.doubt(row, case, self.hands))
        approvals = self.approvals

        def work() -> None:
            self.store.note_action(row.id, "proposed", words)
            approvals.propose(row.id, words)
            self.store.update(number, reason=f"action {row.id} waits for approval")

        self.store.write(work)
        self.tell(f"action {row.id} is proposed: {words} (schedmate approve {row.id})")
        return True

    def begin(self, row: ActionRow, number: int, run: int) -> bool:
        """Do one step; False while it goes on beside the loop, or must wait for another on the same node."""
        step, case = STEPS[row.kind], self.case(number, run)
        why = step.preflight(row, case, self.hands)
        if why:
            self.store.note_action(row.id, "refused", why)
            return True
        if row.event != "approved" and (doubt := step.doubt(row, case, self.hands)):
            words = f"{doubt}; schedmate approve {row.id} does it all the same"
            self.store.note_action(row.id, "unproven", words)
            self.tell(f"action {row.id} ({row.kind} {row.target}) is not done: {words}")
            return True
        if isinstance(step, QuickStep):
            return self.attempted(step, row, case)
        return self.begin_slow(step, row, case)

    def begin_slow(self, step: SlowStep, row: ActionRow, case: Case) -> bool:
        """Have a slow step done beside the loop, once its nodes are free of other checks."""
        # Who only observes looks at what a driver tells, and keeps no node from its work.
        occupies = step.occupies and row.mode != "observe"
        witnesses = case.spares if row.kind == "nccl_test" else ()
        nodes = frozenset((*row.target.split(","), *witnesses)) if occupies else frozenset[str]()
        if any(nodes & others for others in self.busy.values()):
            return False
        patience_s = self.rules.recovery.check_limit_s if occupies else 0.0
        waits = time.time() - row.at_s < patience_s and step.waits(row, case, self.rules)
        try:
            self.cluster.reserve(nodes, step.limit_s(row, self.rules))
            launcher = self.cluster.launcher(sorted(nodes)) if nodes and not waits else ()
        except Unreachable:
            return False
        except SchedMateError as error:
            self.store.note_action(row.id, "failed", error.message)
            return True
        if waits:
            return False
        self.busy[row.id] = nodes
        self.store.note_action(row.id, "started", step.describe(row, case))
        limit_s = step.limit_s(row, self.rules)
        asked: Result = {"kind": "step", "limit_s": limit_s, "rules": self.rules.model_dump()}
        case = replace(self.case(row.job, row.run), launcher=launcher)
        asked |= {"row": row_fields(row), "case": (case if occupies else replace(case, idle=())).dump()}
        self.desk.ask(asked, limit_s, lambda answer: self.answered(row, answer), self.cluster.now_s())
        return False

    def attempted(self, step: QuickStep, row: ActionRow, case: Case) -> bool:
        """Do a quick step; False where the engine does not answer, and it is to be tried again."""
        try:
            self.store.write(lambda: self.do(step, row, case))
        except Unreachable:
            return False
        return True

    def do(self, step: QuickStep, row: ActionRow, case: Case) -> None:
        """Do a quick step, and write it down with its effect: a kill leaves both or neither."""
        self.store.note_action(row.id, "started", step.describe(row, case))
        self.conclude(row, self.attempt(step, row, case))

    def attempt(self, step: QuickStep, row: ActionRow, case: Case) -> Result:
        """Run a quick step and look whether it took effect."""
        try:
            done = step.run(row, case, self.hands)
            wrong = step.verify(row, case, self.hands)
        except Unreachable:
            raise
        except SchedMateError as error:
            return {"error": error.message}
        if wrong:
            return {"error": f"{done}; but {wrong}"}
        return {"done": str(done), "found": done.found if isinstance(done, Finding) else ()}

    def answered(self, row: ActionRow, answer: Result) -> None:
        """Take in what a slow step has found."""
        self.cluster.let_go(self.busy.pop(row.id, frozenset()))
        self.conclude(row, answer)
        self.advance(row.job, row.run)

    def conclude(self, row: ActionRow, answer: Result) -> None:
        """Write down how a step ended; what it found counts only for nodes that the job really ran on."""
        failed = "error" in answer
        words = str(answer["error"] if failed else answer["done"])
        nodes = self.case(row.job, row.run).nodes
        found, cleared = ([node for node in answer.get(name, ()) if node in nodes] for name in ("found", "cleared"))
        self.store.note_action(row.id, "failed" if failed else "done", words, found, cleared)
        if row.kind != "notify" or failed:
            self.tell(f"action {row.id} ({row.kind}) {'failed' if failed else 'done'}: {words}")

    def finish(self, number: int, run: int) -> None:
        """Leave no job between two states: what nothing has put elsewhere is dead."""
        if self.store.job(number).state == "examined":
            steps = [row for row in self.rows(number, run) if row.event != "done"]
            would = [row.detail for row in steps if row.event == "observed"]
            why = f"would: {would[-1]}" if would else "; ".join(row.detail for row in steps if row.detail)
            self.cluster.give_up(number, why[:400])
            self.tell(f"job {self.store.name_of(number)} stays dead" + (f": {why}" if why else ""))

    def tend(self) -> None:
        """Take up plans that wait for a node, or for an approval that has come."""
        waiting = {(row.job, row.run) for row in self.store.actions(("planned", "approved", "started"))}
        for number, run in sorted(waiting):
            if self.store.job(number).diagnosis:
                self.advance(number, run)

    def obey(self, request: Request) -> str:
        """Approve, reject, undo, or reset the breaker, as a person asks."""
        if request.kind == "reset-breaker":
            return self.hands.reset_breaker()
        row = next((row for row in self.store.actions() if row.id == request.target), None)
        if row is None:
            raise InputError(f"there is no action {request.target}", "schedmate actions lists them")
        if request.kind == "undo":
            return self.store.write(lambda: self.undo(row))
        if row.event == "unproven" and request.kind == "approve":
            words = self.store.write(lambda: self.vouch(row, request))
            self.advance(row.job, row.run)
            return words
        if row.event != "proposed":
            raise InputError(f"action {row.id} is {row.event}, not proposed", "schedmate actions lists them")
        words = self.settle(row, request)
        self.advance(row.job, row.run)
        return words

    def settle(self, row: ActionRow, request: Request) -> str:
        """Answer a proposal: the graph goes on, the trail and the answer to whoever spoke say so, all or none."""
        approvals = self.approvals

        def work() -> str:
            approvals.propose(row.id, row.detail)  # asked by a version that kept no checkpoints, nothing waits yet
            verdict = approvals.answer(row.id, request.kind)
            self.store.note_action(row.id, verdict, request.argument)
            words = f"action {row.id} ({row.kind}) is {verdict}"
            self.store.answer(request.id, words)
            return words

        return self.store.write(work)

    def vouch(self, row: ActionRow, request: Request) -> str:
        """Let a person's word stand in the place of the evidence that was missing."""
        self.store.note_action(row.id, "approved", request.argument)
        words = f"action {row.id} ({row.kind}) is approved"
        self.store.answer(request.id, words)
        return words

    def undo(self, row: ActionRow) -> str:
        """Take back what an action did."""
        if row.event != "done":
            raise InputError(f"action {row.id} is {row.event}: only what was done can be undone", "schedmate actions")
        words = STEPS[row.kind].undo(row, self.case(row.job, row.run), self.hands)
        self.store.note_action(row.id, "undone", words, words.found if isinstance(words, Finding) else ())
        return f"action {row.id} is undone: {words}"


def doubted(words: str, doubt: str) -> str:
    """Add what evidence is missing."""
    return f"{words}; {doubt}" if doubt else words


def story(row: ActionRow) -> str:
    """Tell what became of a step, and how it is taken back."""
    back = f" (schedmate undo {row.id})" if row.event == "done" and STEPS[row.kind].radius != "nothing" else ""
    return f"{row.kind} {row.event}: {row.detail}{back if row.kind != 'nccl_test' else ''}"


def asks(row: ActionRow) -> bool:
    """Tell whether a step waits, now or in its turn, for a person's word."""
    return row.mode == "suggest" and row.event in ("planned", "proposed") and STEPS[row.kind].radius != "nothing"


def row_fields(row: ActionRow) -> dict[str, object]:
    """Give an action's fields for another process."""
    return {name: getattr(row, name) for name in ActionRow.__slots__}
