"""The life of a plan and of each of its steps, as a graph: plan, choose, look, then leave, ask, act or check.

`up` walks it by itself, and its store remembers how far a plan has come (`store_book.py`); loops of others walk it with
LangGraph, whose checkpoints do (`your_loop.py`). A step is planned; then it is observed (in that mode), refused (it
cannot or need not be done) or unproven (only a log speaks for it; a person may approve it all the same), or it is
proposed, approved or rejected (in mode suggest); then started, done or failed; maybe undone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, Protocol

from typing_extensions import TypedDict

from schedmate.choices import RecoveryMode
from schedmate.clusters.managed import Unreachable
from schedmate.errors import SchedMateError
from schedmate.graphs.plain import END, START, Wiring
from schedmate.graphs.state import Fields
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.steps import Case, ClusterActions, Finding, QuickStep, SlowStep, Step
from schedmate.schemas import Action

OPEN = frozenset({"planned", "proposed", "approved", "started"})
"""What has happened last to a step that is not over."""


class FailedRun(TypedDict, total=False):
    """What may be told of a run that failed, beside which it was, where it was and why it died."""

    job_id: str
    """how its users call it, if not by that number"""
    run: int
    """which of its runs failed, counted from 1"""
    mode: RecoveryMode
    """how far to go: log only (default), wait for a person, do it"""
    past: list[Fields]
    """earlier failed runs, oldest first: `failure`, and `progress` where it is known"""
    progress: float | None
    """the last step of training that this run reached"""
    user: str
    """whose job it is"""
    name: str
    """what it is called"""
    command: list[str]
    """how it was started"""
    checkpoint: str
    """where it could go on from"""


class Course(FailedRun, total=False):
    """What the nodes hand on; plain data, so that a checkpoint can be read by any version and holds no code."""

    job: int
    """the job's number in your loop"""
    nodes: list[str]
    """where that run was"""
    diagnosis: Fields
    """why it died: `Diagnosis.model_dump(mode="json")`"""
    steps: list[Fields]
    """every step with the last thing that happened to it"""
    at: int
    """the step at hand; 0: none"""
    turn: Literal["leave", "propose", "act", "check", "wait"]
    """what is to be done about it"""
    event: str
    """why it is left"""
    words: str
    """what a person is told of that"""


class Outcome(NamedTuple):
    """How a step ended; what a check found counts only for nodes that the job really ran on."""

    is_done: bool
    words: str
    found: Sequence[str] = ()
    cleared: Sequence[str] = ()


WAITS: Course = {"turn": "wait"}


class Book(Protocol):
    """Where a plan is written down, and what its steps may do; each entry is what a node returns."""

    cluster: ClusterActions
    vouching: str
    """How a person lets a step be done that lacks evidence; `{id}` stands for its number."""

    def plan(self, state: Course) -> Course:
        """Write the steps down; a plan that exists is gone on with, not made again."""
        ...

    def steps(self, state: Course) -> Sequence[ActionRow]:
        """List the steps in order, each with the last thing that happened to it."""
        ...

    def case(self, state: Course) -> Case:
        """Put together what is known of the failure."""
        ...

    def is_waited_for(self, row: ActionRow) -> bool:
        """Tell whether a step is at work, or a person is asked, so that nothing can be done now."""
        ...

    def note(self, state: Course, row: ActionRow, event: str, words: str, outcome: Outcome | None = None) -> Course:
        """Write down what happened to a step."""
        ...

    def ask(self, state: Course, row: ActionRow, words: str) -> Course:
        """Ask a person; WAITS where the answer comes in another walk."""
        ...

    def whole(self, row: ActionRow, words: str, work: Callable[[], Course]) -> Course:
        """Do a step and write it down, both or neither; WAITS where the engine does not answer."""
        ...

    def check(self, state: Course, row: ActionRow, step: SlowStep, case: Case) -> Outcome | None:
        """Have a slow step done; None where it goes on beside the loop, or has to wait."""
        ...

    def finish(self, state: Course) -> None:
        """Leave no job between two states."""
        ...


