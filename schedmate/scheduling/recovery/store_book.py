"""The plans of `up`, written into its store: a kill forgets none, and a deed and the word that it is done are one."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from schedmate.clusters.managed import ManagedCluster, Unreachable
from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import ActionRow
from schedmate.history.trail import FACT
from schedmate.scheduling.recovery.approvals import Approvals
from schedmate.scheduling.recovery.cluster_actions import LiveActions
from schedmate.scheduling.recovery.life import WAITS, Course, Outcome, announced, row_fields, with_steps
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.planner import PastRun, steps_for
from schedmate.scheduling.recovery.steps import Case, ClusterActions, SlowStep
from schedmate.schemas import Diagnosis
from schedmate.workers.worker import Result
from schedmate.workers.worker_pool import WorkerPool


class Shared(Protocol):
    """What all plans of one loop share."""

    cluster: ManagedCluster
    store: LiveStore
    pool: WorkerPool
    mode: str
    rules: Rules
    acts: LiveActions
    busy: dict[int, frozenset[str]]
    """Nodes that slow steps are at work on, by action."""

    @property
    def approvals(self) -> Approvals: ...
    def answered(self, book: "StoreBook", row: ActionRow, answer: Result) -> None:
        """Take in what a slow step has found."""
        ...


class StoreBook:
    """One plan; slow steps are done by the pool, which answers in a later turn of the loop."""

    vouching = "schedmate approve {id}"

    def __init__(self, recovery: Shared, number: int, run: int) -> None:
        self.recovery = recovery
        self.store = recovery.store
        self.acts = recovery.acts
        self.cluster: ClusterActions = recovery.acts
        self.number = number
        self.failed_run = run

    def plan(self, state: Course) -> Course:
        """Add the steps to the audit trail, all or none."""
        if self.steps(state):
            return {}
        case, runs, mode = self.case(state), self.store.runs(self.number), self.recovery.mode
        past = [PastRun(row.failure, row.progress) for row in runs if row.run < case.run and row.outcome == "failed"]
        progress = next(row.progress for row in runs if row.run == case.run)
        steps = steps_for(case.diagnosis, past, case.nodes, self.recovery.rules.recovery, progress)

        def work() -> None:
            for place, step in enumerate(announced(steps) if mode == "suggest" else steps):
                words = (step.kind, step.target, step.reason, mode)
                action = self.store.add_action(self.number, case.run, place, *words)
                if action is not None:
                    self.store.note_action(action, "planned")

        self.store.write(work)
        return {}

    def steps(self, state: Course) -> Sequence[ActionRow]:
        """Read them; all else that is known of a plan is in these rows, too."""
        return [row for row in self.store.actions(job=self.number) if row.run == self.failed_run and row.place != FACT]

    def case(self, state: Course) -> Case:
        """Put it together from the store and from what the cluster is now."""
        row, acts = self.store.job(self.number), self.acts
        parts = next(one.parts for one in self.store.runs(self.number) if one.run == self.failed_run)
        nodes, spares = tuple(name for name, _ in parts), tuple(acts.spares())
        case = Case(
            self.number,
            row.job_id,
            self.failed_run,
            row.user,
            row.name,
            row.command,
            row.checkpoint,
            Diagnosis.model_validate_json(row.diagnosis),
            nodes,
            devices=acts.devices_of((*nodes, *spares)),
            idle=acts.idle_of(parts, spares),
            spares=spares,
            here=self.recovery.cluster.can.here,
            addresses=acts.addresses((*nodes, *spares)),
        )
        return with_steps(case, self.steps(state), back=" (schedmate undo {id})")

    def is_waited_for(self, row: ActionRow) -> bool:
        """Know what the pool is at, and what was asked."""
        return row.id in self.recovery.busy or row.event == "proposed"

    def note(self, state: Course, row: ActionRow, event: str, words: str, outcome: Outcome | None = None) -> Course:
        """Add it to the audit trail."""
        found, cleared = ((), ()) if outcome is None else (outcome.found, outcome.cleared)
        self.store.note_action(row.id, event, words, found, cleared)
        return {}

    def ask(self, state: Course, row: ActionRow, words: str) -> Course:
        """Ask, and note it with the question; `schedmate approve` and `reject` answer."""
        approvals = self.recovery.approvals

        def work() -> None:
            self.store.note_action(row.id, "proposed", words)
            approvals.propose(row.id, words)
            self.store.update(self.number, reason=f"action {row.id} waits for approval: schedmate approve {row.id}")

        self.store.write(work)
        self.cluster.tell(f"action {row.id} is proposed: {words} (schedmate approve {row.id})")
        return WAITS

    def whole(self, row: ActionRow, words: str, work: Callable[[], Course]) -> Course:
        """Do it in one transaction: a kill leaves both the deed and the word of it, or neither."""

        def within() -> Course:
            self.store.note_action(row.id, "started", words)
            return work()

        try:
            return self.store.write(within)
        except Unreachable:
            return WAITS

    def check(self, state: Course, row: ActionRow, step: SlowStep, case: Case) -> Outcome | None:
        """Hand it to the pool once its nodes are free of other checks; the answer takes the plan further."""
        busy, cluster, rules = self.recovery.busy, self.recovery.cluster, self.recovery.rules
        # Who only observes looks at what a driver tells, and keeps no node from its work.
        occupies = step.occupies and row.mode != "observe"
        witnesses = case.spares if row.kind == "nccl_test" else ()
        nodes = frozenset((*row.target.split(","), *witnesses)) if occupies else frozenset[str]()
        if any(nodes & others for others in busy.values()):
            return None
        limit_s = step.limit_s(row, rules)
        patience_s = rules.recovery.check_limit_s if occupies else 0.0
        waits = time.time() - row.at_s < patience_s and step.waits(row, case, rules)
        try:
            cluster.reserve(nodes, limit_s)
            launcher = cluster.launcher(sorted(nodes)) if nodes and not waits else ()
        except Unreachable:
            return None
        except SchedMateError as error:
            return Outcome(False, error.message)
        if not waits:
            busy[row.id] = nodes
            self.store.note_action(row.id, "started", step.describe(row, case))
            case = replace(self.case(state), launcher=launcher)
            self.hand_over(row, case if occupies else replace(case, idle=()), limit_s)
        return None

    def hand_over(self, row: ActionRow, case: Case, limit_s: float) -> None:
        """Have the pool do it, in another process."""
        asked: Result = {"kind": "step", "limit_s": limit_s, "rules": self.recovery.rules.model_dump()}
        asked |= {"row": row_fields(row), "case": case.dump()}
        now_s = self.recovery.cluster.now_s()
        self.recovery.pool.ask(asked, limit_s, lambda answer: self.recovery.answered(self, row, answer), now_s)

    def finish(self, state: Course) -> None:
        """Say that a job is dead which nothing has put elsewhere."""
        if self.store.job(self.number).state != "examined":
            return
        steps = [row for row in self.steps(state) if row.event != "done"]
        would = [row.detail for row in steps if row.event == "observed"]
        why = f"would {would[-1]}" if would else "; ".join(row.detail for row in steps if row.detail)
        self.recovery.cluster.give_up(self.number, why[:400])
        self.cluster.tell(f"job {self.store.name_of(self.number)} stays dead" + (f": {why}" if why else ""))
