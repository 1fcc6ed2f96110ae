"""Recovery for somebody else's loop: the life of a plan as `up` lives it, with LangGraph's checkpoints for a store.

You give what can be done to your cluster (`steps.ClusterActions`), and a failure with its diagnosis. In
mode `suggest` the graph stops at `interrupt` before each step that can do harm, outlives the process, and is resumed by
an answer.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typing_extensions import TypedDict

from schedmate.choices import RecoveryMode, checked
from schedmate.errors import InputError, SchedMateError
from schedmate.graphs.approve import APPROVE, verdict_of
from schedmate.graphs.state import Compiled, Fields, Shaped
from schedmate.graphs.walk import Graph
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.life import Course, FailedRun, Life, Outcome, announced, row_fields, with_steps
from schedmate.scheduling.recovery.message import message
from schedmate.scheduling.recovery.no_cluster import NoCluster
from schedmate.scheduling.recovery.planner import PastRun, steps_for
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.steps import Case, ClusterActions, Finding, SlowStep, Step
from schedmate.schemas import Diagnosis

MOST_TURNS = 200

MOST_JOBS, MOST_RUNS, MOST_STEPS = 10**12, 10_000, 100
"""What a step's number has room for: jobs, runs of each, steps of a plan; a larger one fits no SQLite."""


class RecoveryInput(FailedRun):
    """What is asked: what must be told of a run that failed, and what may be."""

    job: int
    """the job's number in your loop; no two jobs may have the same"""
    nodes: list[str]
    """where the run was that failed; a step acts on these nodes or on none, whatever the log names"""
    diagnosis: Annotated[Fields, Shaped(Diagnosis)]
    """why it died, as the graph `diagnose` answers"""


class RecoveryAnswer(TypedDict, total=False):
    """What is answered."""

    steps: list[Fields]
    """every step with the last thing that happened to it"""


class CheckpointBook:
    """A plan that lies in the graph's own state; no two failures have a step of the same number."""

    vouching = "Recoveries.vouch(failure, {id})"

    def __init__(self, cluster: ClusterActions, kinds: Mapping[str, Step]) -> None:
        self.cluster = cluster
        self.kinds = kinds

    def plan(self, state: Course) -> Course:
        """List the steps, and say that somebody begins on the failure."""
        if "steps" in state:
            return {}
        case, mode = self.case(state), state.get("mode", "observe")
        checked("mode", mode, RecoveryMode)
        past = [PastRun(one["failure"], one.get("progress")) for one in state.get("past", ())]
        actions = steps_for(case.diagnosis, past, case.nodes, self.cluster.rules.recovery, state.get("progress"))
        actions = announced(actions, self.kinds) if mode == "suggest" else actions
        now_s, failure = time.time(), (case.job, case.run)
        rows = [
            ActionRow(
                number_of(*failure, place),
                now_s,
                *failure,
                place,
                one.kind,
                one.target,
                one.reason,
                mode,
                "planned",
                now_s,
                "",
            )
            for place, one in enumerate(actions)
        ]
        self.cluster.tell(message(case)[0])
        return {"steps": [row_fields(row) for row in rows]}

    def steps(self, state: Course) -> Sequence[ActionRow]:
        """Read them out of the state."""
        lists = ("nodes", "cleared")
        return [ActionRow(**{**one, **{name: tuple(one[name]) for name in lists}}) for one in state.get("steps", ())]

    def case(self, state: Course) -> Case:
        """Put it together from what was given and from what the steps have shown."""
        case = Case(
            state["job"],
            state.get("job_id", str(state["job"])),
            state.get("run", 1),
            state.get("user", ""),
            state.get("name", ""),
            tuple(state.get("command", ())),
            state.get("checkpoint", ""),
            Diagnosis.model_validate(state["diagnosis"]),
            tuple(state["nodes"]),
            spares=tuple(self.cluster.spares()),
            here=self.cluster.can.here,
        )
        return with_steps(case, self.steps(state), self.kinds)

    def is_waited_for(self, row: ActionRow) -> bool:
        """Questions and checks are waited for within the walk."""
        return False

    def note(self, state: Course, row: ActionRow, event: str, words: str, outcome: Outcome | None = None) -> Course:
        """Give the steps with this one changed; the checkpoint keeps them."""
        found, cleared = ((), ()) if outcome is None else (tuple(outcome.found), tuple(outcome.cleared))
        new = replace(row, event=event, at_s=time.time(), detail=words, nodes=found, cleared=cleared)
        return {"steps": [row_fields(new if one.id == row.id else one) for one in self.steps(state)]}

    def ask(self, state: Course, row: ActionRow, words: str) -> Course:
        """Stop until somebody answers."""
        from langgraph.types import interrupt

        asked = {"job": row.job, "action": row.id, "kind": row.kind, "target": row.target, "words": words}
        return self.note(state, row, verdict_of(interrupt({**asked, "answers": [APPROVE, "reject"]})), words)

    def whole(self, row: ActionRow, words: str, work: Callable[[], Course]) -> Course:
        """Do it; killed before the checkpoint is written it is done again, which does no more than once."""
        return work()

    def check(self, state: Course, row: ActionRow, step: SlowStep, case: Case) -> Outcome:
        """Do it here and now; without a launcher our own checks judge no node but this very host."""
        try:
            done = step.run(row, case, self.cluster.rules)
        except SchedMateError as error:
            return Outcome(False, error.message)
        return Outcome(True, str(done), *((done.found, done.cleared) if isinstance(done, Finding) else ()))

    def finish(self, state: Course) -> None:
        """What becomes of a job that no step has put elsewhere is your loop's to say."""


