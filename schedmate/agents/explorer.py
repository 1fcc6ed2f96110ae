"""Explore a repository with a model: it thinks, uses tools on what may be read, and states claims with their places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, Field

from schedmate.agents.claims import Claim, Claims, read_claim
from schedmate.models.llm import LanguageModel, Message, Reply, Tool, ToolCall, system, user
from schedmate.prompts import load_prompt
from schedmate.readers.code.verify import FIELDS, open_fields
from schedmate.schemas import Evidence, Workload
from schedmate.tools.code_search import code_search
from schedmate.tools.file_read import PAGE_TOKENS, file_read
from schedmate.tools.file_tree import file_tree
from schedmate.tools.reading_trace import count_tokens
from schedmate.tools.repository import NotReadable, Repository

THINK_TOKENS = 400
ANSWER_TOKENS = 2000
MOST_PROBLEMS = 3
LEAST_PAGE = 300


class TreeArguments(BaseModel):
    """Where to look."""

    path: str = Field(".", max_length=300)


class ReadArguments(BaseModel):
    """Which file, and from which line."""

    path: str = Field(max_length=300)
    start_line: int = Field(1, ge=1)


class SearchArguments(BaseModel):
    """What to look for, and where."""

    pattern: str = Field(max_length=200)
    path: str = Field(".", max_length=300)


TOOLS = (
    Tool(name="file_tree", description="Show the files under a folder.", arguments=TreeArguments),
    Tool(name="file_read", description="Show a page of a file with line numbers.", arguments=ReadArguments),
    Tool(name="search", description="Find lines by a regular expression.", arguments=SearchArguments),
)


@dataclass(frozen=True)
class Budget:
    """What an exploration may use."""

    steps: int = 12
    files: int = 20
    tokens: int = 24_000


@dataclass(frozen=True)
class Journey:
    """An exploration so far."""

    messages: tuple[Message, ...]
    page_tokens: int = PAGE_TOKENS
    steps: int = 0
    tokens: int = 0
    problems: int = 0
    model_calls: int = 0
    files: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    done: str = ""
    pending: Reply | None = None


async def depart(model: LanguageModel, repository: Repository, command: str, workdir: str, found: Workload) -> Journey:
    """Set out: the task, the guidance, the scheme, the tree around the working directory, and the table so far."""
    facts = await model.facts()
    rules = "\n\n".join(load_prompt(name) for name in ("explore_task", "explore_react", "explore_metadata"))
    tree = file_tree(repository, workdir, most_lines=60 if facts.context_tokens < 16_000 else 200)
    told = f"folder: {workdir}\ncommand: {command}\n\n{table_of(found)}\n\nfiles:\n{tree}"
    page = max(LEAST_PAGE, min(PAGE_TOKENS, facts.context_tokens // 6))
    return Journey((system(rules), user(told)), page, tokens=count_tokens(told))


def table_of(found: Workload) -> str:
    """Write the built-in's findings as a table, open fields last."""
    lines = ["found so far (field: value, at file:line):"]
    for name in FIELDS:
        value = getattr(found, name)
        if value is not None:
            proof = found.evidence[name][0]
            lines.append(f"- {name}: {value}, at {proof.path}:{proof.line}: {proof.quote[:100]}")
    return "\n".join([*lines, "open: " + (", ".join(open_fields(found)) or "nothing")])


async def think(model: LanguageModel, journey: Journey) -> Journey:
    """Let the model think and choose a tool; no tool means that it is done."""
    reply = await model.chat(journey.messages, TOOLS, answer_tokens=THINK_TOKENS)
    messages = (*journey.messages, reply.message())
    done = "" if reply.tool_calls else "the model was done"
    return replace(journey, messages=messages, pending=reply, done=done, model_calls=journey.model_calls + 1)