class Life:
    """The nodes, in the order in which they run; each step goes round once."""

    def __init__(self, book: Book, steps: Mapping[str, Step] = STEPS) -> None:
        self.book = book
        self.kinds = steps

    def plan(self, state: Course) -> Course:
        """List the steps: a function of the diagnosis, the past and the rules, never of the log's own words."""
        return self.book.plan(state)

    def choose(self, state: Course) -> Course:
        """Take the first step that is not over."""
        row = next((row for row in self.book.steps(state) if row.event in OPEN), None)
        if row is None:
            return {"at": 0}
        return {"at": row.id, "turn": "wait" if self.book.is_waited_for(row) else "leave"}

    def route_choice(self, state: Course) -> Literal["look", "finish", "__end__"]:
        """Look at the step, unless there is none, or it has to be waited for."""
        if not state["at"]:
            return "finish"
        return "__end__" if state["turn"] == "wait" else "look"

    def look(self, state: Course) -> Course:
        """Tell what is to be done about it: by the mode, by what stands in the way, and by what evidence there is."""
        row, case, cluster = self.row(state), self.book.case(state), self.book.cluster
        step = self.kinds[row.kind]
        if row.mode not in ("suggest", "act") and step.radius != "nothing":
            return leaving("observed", doubted(step.describe(row, case), step.doubt(row, case, cluster)))
        why = step.preflight(row, case, cluster)
        if why:
            return leaving("refused", why)
        doubt = step.doubt(row, case, cluster)
        if asks(row, self.kinds):
            return {"turn": "propose", "words": doubted(step.describe(row, case), doubt)}
        if doubt and row.event != "approved":
            how = self.book.vouching.format(id=row.id)
            return leaving("unproven", f"{doubt}; {how} does it all the same")
        return {"turn": "act" if isinstance(step, QuickStep) else "check"}

    def route_look(self, state: Course) -> Literal["leave", "propose", "act", "check"]:
        """Do what the look has shown."""
        assert state["turn"] != "wait"
        return state["turn"]

    def leave(self, state: Course) -> Course:
        """Write down why it is not done."""
        row = self.row(state)
        if state["event"] == "unproven":
            self.book.cluster.tell(f"action {row.id} ({row.kind} {row.target}) is not done: {state['words']}")
        return self.book.note(state, row, state["event"], state["words"])

    def propose(self, state: Course) -> Course:
        """Wait for a person; nothing is done before the answer."""
        return self.book.ask(state, self.row(state), state["words"])

    def act(self, state: Course) -> Course:
        """Do a quick step and look whether it took effect."""
        row, case = self.row(state), self.book.case(state)
        step, cluster = self.kinds[row.kind], self.book.cluster
        assert isinstance(step, QuickStep)
        return self.book.whole(
            row, step.describe(row, case), lambda: conclude(self.book, state, row, attempt(step, row, case, cluster))
        )

    def check(self, state: Course) -> Course:
        """Have a slow step done: a check of nodes, or a message."""
        row = self.row(state)
        step = self.kinds[row.kind]
        assert isinstance(step, SlowStep)
        outcome = self.book.check(state, row, step, self.book.case(state))
        return WAITS if outcome is None else conclude(self.book, state, row, outcome)

    def route_next(self, state: Course) -> Literal["choose", "__end__"]:
        """Go on with the next step, unless this one is waited for."""
        return "__end__" if state["turn"] == "wait" else "choose"

    def finish(self, state: Course) -> Course:
        """What no step has put elsewhere is dead."""
        self.book.finish(state)
        return {}

    def row(self, state: Course) -> ActionRow:
        """Give the step at hand."""
        return next(row for row in self.book.steps(state) if row.id == state["at"])

    def wire(self, graph: Wiring) -> None:
        """Put the nodes in order."""
        nodes = (self.plan, self.choose, self.look, self.leave, self.propose, self.act, self.check, self.finish)
        for node in nodes:
            graph.add_node(node.__name__, node)
        graph.add_edge(START, "plan")
        graph.add_edge("plan", "choose")
        graph.add_conditional_edges("choose", self.route_choice)
        graph.add_conditional_edges("look", self.route_look)
        graph.add_edge("leave", "choose")
        for name in ("propose", "act", "check"):
            graph.add_conditional_edges(name, self.route_next)
        graph.add_edge("finish", END)