def number_of(job: int, run: int, place: int) -> int:
    """Number a step so that the mark which it leaves on a node is told from those of every other failure's steps.

    Whoever has no numbers for jobs, as a cluster of pods, gives 0 and tells failures apart by itself.
    """
    if not (0 <= run < MOST_RUNS and 0 <= place < MOST_STEPS - 1 and 0 <= job < MOST_JOBS):
        raise InputError(
            f"run {run} of job {job} has no number here", f"jobs go up to {MOST_JOBS}, runs to {MOST_RUNS}"
        )
    return ((job * MOST_RUNS + run) * MOST_STEPS if job else 0) + place + 1


def graph_with(cluster: ClusterActions, steps: Mapping[str, Step] = STEPS) -> Graph:
    """Give the graph on your cluster, with your steps in the place of ours where they are of the same kind."""
    return graph_of(CheckpointBook(cluster, {**STEPS, **steps}))


def graph_of(book: CheckpointBook) -> Graph:
    """Give the graph that walks the plans of a book."""
    return Graph(Life(book, book.kinds).wire, Course, RecoveryInput, RecoveryAnswer)


def build_recovery_graph() -> Compiled:
    """Compile the graph with LangGraph, without a cluster: for drawing it, and for observing."""
    return graph_with(NoCluster()).compile()


@contextmanager
def open_recoveries(cluster: ClusterActions, path: Path, steps: Mapping[str, Step] = STEPS) -> Iterator["Recoveries"]:
    """Open recoveries whose checkpoints are kept in a SQLite file; one process at a time."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        book = CheckpointBook(cluster, {**STEPS, **steps})
        yield Recoveries(graph_of(book).compile(SqliteSaver(connection)), book)


class Recoveries:
    """One thread a failure; every step is on disk before the next begins, so a kill forgets none."""

    def __init__(self, graph: Compiled, book: CheckpointBook) -> None:
        self.graph = graph
        self.book = book

    def begin(self, failure: str, given: RecoveryInput) -> Fields:
        """Start on a failure, named by job and run; one that was begun before is gone on with."""
        is_known = self.graph.get_state(thread(failure)).created_at is not None
        return self.go_on(failure, None if is_known else given)

    def state(self, failure: str) -> Fields:
        """Give what is known of a failure as it stands; nothing where none was begun."""
        known: Fields = self.graph.get_state(thread(failure)).values
        return known

    def proposed(self, failure: str) -> Fields | None:
        """Give the step that waits for a person, with the id that an answer must name; None when nobody is asked."""
        waiting = self.graph.get_state(thread(failure)).interrupts
        return {"id": waiting[0].id, **waiting[0].value} if waiting else None

    def answer(self, failure: str, proposal: str, answer: str) -> Fields:
        """Hand over what a person says to one proposal; an answer that comes twice must not approve the next step."""
        from langgraph.types import Command

        waiting = self.proposed(failure)
        if waiting is None or waiting["id"] != proposal:
            raise InputError(f"failure {failure} has no proposal {proposal}", "ask again what is proposed")
        return self.go_on(failure, Command(resume={proposal: answer}))

    def vouch(self, failure: str, action: int) -> Fields:
        """Let a person's word stand in the place of the evidence that a step lacked."""
        steps = self.graph.get_state(thread(failure)).values.get("steps", [])
        if not any(one["id"] == action and one["event"] == "unproven" for one in steps):
            raise InputError(f"failure {failure} has no step {action} that lacks evidence", "look at its `steps`")
        if self.proposed(failure) is not None:
            raise InputError(f"failure {failure} waits for another answer", "answer that first")
        changed = [{**one, "event": "approved"} if one["id"] == action else one for one in steps]
        self.graph.update_state(thread(failure), {"steps": changed}, as_node="plan")
        return self.go_on(failure, None)

    def undo(self, failure: str, action: int) -> str:
        """Take back what a step did, as far as it can be, and say how."""
        state = self.graph.get_state(thread(failure)).values
        row = next((row for row in self.book.steps(state) if row.id == action), None)
        if row is None or row.event != "done":
            raise InputError(f"failure {failure} has no step {action} that was done", "look at its `steps`")
        if self.proposed(failure) is not None:
            raise InputError(f"failure {failure} waits for another answer", "answer that first")
        words = self.book.kinds[row.kind].undo(row, self.book.case(state), self.book.cluster)
        self.graph.update_state(thread(failure), self.book.note(state, row, "undone", str(words)), as_node="finish")
        return str(words)

    def go_on(self, failure: str, given: object) -> Fields:
        """Walk until a person is needed, or the end."""
        final: Fields = self.graph.invoke(given, thread(failure), durability="sync")
        return final


def thread(failure: str) -> Fields:
    """Name a failure as LangGraph wants it."""
    return {"configurable": {"thread_id": failure}, "recursion_limit": MOST_TURNS}