def act(repository: Repository, journey: Journey, budget: Budget) -> Journey:
    """Carry the tool calls out, wrong ones excepted, and stop where the budget is spent."""
    for call in journey.pending.tool_calls if journey.pending is not None else ():
        journey = one_call(repository, journey, call, budget)
    reason = spent(journey, budget)
    return replace(journey, steps=journey.steps + 1, pending=None, done=reason)


def one_call(repository: Repository, journey: Journey, call: ToolCall, budget: Budget) -> Journey:
    """Carry one call out; what went wrong is told to the model, which may do better."""
    problem, files = call.problem, journey.files
    asked = f"{call.name} {sorted(call.arguments.items())}"
    text = f"That call cannot be carried out: {problem}"
    if not problem and asked in journey.used:
        problem = text = "That was shown already: look above, or use another tool."
    elif not problem and spent(journey, budget):
        text = "Nothing more can be read: the budget is spent."
    elif not problem:
        room = min(journey.page_tokens, max(LEAST_PAGE, budget.tokens - journey.tokens))
        try:
            text = use_tool(repository, call.name, call.arguments, room)
        except NotReadable as error:
            problem, text = str(error), f"Not shown: {error}"
        if call.name == "file_read" and not problem:
            files = files | {str(call.arguments.get("path"))}
    return replace(
        journey,
        messages=(*journey.messages, call.result(text)),
        tokens=journey.tokens + count_tokens(text),
        problems=journey.problems + bool(problem),
        files=files,
        used=journey.used | {asked},
    )


def use_tool(repository: Repository, name: str, arguments: dict[str, Any], page_tokens: int) -> str:
    """Use one of the tools that both minds have."""
    if name == "file_tree":
        asked = TreeArguments(**arguments)
        repository.real_path(asked.path)
        return file_tree(repository, asked.path)
    if name == "file_read":
        read = ReadArguments(**arguments)
        return file_read(repository, read.path, read.start_line, page_tokens)
    if name == "search":
        wanted = SearchArguments(**arguments)
        repository.real_path(wanted.path)
        return code_search(repository, wanted.pattern, wanted.path)
    raise NotReadable(f"there is no tool {name}")


def spent(journey: Journey, budget: Budget) -> str:
    """Say which budget is spent, if one is."""
    if journey.steps + 1 >= budget.steps:
        return f"the budget of {budget.steps} steps was spent"
    if len(journey.files) >= budget.files:
        return f"the budget of {budget.files} files was spent"
    if journey.tokens >= budget.tokens:
        return f"the budget of {budget.tokens:,} tokens was spent"
    if journey.problems >= MOST_PROBLEMS:
        return "too many of the model's calls could not be carried out"
    return ""


async def conclude(model: LanguageModel, journey: Journey) -> tuple[Claims, Journey]:
    """Ask for the claims, in the form that decoding enforces."""
    messages = (*journey.messages, user(load_prompt("explore_format")))
    claims = await model.answer(messages, Claims, answer_tokens=ANSWER_TOKENS)
    return claims, replace(journey, model_calls=journey.model_calls + 1)


def workload_of(claims: Sequence[Claim], repository: Repository, command: str) -> tuple[Workload, tuple[str, ...]]:
    """Turn claims into a workload; those that their lines do not bear out are dropped, with a note each."""
    fields: dict[str, Any] = {}
    extra: dict[str, str] = {}
    evidence: dict[str, tuple[Evidence, ...]] = {}
    notes: list[str] = []
    for claim in claims:
        name = claim.field.strip()
        if name in fields or name in evidence:
            continue
        value, proof, wrong = read_claim(claim, repository, command)
        if proof is None:
            notes.append(f"the model's claim of {name[:40]} was dropped: {wrong}")
            continue
        evidence[name] = (proof,)
        if name.startswith("extra."):
            extra[name.removeprefix("extra.")] = str(value)
        else:
            fields[name] = value
    return Workload(**fields, extra=extra, evidence=evidence), tuple(notes)
