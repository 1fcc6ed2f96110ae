"""How a job is getting on: open its log, find the training loop, weigh the evidence, let a model write what is open."""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typing_extensions import TypedDict

from schedmate.choices import ReaderChoice
from schedmate.errors import ModelFailed
from schedmate.graphs.plain import END, START, Wiring
from schedmate.graphs.state import (
    OPENED,
    Compiled,
    Fields,
    ReadingContext,
    Runtime,
    Shaped,
    as_json,
    context_of,
)
from schedmate.graphs.walk import Graph
from schedmate.readers.failures.answer.fatal_end import dead, fatal_end
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.learning.examples import Kind, kinds_of, tail_of
from schedmate.readers.progress.learning.learned import OPEN, all_formats, learned_folder, load_learned, save_learned
from schedmate.readers.progress.lines.formats import Format
from schedmate.readers.progress.loop.ends import Ends, ends_of, joined
from schedmate.readers.progress.paper import ProgressLine, last_progress_lines
from schedmate.readers.progress.reading import shared_shapes
from schedmate.readers.progress.tracker import Tracker
from schedmate.readers.progress.whole import read_log
from schedmate.schemas import Metrics
from schedmate.tools.logfile import LogFile, open_log
from schedmate.user_dirs import anything_is_set

if TYPE_CHECKING:
    from schedmate.readers.line_classes import LineClassifier

UNSURE = 0.7
"""Below this a step time is worth a question, and yields to a pattern that nothing denies; models are no surer."""
TRIES = 2
"""How often a model may write a pattern for one log: once more with what was wrong with the first."""


@dataclass(frozen=True)
class TrackContext(ReadingContext):
    """How to read a live job's log."""

    @cached_property
    def classifier(self) -> "LineClassifier":
        """Set up the Log Classifier with the embedder that the settings name."""
        from schedmate.readers.line_classes import LineClassifier

        return LineClassifier(self.embedder)


class KnownOfRun(TypedDict, total=False):
    """What may be known of a job beside its log."""

    command: str
    """what started the job: it may name the last step"""
    repo: str
    """the job's source code, which is read for the last step"""


class TrackInput(KnownOfRun):
    """What `track` is asked about."""

    path: str
    """the log"""


class TrackOutput(TypedDict):
    """What `track` answers."""

    metrics: Annotated[Fields, Shaped(Metrics)]
    """how the job is getting on"""


class TrackState(KnownOfRun, total=False):
    """What the nodes hand on."""

    path: str
    """the log"""
    context: Annotated[TrackContext, OPENED]
    """how to read"""
    ends: Annotated[Ends, OPENED]
    """where the run ends, as its command or its code say"""
    shapes: Annotated[Shapes, OPENED]
    """all formats that are known and learnt, with their memory of templates"""
    files: Annotated[ExitStack, OPENED]
    """closes the log when the walk is over"""
    started_s: Annotated[float, OPENED]
    """when the walk began, by the monotonic clock"""
    log: Annotated[LogFile, OPENED]
    """the opened log"""
    tracker: Annotated[Tracker, OPENED]
    """what was read of it"""
    found: Annotated[Metrics, OPENED]
    """the answer as it grows"""
    tail: Annotated[list[str], OPENED]
    """the log's last lines, on which a pattern is tried"""
    kinds: Annotated[list[Kind], OPENED]
    """the kinds of lines that a model is shown"""
    written: Annotated[Format | None, OPENED]
    """what the model wrote, compiled but not yet believed"""
    problems: Annotated[list[str], OPENED]
    """what speaks against it"""
    tries: Annotated[int, OPENED]
    """how often the model has written"""
    progress: Annotated[list[ProgressLine], OPENED]
    """the paper's way: the last lines that the Log Classifier calls progress"""
    metrics: Fields
    """the answer"""


