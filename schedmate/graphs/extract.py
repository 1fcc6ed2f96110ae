"""What is this job, from its source code: follow the command, let a model look for what is open, check every quote."""

import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from schedmate.agents import claim_merge, explorer
from schedmate.agents.explorer import Budget, Journey
from schedmate.choices import ReaderChoice
from schedmate.counts import how_many
from schedmate.errors import InputError, ModelFailed
from schedmate.graphs.extract_state import ExtractContext, ExtractInput, ExtractOutput, ExtractState, SpokenFor
from schedmate.graphs.plain import END, START, Wiring
from schedmate.graphs.state import Compiled, Fields, Runtime, as_json, context_of
from schedmate.graphs.walk import Graph
from schedmate.models.llm import LanguageModel
from schedmate.models.messages import as_openai
from schedmate.readers.code.candidates import likely_commands
from schedmate.readers.code.reader import CodeReading, read_code
from schedmate.readers.code.verify import drop_unfounded, open_fields
from schedmate.schemas import Extraction, Workload
from schedmate.tools.plain_text import encodable
from schedmate.tools.reading_trace import ReadingTrace
from schedmate.tools.repository import Repository

SELDOM_TOLD = {
    "hardware",
    "param_size",
    "num_gpus",
    "num_nodes",
    "task_fine",
    "global_batch_size",
    "epochs",
    "total_steps",
}
"""Fields that code mostly leaves to whoever submits the job: they alone are no reason to ask."""


def open_repository(state: ExtractState, runtime: Runtime[ExtractContext]) -> ExtractState:
    """Open the folder and settle where in it the job is started."""
    context = context_of(runtime, ExtractContext)
    repository = Repository(Path(state["repo"]), state.get("trace"))
    return {
        "context": context,
        "budget": state.get("budget") or Budget(),
        "repository": repository,
        "command": encodable(state.get("command", "")),
        "workdir": inside_root(repository, state.get("workdir") or "."),
        "started_s": time.perf_counter(),
        "notes": (),
    }


def inside_root(repository: Repository, workdir: str) -> str:
    """Give the working directory relative to the root."""
    path = Path(workdir)
    if path.is_absolute():
        if not path.resolve().is_relative_to(repository.root):
            raise InputError(f"{workdir} is not inside {repository.root}", "give --workdir relative to the repository")
        workdir = str(path.resolve().relative_to(repository.root))
    if not repository.is_folder(workdir):
        raise InputError(f"{workdir} is no folder of {repository.root}", "give --workdir relative to the repository")
    return str(Path(workdir))


def choose_command(state: ExtractState) -> ExtractState:
    """Take the given command; without one, the likeliest of those that the repository offers."""
    if state["command"].strip():
        return {"candidates": ()}
    found = likely_commands(state["repository"], state["workdir"])
    unseen = state["repository"].unseen
    left_out = (f"not looked at: {unseen}",) if unseen else ()
    if not found.commands:
        said = "".join(f"; {part}" for part in left_out)
        hint = "name the command: --command 'python train.py ...'"
        raise InputError(f"{state['repository'].root} has nothing that looks like a job{said}", hint)
    others = how_many(found.others, "more file looks like a job", "more files look like jobs")
    many = f", {others} too" if found.others else ""
    note = f"no command was given: read '{found.commands[0]}', the likeliest of {len(found.commands)}{many}"
    return {"command": found.commands[0], "candidates": found.commands, "notes": (note, *left_out)}


def read(state: ExtractState) -> ExtractState:
    """Follow the command without a model; the paper's way has none of it."""
    if state["context"].engine == "paper":
        return {"reading": CodeReading(Workload()), "workload": Workload(), "engine": "model"}
    reading = read_code(state["repository"], state["command"], state["workdir"])
    notes = (*state["notes"], *dict.fromkeys(reading.notes))
    return {"reading": reading, "workload": reading.workload, "engine": "built-in", "notes": notes}


