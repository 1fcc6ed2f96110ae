"""Explore a repository with a model: it thinks, uses tools on what may be read, and states claims with their places."""

import os.path
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from typing import Any

from pydantic import BaseModel, Field

from schedmate.agents.claims import Claim, Claims, read_claim
from schedmate.counts import how_many
from schedmate.models.llm import LanguageModel, Message, Reply, Tool, ToolCall, system, user
from schedmate.prompts import load_prompt
from schedmate.readers.code.verify import FIELDS, open_fields
from schedmate.schemas import Evidence, Workload
from schedmate.tools.code_search import code_search
from schedmate.tools.file_read import PAGE_TOKENS, file_read
from schedmate.tools.file_tree import file_tree
from schedmate.tools.reading_trace import count_tokens
from schedmate.tools.repository import NotReadable, Repository, is_readable_name

THINK_TOKENS = 400
ANSWER_TOKENS = 2000
MOST_PROBLEMS = 3
LEAST_PAGE = 300

MOST_NAMES = 4_000
"""Names that a wrong path is compared with."""


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


class FinishArguments(BaseModel):
    """What was found out, in a sentence."""

    found: str = Field("", max_length=300)


FINISH = "finish"
TOOLS = (
    Tool(name="file_tree", description="Show the files under a folder.", arguments=TreeArguments),
    Tool(name="file_read", description="Show a page of a file with line numbers.", arguments=ReadArguments),
    Tool(name="search", description="Find lines by a regular expression.", arguments=SearchArguments),
    Tool(name=FINISH, description="Say that nothing more has to be read.", arguments=FinishArguments),
)

PAPER_TOOLS = tuple(tool for tool in TOOLS if tool.name != "search")
"""The paper's explorer has a tree and a reader."""
NUDGE = (
    "That was no call of a tool. Use one tool now, as file_read with path train.py, search with pattern batch_size, or "
    "finish when the open fields are settled."
)
MOST_NUDGES = 2

SHOWN_AT_ONCE = 2
"""Files that the command names are shown before anything is asked for."""
RULES_TOKENS = 2_000


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
    workdir: str = "."
    page_tokens: int = PAGE_TOKENS
    tools: tuple[Tool, ...] = TOOLS
    room: int = 24_000
    """tokens that may be read: the budget's, or what the model can hold"""
    nudges: int = 0
    steps: int = 0
    tokens: int = 0
    problems: int = 0
    model_calls: int = 0
    files: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    done: str = ""
    pending: Reply | None = None