def open_job_log(state: TrackState, runtime: Runtime[TrackContext]) -> TrackState:
    """Open the log, packed or not."""
    started_s, context, ends = time.perf_counter(), context_of(runtime, TrackContext), ends_told(state)
    files = state.get("files") or ExitStack()
    return {
        "context": context,
        "ends": ends,
        "shapes": shared_shapes(all_formats()),
        "files": files,
        "log": files.enter_context(open_log(state["path"])),
        "started_s": started_s,
        "tries": 0,
    }


def ends_told(state: TrackState) -> Ends:
    """Read where the run ends from its command and its code."""
    command, repo = state.get("command", ""), state.get("repo")
    if not repo:
        return ends_of(command)
    from schedmate.graphs.extract import run_extract

    workload = run_extract(Path(repo), command, engine="built-in").workload
    return joined(ends_of(command), workload.total_steps, workload.epochs)


def route_way(state: TrackState) -> Literal["read", "filter_lines"]:
    """Take the paper's way only where it is asked for."""
    return "filter_lines" if state["context"].engine == "paper" else "read"


def read(state: TrackState) -> TrackState:
    """Read what there is to know: a small log whole, a large one from its end."""
    return {"tracker": read_log(state["log"], state["shapes"], ends=state["ends"])}


def weigh(state: TrackState) -> TrackState:
    """Find the training loop and weigh the evidence for its step time."""
    return {"found": state["tracker"].metrics()}


def route_open(state: TrackState) -> Literal["show", "report"]:
    """Ask a model only where something is open and no pattern was learnt for this format yet, or where it is wanted."""
    context, metrics = state["context"], state["found"]
    if context.engine == "auto":
        if not anything_is_set():
            return "report"
        learnt = metrics.framework in {one.framework for one in load_learned(learned_folder())}
        if learnt or not (is_unsure(metrics) or any(getattr(metrics, name) is None for name in OPEN)):
            return "report"
    return "show" if context.model else "report"


def is_unsure(metrics: Metrics) -> bool:
    """Tell a step time that a pattern which the clocks bear out may take the place of."""
    return metrics.step_time_s is not None and metrics.confidence < UNSURE


def show(state: TrackState) -> TrackState:
    """Choose the lines that a model is shown: a few of each kind, training progress first."""
    tail = tail_of(state["log"])
    return {"tail": tail, "kinds": kinds_of(tail, state["context"].classifier), "problems": []}


def route_shown(state: TrackState) -> Literal["write_pattern", "report"]:
    """Ask nothing about a log that has nothing to show."""
    return "write_pattern" if state["kinds"] else "report"


async def write_pattern(state: TrackState) -> TrackState:
    """Let the model write patterns for the training lines."""
    from schedmate.agents import pattern_writer

    model, metrics = state["context"].model, state["found"]
    assert model
    try:
        written = await pattern_writer.write(model, state["kinds"], metrics, state["problems"])
    except ModelFailed as error:
        note = f"the built-in answer is kept: the model failed ({error.message})"
        return {"written": None, "tries": TRIES, "found": noted(metrics, note)}
    made, problems = pattern_writer.format_of(written, state["tail"])
    return {"written": made, "problems": problems, "tries": state["tries"] + 1}


def try_out(state: TrackState) -> TrackState:
    """Test the patterns on the log's own lines, read it with them, and believe what nothing speaks against."""
    from schedmate.readers.progress.learning.trial import contradictions, problems_of

    written, before = state["written"], state["found"]
    if written is None:
        return {}
    shown = "; ".join(pattern.text for pattern in written.patterns)
    if problems := problems_of(written, state["tail"]):
        return {"problems": [*problems, f"you wrote: {shown}"]}
    tracker = read_log(state["log"], Shapes((*state["shapes"].formats, written)), ends=state["ends"])
    unsure, after = is_unsure(before), tracker.metrics()
    problems = contradictions(before.model_copy(update={"step_time_s": None}) if unsure else before, tracker.answer())
    found = [name for name in OPEN if getattr(before, name) is None and getattr(after, name) is not None]
    surer = unsure and after.step_time_s is not None and after.confidence > before.confidence
    problems = problems or ([] if found or surer else ["nothing that was open is known now"])
    return {"problems": [*problems, f"you wrote: {shown}"]} if problems else {"problems": [], "tracker": tracker}


