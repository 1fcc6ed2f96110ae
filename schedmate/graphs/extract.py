"""What is this job, from its source code: follow the command, let a model look for what is open, check every quote."""

import time
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from schedmate.agents import explorer
from schedmate.agents.claims import Claims
from schedmate.agents.explorer import Budget, Journey
from schedmate.errors import InputError, ModelFailed
from schedmate.graphs.plain import END, START, PlainGraph, Wiring
from schedmate.readers.code.candidates import likely_commands
from schedmate.readers.code.reader import Reading, read_code
from schedmate.readers.code.verify import drop_unfounded, joined_workload, open_fields
from schedmate.schemas import Engine, Extraction, Workload
from schedmate.tools.reading_trace import ReadingTrace
from schedmate.tools.repository import Repository

if TYPE_CHECKING:
    from schedmate.models.llm import LanguageModel


@dataclass(frozen=True)
class Means:
    """What an extraction may use; the model is opened when it is first needed."""

    engine: str = "auto"
    trace: ReadingTrace | None = None
    budget: Budget | None = None
    speaker: "LanguageModel | None" = None

    @cached_property
    def model(self) -> "LanguageModel | None":
        """Open the model that the settings name, unless the caller brings one or wants none."""
        if self.engine == "built-in" or self.speaker is not None:
            return self.speaker
        from schedmate.models.llm import model_for

        return model_for(self.engine)


class ExtractState(TypedDict, total=False):
    """What the nodes hand on."""

    root: Path
    """the folder that holds the source code"""
    command: str
    """what starts the job; empty: the likeliest script is taken"""
    workdir: str
    """where it is started, relative to the root"""
    means: Means
    """what may be used: the model, and who hears of each step"""
    started_s: float
    """when the walk began, by the monotonic clock"""
    repository: Repository
    """the folder, opened for reading only"""
    candidates: tuple[str, ...]
    """likely commands, where none was given"""
    reading: Reading
    """what following the command showed"""
    journey: Journey | None
    """the model's exploration so far; none where no model was asked or it failed"""
    claims: Claims | None
    """what the model claims, not yet checked"""
    workload: Workload
    """the answer as it grows"""
    engine: Engine
    """who answered"""
    model_calls: int
    """how often the model was asked, also where it failed in the end"""
    notes: tuple[str, ...]
    """what the user should know of the answer"""
    extraction: Extraction
    """the answer"""


def open_repository(state: ExtractState) -> ExtractState:
    """Open the folder and settle where in it the job is started."""
    repository = Repository(state["root"], state["means"].trace)
    workdir = inside_root(repository, state.get("workdir") or ".")
    return {"repository": repository, "workdir": workdir, "started_s": time.perf_counter(), "notes": ()}


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
    if state.get("command", "").strip():
        return {"candidates": ()}
    found = likely_commands(state["repository"], state["workdir"])
    if not found.commands:
        hint = "name the command: --command 'python train.py ...'"
        raise InputError(f"{state['repository'].root} has nothing that looks like a job", hint)
    many = f", {found.others:,} more files look like jobs too" if found.others else ""
    note = f"no command was given: read '{found.commands[0]}', the likeliest of {len(found.commands)}{many}"
    return {"command": found.commands[0], "candidates": found.commands, "notes": (note,)}


def read(state: ExtractState) -> ExtractState:
    """Follow the command without a model."""
    reading = read_code(state["repository"], state["command"], state["workdir"])
    notes = (*state["notes"], *dict.fromkeys(reading.notes))
    return {"reading": reading, "workload": reading.workload, "engine": "built-in", "notes": notes}


def route_depart(state: ExtractState) -> Literal["depart", "verify"]:
    """Ask a model only where one is at hand and something is open, or where the user wants it."""
    means = state["means"]
    if means.model is not None and (means.engine == "model" or open_fields(state["workload"])):
        return "depart"
    return "verify"


def budget_of(state: ExtractState) -> Budget:
    """Give the exploration's budget."""
    return state["means"].budget or Budget()


async def depart(state: ExtractState) -> ExtractState:
    """Tell the model its task, the command, the files around it, and what the built-in found."""
    model = state["means"].model
    assert model
    told = state["repository"], state["command"], state["workdir"], state["workload"]
    try:
        return {"journey": await explorer.depart(model, *told)}
    except ModelFailed as error:
        return failed(state, error)


