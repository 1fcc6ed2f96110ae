"""Recovery under `up`: takes failures, goes on with plans where they stopped, and hears what people say to them."""

from collections.abc import Callable
from functools import cached_property

from schedmate.clusters.managed import ManagedCluster
from schedmate.errors import InputError
from schedmate.graphs.plain import PlainGraph
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import ActionRow, Answer, Request
from schedmate.scheduling.recovery.approvals import Approvals
from schedmate.scheduling.recovery.cluster_actions import LiveActions
from schedmate.scheduling.recovery.life import Life, Outcome, conclude
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.steps import Case, Finding
from schedmate.scheduling.recovery.store_book import StoreBook
from schedmate.workers.worker import Result
from schedmate.workers.worker_pool import WorkerPool


class RecoveryEngine:
    """One step after the other, each written down before it is done; what was started at a kill is done again."""

    def __init__(
        self,
        cluster: ManagedCluster,
        store: LiveStore,
        pool: WorkerPool,
        mode: str,
        rules: Rules,
        say: Callable[[str], None],
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.pool = pool
        self.mode = mode
        self.rules = rules
        self.tell = say
        self.acts = LiveActions(cluster, store, rules, say)
        self.busy: dict[int, frozenset[str]] = {}
        """Nodes that slow steps are at work on, by action."""
        if mode == "suggest":
            _ = self.approvals  # now, so that the first failure is not kept waiting

    @cached_property
    def approvals(self) -> Approvals:
        """What a person is asked; made when first needed, because LangGraph takes a second to import."""
        return Approvals(self.store)

    def case(self, number: int, run: int) -> Case:
        """Put together what is known of a failure."""
        return StoreBook(self, number, run).case({})

    def take(self, number: int, run: int) -> None:
        """Plan for a failure that was diagnosed, or go on; stop where a person or a slow step is waited for."""
        graph = PlainGraph()
        Life(StoreBook(self, number, run)).wire(graph)
        graph.walk({})

    def answered(self, book: StoreBook, row: ActionRow, answer: Result) -> None:
        """Take in what a slow step has found."""
        self.cluster.let_go(self.busy.pop(row.id, frozenset()))
        words = str(answer.get("error", answer.get("done", "")))
        nodes = (answer.get("found", ()), answer.get("cleared", ()))
        conclude(book, {}, row, Outcome("error" not in answer, words, *nodes))
        self.take(row.job, row.run)

    def tend(self) -> None:
        """Take up plans that wait for a node, or for an approval that has come."""
        waiting = {(row.job, row.run) for row in self.store.actions(("planned", "approved", "started"))}
        for number, run in sorted(waiting):
            if self.store.job(number).diagnosis:
                self.take(number, run)

    def obey(self, request: Request) -> str:
        """Approve, reject, undo, or reset the breaker, as a person asks."""
        if request.kind == "reset-breaker":
            return self.acts.reset_breaker()
        row = next((row for row in self.store.actions() if row.id == request.target), None)
        if row is None:
            raise InputError(f"there is no action {request.target}", "schedmate actions lists them")
        if request.kind == "undo":
            return self.store.write(lambda: self.undo(row, request.actor))
        if row.event == "unproven" and request.kind == "approve":
            words = self.store.write(lambda: self.vouch(row, request))
            self.take(row.job, row.run)
            return words
        if row.event != "proposed":
            raise InputError(f"action {row.id} is {row.event}, not proposed", "schedmate actions lists them")
        words = self.settle(row, request)
        self.take(row.job, row.run)
        return words

    def settle(self, row: ActionRow, request: Request) -> str:
        """Answer a proposal: the graph goes on, the trail and the answer to whoever spoke say so, all or none."""
        approvals = self.approvals

        def work() -> str:
            approvals.propose(row.id, row.detail)  # asked by a version that kept no checkpoints, nothing waits yet
            verdict = approvals.answer(row.id, request.kind)
            self.store.note_action(row.id, verdict, request.argument, actor=request.actor)
            words = f"action {row.id} ({row.kind}) is {verdict}"
            self.store.answer(request.id, Answer(words))
            return words

        return self.store.write(work)

    def vouch(self, row: ActionRow, request: Request) -> str:
        """Let a person's word stand in the place of the evidence that was missing."""
        self.store.note_action(row.id, "approved", request.argument, actor=request.actor)
        words = f"action {row.id} ({row.kind}) is approved"
        self.store.answer(request.id, Answer(words))
        return words

    def undo(self, row: ActionRow, actor: str) -> str:
        """Take back what an action did."""
        if row.event != "done":
            raise InputError(f"action {row.id} is {row.event}: only what was done can be undone", "schedmate actions")
        words = STEPS[row.kind].undo(row, self.case(row.job, row.run), self.acts)
        nodes = words.found if isinstance(words, Finding) else ()
        self.store.note_action(row.id, "undone", words, nodes, actor=actor)
        return f"action {row.id} is undone: {words}"