def route_tried(state: TrackState) -> Literal["write_pattern", "keep"]:
    """Let the model mend what failed, once."""
    return "write_pattern" if state["problems"] and state["tries"] < TRIES else "keep"


def keep(state: TrackState) -> TrackState:
    """Save a pattern that holds, so that no one is asked for it again; what failed leaves a note."""
    written, problems = state["written"], state["problems"]
    if written is None or problems:
        note = f"the model's pattern was not believed: {'; '.join(problems)}"
        return {"found": noted(state["found"], note)} if problems else {}
    assert state["context"].model
    told = f"Written by {state['context'].model.name} for a log that no known format reads; delete it to ask anew."
    path = save_learned(written, learned_folder(), told)
    metrics = state["tracker"].metrics().model_copy(update={"engine": "both"})
    return {"found": noted(metrics, f"read with a pattern that a model wrote, kept in {path}")}


def filter_lines(state: TrackState) -> TrackState:
    """Go backwards from the end until there are enough lines of progress, as the Log Classifier says."""
    from schedmate.settings import get_settings

    assert state["context"].model
    return {"progress": last_progress_lines(state["log"], state["context"].classifier, get_settings().progress_lines)}


async def read_numbers(state: TrackState) -> TrackState:
    """Let the model read the numbers, and keep those that the lines show."""
    from schedmate.agents import metric_reader

    model, lines, path = state["context"].model, state["progress"], state["log"].name
    assert model
    numbers = await metric_reader.read_numbers(model, lines) if lines else metric_reader.Numbers()
    return {"found": metric_reader.founded(numbers, lines, path)}


def report(state: TrackState) -> TrackState:
    """Say of a job that its log's end shows dead that nothing is left; add which log it was and how long this took."""
    found = state["found"]
    why = fatal_end(state["log"], found) if found.phase != "done" else ""
    found = dead(found, why) if why else found
    elapsed_s, notes = time.perf_counter() - state["started_s"], (*state["log"].remarks, *found.notes)
    state["files"].close()
    update = {"log": state["path"], "elapsed_s": elapsed_s, "notes": notes}
    return {"metrics": as_json(found.model_copy(update=update))}


def noted(metrics: Metrics, note: str) -> Metrics:
    """Add a note."""
    return metrics.model_copy(update={"notes": (*metrics.notes, note)})


def wire(graph: Wiring) -> None:
    """Put the nodes in order: the built-in way, the model's pattern where something is open, the paper's way."""
    for node in (open_job_log, read, weigh, show, write_pattern, try_out, keep, filter_lines, read_numbers, report):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "open_job_log")
    graph.add_conditional_edges("open_job_log", route_way)
    graph.add_edge("read", "weigh")
    graph.add_conditional_edges("weigh", route_open)
    graph.add_conditional_edges("show", route_shown)
    graph.add_edge("write_pattern", "try_out")
    graph.add_conditional_edges("try_out", route_tried)
    for start, end in (
        ("keep", "report"),
        ("filter_lines", "read_numbers"),
        ("read_numbers", "report"),
        ("report", END),
    ):
        graph.add_edge(start, end)


GRAPH = Graph(wire, TrackState, TrackInput, TrackOutput, TrackContext)


def build_track_graph() -> Compiled:
    """Compile the graph with LangGraph; no server needs to be up."""
    return GRAPH.compile()


def run_track(path: str, engine: ReaderChoice = "auto", command: str = "", repo: Path | None = None) -> Metrics:
    """Walk the graph for one log."""
    with ExitStack() as files:
        state: TrackState = {"path": path, "command": command, "repo": str(repo or ""), "files": files}
        return Metrics.model_validate(GRAPH.walk(state, TrackContext(engine))["metrics"])