def route_depart(state: ExtractState) -> Literal["depart", "check"]:
    """Ask a model only where something is open that reading may settle, or where the user wants it."""
    if not (state["context"].wants_model or set(open_fields(state["workload"])) - SELDOM_TOLD):
        return "check"
    return "depart" if state["context"].model else "check"


async def depart(state: ExtractState) -> ExtractState:
    """Tell the model its task, the command, the files around it, and what the built-in found."""
    model = state["context"].model
    assert model
    found = None if state["context"].engine == "paper" else state["workload"]
    told = state["repository"], state["command"], state["workdir"], found
    try:
        journey = await explorer.depart(model, *told, state["budget"])
    except ModelFailed as error:
        return failed(state, error)
    return {"journey": journey, "messages": said_in(journey)}


async def think(state: ExtractState) -> ExtractState:
    """Let the model reason and choose a tool."""
    model, before = state["context"].model, state["journey"]
    assert model
    assert before
    try:
        journey = await explorer.think(model, before)
    except ModelFailed as error:
        return failed(state, error)
    if journey.pending is not None and journey.pending.text:
        state["repository"].trace.thought(journey.pending.text[:600])
    return {"journey": journey, "messages": said_in(journey, before)}


def said_in(journey: Journey, before: Journey | None = None) -> list[Fields]:
    """Give what was said of it since, in the form that LangGraph's messages take."""
    return [as_openai(message) for message in journey.messages[len(before.messages) if before else 0 :]]


def failed(state: ExtractState, error: ModelFailed) -> ExtractState:
    """Let the built-in answer stand; what was asked was asked all the same."""
    journey = state.get("journey")
    return {
        "journey": None,
        "model_calls": (journey.model_calls if journey is not None else 0) + 1,
        "notes": (*state["notes"], f"the built-in answer is kept: the model failed ({error.message})"),
    }


def route_act(state: ExtractState) -> Literal["act", "think", "conclude", "check"]:
    """Carry out what the model wants to see, let it think again, or ask for its claims when it is done."""
    journey = state["journey"]
    if journey is None:
        return "check"
    if journey.done:
        return "conclude"
    return "think" if journey.pending is None else "act"


def act(state: ExtractState) -> ExtractState:
    """Use the tools, within the budget."""
    before = state["journey"]
    assert before
    journey = explorer.act(state["repository"], before, state["budget"])
    return {"journey": journey, "messages": said_in(journey, before)}


def route_think(state: ExtractState) -> Literal["think", "conclude", "check"]:
    """Go on until the model is done or the budget is spent."""
    journey = state["journey"]
    if journey is None:
        return "check"
    return "conclude" if journey.done else "think"


async def conclude(state: ExtractState) -> ExtractState:
    """Ask for the claims in their form."""
    model, journey = state["context"].model, state["journey"]
    assert model
    assert journey
    try:
        claims, journey = await explorer.conclude(model, journey)
    except ModelFailed as error:
        return failed(state, error)
    return {"claims": claims, "journey": journey, "notes": (*state["notes"], f"the exploration ended: {journey.done}")}


def check(state: ExtractState) -> ExtractState:
    """Hold the claims against the files, and see where they and the built-in differ."""
    repository, command = state["repository"], state["command"]
    workload, notes = drop_unfounded(state["workload"], repository, command)
    claims = state.get("claims")
    if claims is None:
        return {"workload": workload, "disputes": [], "notes": (*state["notes"], *notes)}
    claimed, dropped = explorer.workload_of(claims.claims, repository, command)
    certainty = {name: found[0].by.certainty for name, found in state["reading"].proposals.items() if found}
    disputes, stands = claim_merge.disputes_of(workload, claimed, certainty)
    told = (*state["notes"], *notes, *dropped, *stands)
    return {"workload": workload, "claimed": claimed, "disputes": disputes, "right": set(), "notes": told}