async def think(state: ExtractState) -> ExtractState:
    """Let the model reason and choose a tool."""
    model, journey = state["means"].model, state["journey"]
    assert model
    assert journey
    try:
        journey = await explorer.think(model, journey)
    except ModelFailed as error:
        return failed(state, error)
    if journey.pending is not None and journey.pending.text:
        state["repository"].trace.thought(journey.pending.text[:600])
    return {"journey": journey}


def failed(state: ExtractState, error: ModelFailed) -> ExtractState:
    """Let the built-in answer stand; what was asked was asked all the same."""
    journey = state.get("journey")
    return {
        "journey": None,
        "model_calls": (journey.model_calls if journey is not None else 0) + 1,
        "notes": (*state["notes"], f"the built-in answer stands: the model failed ({error.message})"),
    }


def route_act(state: ExtractState) -> Literal["act", "conclude", "verify"]:
    """Carry out what the model wants to see, or ask for its claims when it is done."""
    journey = state["journey"]
    if journey is None:
        return "verify"
    return "conclude" if journey.done else "act"


def act(state: ExtractState) -> ExtractState:
    """Use the tools, within the budget."""
    journey = state["journey"]
    assert journey
    return {"journey": explorer.act(state["repository"], journey, budget_of(state))}


def route_think(state: ExtractState) -> Literal["think", "conclude", "verify"]:
    """Go on until the model is done or the budget is spent."""
    journey = state["journey"]
    if journey is None:
        return "verify"
    return "conclude" if journey.done else "think"


async def conclude(state: ExtractState) -> ExtractState:
    """Ask for the claims in their form."""
    model, journey = state["means"].model, state["journey"]
    assert model
    assert journey
    try:
        claims, journey = await explorer.conclude(model, journey)
    except ModelFailed as error:
        return failed(state, error)
    return {"claims": claims, "journey": journey, "notes": (*state["notes"], f"the exploration ended: {journey.done}")}


def verify(state: ExtractState) -> ExtractState:
    """Keep a value only if its quote stands in the file that it names."""
    repository, command = state["repository"], state["command"]
    workload, notes = drop_unfounded(state["workload"], repository, command)
    claims = state.get("claims")
    if claims is None:
        return {"workload": workload, "notes": (*state["notes"], *notes)}
    claimed, dropped = explorer.workload_of(claims.claims, repository, command)
    merged, added = joined_workload(workload, claimed)
    engine: Engine = "both" if workload.evidence else "model"
    return {
        "workload": merged,
        "engine": engine if added or workload.evidence else state["engine"],
        "notes": (*state["notes"], *notes, *dropped),
    }


def report(state: ExtractState) -> ExtractState:
    """Add what was read and how long it took."""
    trace = state["repository"].trace
    journey = state.get("journey")
    extraction = Extraction(
        repo=str(state["root"]),
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
    return {"extraction": extraction}


def wire(graph: Wiring) -> None:
    """Put the nodes in order; `think` and `act` are the loop in which a model explores."""
    for node in (open_repository, choose_command, read, depart, think, act, conclude, verify, report):
        graph.add_node(node.__name__, node)
    for start, end in pairwise((START, "open_repository", "choose_command", "read")):
        graph.add_edge(start, end)
    graph.add_conditional_edges("read", route_depart)
    graph.add_conditional_edges("depart", route_think)
    graph.add_conditional_edges("think", route_act)
    graph.add_conditional_edges("act", route_think)
    for start, end in pairwise(("conclude", "verify", "report", END)):
        graph.add_edge(start, end)


def build_extract_graph() -> Any:
    """Compile the graph with LangGraph; no server needs to be up."""
    from langgraph.graph import StateGraph

    graph: Any = StateGraph(ExtractState)
    wire(graph)
    return graph.compile()


def run_extract(
    repo: Path,
    command: str = "",
    workdir: str = ".",
    engine: str = "auto",
    trace: ReadingTrace | None = None,
    speaker: "LanguageModel | None" = None,
    budget: Budget | None = None,
) -> Extraction:
    """Walk the graph for one job: plainly, or with LangGraph where a model takes part."""
    means = Means(engine, trace, budget, speaker)
    # Broken bytes of a command line stand in it as lone surrogates, which no pattern can be matched against.
    command = command.encode("utf-8", "replace").decode("utf-8")
    state: ExtractState = {"root": repo, "command": command, "workdir": workdir, "means": means}
    if means.model is None:
        graph = PlainGraph()
        wire(graph)
        final = graph.invoke(state)
    else:
        import asyncio

        longest = 20 + 2 * budget_of(state).steps
        final = asyncio.run(build_extract_graph().ainvoke(state, {"recursion_limit": longest}))
    extraction: Extraction = final["extraction"]
    return extraction