def attempt(step: QuickStep, row: ActionRow, case: Case, cluster: ClusterActions) -> Outcome:
    """Run a quick step and look whether it took effect."""
    try:
        done = step.run(row, case, cluster)
        wrong = step.verify(row, case, cluster)
    except Unreachable:
        raise
    except SchedMateError as error:
        return Outcome(False, error.message)
    if wrong:
        return Outcome(False, f"{done}; but {wrong}")
    return Outcome(True, str(done), done.found if isinstance(done, Finding) else ())


def conclude(book: Book, state: Course, row: ActionRow, outcome: Outcome) -> Course:
    """Write down how a step ended."""
    nodes = book.case(state).nodes
    found = [node for node in outcome.found if node in nodes]
    cleared = [node for node in outcome.cleared if node in nodes]
    event = "done" if outcome.is_done else "failed"
    noted = book.note(state, row, event, outcome.words, Outcome(outcome.is_done, outcome.words, found, cleared))
    if row.kind != "notify" or not outcome.is_done:
        book.cluster.tell(f"action {row.id} ({row.kind}) {event}: {outcome.words}")
    return noted


def leaving(event: str, words: str) -> Course:
    """Say that a step is not done, and why."""
    return {"turn": "leave", "event": event, "words": words}


def doubted(words: str, doubt: str) -> str:
    """Add what evidence is missing."""
    return f"{words}; {doubt}" if doubt else words


def asks(row: ActionRow, kinds: Mapping[str, Step] = STEPS) -> bool:
    """Tell whether a step waits, now or in its turn, for a person's word."""
    return row.mode == "suggest" and row.event in ("planned", "proposed") and kinds[row.kind].radius != "nothing"


def announced(steps: Sequence[Action], kinds: Mapping[str, Step] = STEPS) -> tuple[Action, ...]:
    """Tell people before they are asked: who sleeps looks into no audit trail."""
    first = next((place for place, step in enumerate(steps) if kinds[step.kind].radius != "nothing"), None)
    word = next((step for step in steps if step.kind == "notify"), None)
    if first is None or word is None:
        return tuple(steps)
    asking = word.model_copy(update={"reason": f"{word.reason}: a person is asked what to do"})
    return (*steps[:first], asking, *steps[first:])


def row_fields(row: ActionRow) -> Fields:
    """Give a step's fields as plain data."""
    return {name: getattr(row, name) for name in ActionRow.__slots__}


def with_steps(case: Case, rows: Sequence[ActionRow], kinds: Mapping[str, Step] = STEPS, back: str = "") -> Case:
    """Add to a case what its steps have shown so far; `back` says how a person takes a step back."""
    checks = [row for row in rows if isinstance(kinds[row.kind], SlowStep) and row.event == "done"]
    return replace(
        case,
        found=tuple(dict.fromkeys(node for row in checks for node in row.nodes)),
        cleared=tuple(dict.fromkeys(node for row in checks for node in row.cleared)),
        done=tuple(story(row, kinds, back) for row in rows if row.event not in OPEN and row.kind != "notify"),
        asks=tuple(f"action {row.id}: {row.kind} {row.target}" for row in rows if asks(row, kinds)),
    )


def story(row: ActionRow, kinds: Mapping[str, Step], back: str) -> str:
    """Tell what became of a step, and how it is taken back."""
    undone = row.event == "done" and kinds[row.kind].radius != "nothing" and not isinstance(kinds[row.kind], SlowStep)
    return f"{row.kind} {row.event}: {row.detail}" + (back.format(id=row.id) if undone else "")