def route_settle(state: ExtractState) -> Literal["settle", "join"]:
    """Ask again where a claim may correct what the built-in found."""
    return "settle" if state["disputes"] else "join"


async def settle(state: ExtractState) -> ExtractState:
    """Let the model choose between the lines of both, not knowing whose is which."""
    model, journey = state["context"].model, state["journey"]
    assert model
    assert journey
    try:
        right, notes = await claim_merge.settle(model, state["disputes"])
    except ModelFailed as error:
        return {"notes": (*state["notes"], f"where the two differ the built-in answer is kept ({error.message})")}
    asked = replace(journey, model_calls=journey.model_calls + 1)
    return {"right": right, "journey": asked, "notes": (*state["notes"], *notes)}


def join(state: ExtractState) -> ExtractState:
    """Fill what was open, and correct what the model was right in."""
    claimed = state.get("claimed")
    if claimed is None:
        return {}
    workload, engine, notes = claim_merge.corrected(state["workload"], claimed, state["right"])
    return {"workload": workload, "engine": engine, "notes": (*state["notes"], *notes)}


def report(state: ExtractState) -> ExtractState:
    """Add what was read and how long it took."""
    trace = state["repository"].trace
    journey = state.get("journey")
    extraction = Extraction(
        repo=state["repo"],
        workdir=state["workdir"],
        command=state["command"],
        workload=state["workload"],
        files_read=tuple(trace.files),
        tokens_read=trace.tokens,
        model_calls=journey.model_calls if journey is not None else state.get("model_calls", 0),
        engine=state["engine"],
        elapsed_s=round(time.perf_counter() - state["started_s"], 4),
        notes=tuple(dict.fromkeys(state["notes"])),
        launch_scripts=state["candidates"],
    )
    return {"extraction": as_json(extraction)}


def wire(graph: Wiring) -> None:
    """Put the nodes in order; `think` and `act` are the loop in which a model explores."""
    for node in (open_repository, choose_command, read, depart, think, act, conclude, check, settle, join, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "open_repository", "choose_command", "read")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("read", route_depart)
    graph.add_conditional_edges("depart", route_think)
    graph.add_conditional_edges("think", route_act)
    graph.add_conditional_edges("act", route_think)
    graph.add_edge("conclude", "check")
    graph.add_conditional_edges("check", route_settle)
    for start, end in pairwise(("settle", "join", "report", END)):
        graph.add_edge(start, end)


GRAPH = Graph(wire, ExtractState, ExtractInput, ExtractOutput, ExtractContext)


def build_extract_graph() -> Compiled:
    """Compile the graph with LangGraph; no server needs to be up."""
    return GRAPH.compile().with_config({"recursion_limit": turns(Budget())})


def turns(budget: Budget) -> int:
    """Give the most nodes that an exploration may visit."""
    return 20 + 2 * budget.steps + explorer.MOST_NUDGES


def run_reading(repo: Path, command: str, workdir: str) -> tuple[Repository, str, CodeReading]:
    """Walk the graph without a model, and give what an extraction leaves out: all that was proposed, and by whom."""
    state: ExtractState = {"repo": str(repo), "command": encodable(command), "workdir": workdir}
    final = GRAPH.walk(state, ExtractContext("built-in"), turns(Budget()))
    return final["repository"], final["command"], final["reading"]


def run_extract(
    repo: Path,
    command: str = "",
    workdir: str = ".",
    engine: ReaderChoice = "auto",
    trace: ReadingTrace | None = None,
    speaker: LanguageModel | None = None,
    budget: Budget | None = None,
) -> Extraction:
    """Walk the graph for one job."""
    budget = budget or Budget()
    state: ExtractState = {"repo": str(repo), "command": command, "workdir": workdir, "trace": trace, "budget": budget}
    final = GRAPH.walk(state, SpokenFor(engine, speaker), turns(budget))
    return Extraction.model_validate(final["extraction"])