async def depart(
    model: LanguageModel, repository: Repository, command: str, workdir: str, found: Workload | None, budget: Budget
) -> Journey:
    """Set out: rules that never change first, then the table so far, the tree, and the files that the command names.

    Without a table the model reads alone, as the paper's does: it is shown the tree, and has the paper's tools.
    """
    context = (await model.facts()).context_tokens
    rules = "\n\n".join(load_prompt(name) for name in ("explore_task", "explore_react", "explore_metadata"))
    tree = file_tree(repository, workdir, most_lines=60 if context < 16_000 else 200)
    page = max(LEAST_PAGE, min(PAGE_TOKENS, context // 6))
    named = named_files(repository, workdir, command) if found else []
    table = [table_of(found)] if found else []
    pages = [f"{path}:\n{file_read(repository, path, 1, page // 2)}" for path in named]
    told = "\n\n".join([f"folder: {workdir}\ncommand: {command}", *table, f"files:\n{tree}", *pages])
    room = min(budget.tokens, max(LEAST_PAGE, context - RULES_TOKENS - ANSWER_TOKENS))
    journey = Journey((system(rules), user(told)), workdir, page, room=room, tokens=count_tokens(told))
    return replace(journey, files=frozenset(named), tools=TOOLS if found else PAPER_TOOLS)


def named_files(repository: Repository, workdir: str, command: str) -> list[str]:
    """Find the launch script and the configurations that a command names."""
    words = dict.fromkeys(word.strip("\"'").rpartition("=")[2] for word in command.split())
    paths = (os.path.normpath(os.path.join(workdir, word)) for word in words if "." in word or "/" in word)
    return [path for path in paths if is_readable_name(os.path.basename(path)) and repository.is_file(path)][
        :SHOWN_AT_ONCE
    ]


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
    """Let the model think and choose a tool; words without a call are asked for one, twice."""
    reply = await model.chat(journey.messages, journey.tools, answer_tokens=THINK_TOKENS)
    messages = (*journey.messages, reply.message())
    journey = replace(journey, messages=messages, pending=reply, model_calls=journey.model_calls + 1)
    if any(call.name == FINISH for call in reply.tool_calls):
        return replace(journey, messages=journey.messages[:-1], done="the model was done")
    if reply.tool_calls:
        return journey
    if "DONE" in reply.text or journey.nudges >= MOST_NUDGES:
        return replace(journey, done="the model was done" if "DONE" in reply.text else "the model called no tool")
    return replace(journey, messages=(*messages, user(NUDGE)), pending=None, nudges=journey.nudges + 1)


def act(repository: Repository, journey: Journey, budget: Budget) -> Journey:
    """Carry the tool calls out, wrong ones excepted, and stop where the budget is spent; wrong ones are one strike."""
    problems = journey.problems
    for call in journey.pending.tool_calls if journey.pending is not None else ():
        journey = one_call(repository, journey, call, budget)
    journey = replace(journey, problems=min(journey.problems, problems + 1))
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
        room = min(journey.page_tokens, max(LEAST_PAGE, journey.room - journey.tokens))
        try:
            path = place_of(repository, journey.workdir, str(call.arguments.get("path", ".")))
            text = use_tool(repository, call.name, {**call.arguments, "path": path}, room)
        except NotReadable as error:
            problem, text = str(error), f"Not shown: {error}"
        if call.name == "file_read" and not problem:
            files = files | {path}
    return replace(
        journey,
        messages=(*journey.messages, call.result(text)),
        tokens=journey.tokens + count_tokens(text),
        problems=journey.problems + bool(problem),
        files=files,
        used=journey.used | {asked},
    )


def place_of(repository: Repository, workdir: str, path: str) -> str:
    """Find what a model means by a path: from the root, or from where the job starts; else name what is like it."""
    path = path.strip() or "."
    for place in (path, os.path.normpath(os.path.join(workdir, path))):
        if repository.is_file(place) or repository.is_folder(place):
            return place
    repository.real_path(path)
    wanted = os.path.basename(path.rstrip("/"))
    here = {name: os.path.basename(name) for name in islice(repository.walk(), MOST_NAMES)}
    alike = get_close_matches(wanted, set(here.values()), n=3, cutoff=0.6)
    near = [name for name, base in here.items() if base in alike][:3]
    raise NotReadable(f"{path} is not there" + (f"; there is {', '.join(near)}" if near else ""))


def use_tool(repository: Repository, name: str, arguments: dict[str, Any], page_tokens: int) -> str:
    """Use one of the tools that both minds have."""
    if name == "file_tree":
        return file_tree(repository, TreeArguments(**arguments).path)
    if name == "file_read":
        read = ReadArguments(**arguments)
        return file_read(repository, read.path, read.start_line, page_tokens)
    if name == "search":
        wanted = SearchArguments(**arguments)
        return code_search(repository, wanted.pattern, wanted.path)
    raise NotReadable(f"there is no tool {name}")


def spent(journey: Journey, budget: Budget) -> str:
    """Say which budget is spent, if one is."""
    if journey.steps + 1 >= budget.steps:
        return f"the budget of {how_many(budget.steps, 'step')} was spent"
    if len(journey.files) >= budget.files:
        return f"the budget of {how_many(budget.files, 'file')} was spent"
    if journey.tokens >= journey.room:
        return f"the budget of {how_many(journey.room, 'token')} was spent"
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
