"""Read a job's workload from its source: follow what the command starts, ask each field, keep what has a quote."""

from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from schedmate.readers.code.evidence.precedence import proposer_of
from schedmate.readers.code.evidence.proposals import ProposedValue
from schedmate.readers.code.evidence.subjects import ModelUse, Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.rules import ask
from schedmate.readers.code.fields.training import sampler
from schedmate.readers.code.follow_program import follow, follow_imports, prepared, spawned_by, unused_imports
from schedmate.readers.code.inline_code import is_inline
from schedmate.readers.code.installed.entries import entry_of, reads_as_tool
from schedmate.readers.code.installed.reading import read_tool
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.loop_ranks import is_handed_others, on_its_own
from schedmate.readers.code.launchers.started_programs import programs_of
from schedmate.readers.code.open_reasons import TrailEnd, open_reasons, trail_ends
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.value import COMMAND, SourceLocation
from schedmate.readers.code.verify import TRAINING_ONLY
from schedmate.schemas import Evidence, Workload
from schedmate.tools.repository import NotReadable, Repository

TRIED = 3
INSTALLED = proposer_of(Subject.CONFIGURATION, "the configuration of the installed program")

GROUPS = ("jax.distributed.initialize", "tensorflow.train.ClusterSpec", "tensorflow.compat.v1.train.ClusterSpec")
"""Calls that bring processes together, beside those of process groups."""
MOST_SEARCHED, MOST_PLACES = 20_000, 3
LONGEST_QUOTE = 240

LEAST = {"num_gpus": 0, "num_nodes": 1, "batch_size": 1, "global_batch_size": 1, "total_steps": 1}
"""Fields that count things, and how many there may be at the least: what a program writes may be half a batch."""
MOST_COUNTED = 10**15
"""More is the product of numbers that nothing bounds."""


@dataclass
class CodeReading:
    """What the built-in reader found, and what it has to say about what it did not."""

    workload: Workload
    notes: list[str] = field(default_factory=list)
    program: str = ""
    proposals: dict[str, list[ProposedValue]] = field(default_factory=dict)
    """All that was proposed for each field, what was kept first."""
    ends: dict[str, TrailEnd] = field(default_factory=dict)
    """Where the trail of each field ended that stays open."""


def read_code(repository: Repository, command: str, workdir: str = ".") -> CodeReading:
    """Read what a command's job is."""
    launches, notes = programs_of(repository, command, workdir)
    best: View | None = None
    for launch in launches[:TRIED]:
        view = view_of(repository, launch, command)
        if best is None or rank(view) > rank(best):
            best = view
        if view.get("is_training"):
            break
    if best is None:
        return CodeReading(Workload(), [*notes, "the command starts no program that could be found"])
    if not best.program.found:
        notes.append(not_found(repository, best.launch.name or command))
    workload = workload_of(repository, best, command)
    notes += [*best.run.notes, *best.program.notes, *open_reasons(best)]
    return CodeReading(workload, notes, best.launch.name, best.proposals(), trail_ends(best))


def not_found(repository: Repository, name: str) -> str:
    """Say that a program was not found, and where one of that name lies: the command was meant for there."""
    tail = f"/{name.removeprefix('./')}"
    found = [path for path in islice(repository.walk(), MOST_SEARCHED) if path.endswith(tail)]
    if not 0 < len(found) <= MOST_PLACES:
        return f"{name} was not found in the repository"
    folders = [path.removesuffix(tail) for path in found]
    return f"{name} was not found here, but in {', '.join(folders)}: try --workdir {folders[0]}"


def view_of(repository: Repository, launch: Launch, command: str) -> View:
    """Read one program; what a script's loop starts side by side is one job only where it joins."""
    own = on_its_own(launch)
    view = view_as_started(repository, launch, command)
    return view if not launch.by_loop or joins_others(view) else view_as_started(repository, own, command)


def joins_others(view: View) -> bool:
    """Tell a program that makes a group with the others, or that is told of them by the script."""
    groups = any(event.name in GROUPS for event in view.events) or bool(view.run.about(ProcessSigns).joined_by)
    return groups or is_handed_others(view.launch)


def view_as_started(repository: Repository, launch: Launch, command: str) -> View:
    """Read one program: an installed one by its configuration, any other by following it."""
    view = view_of_tool(repository, launch, command)
    if view is None:
        view = View(follow(repository, launch, command))
        installed = partial(is_installed, repository)
        inner = None if trains_itself(view) else spawned_by(view.program, installed)
        if inner is not None:
            view = view_of_tool(repository, inner, command) or View(follow(repository, inner, command))
        if inner is None and not view.get("is_training"):
            view = with_imports(view) or view
        if inner is None and view.get("is_training") is False and uses_a_model(view):
            view = View(follow(repository, launch, command, follows_use=True))
    ask_fields(view)
    return view


def is_installed(repository: Repository, launch: Launch) -> bool:
    """Tell a program that is known to train, and read by its configuration."""
    entry = entry_of(repository, launch)
    return entry is not None and not entry.get("never")


def view_of_tool(repository: Repository, launch: Launch, command: str) -> View | None:
    """Read an installed program by its configuration; None of one that is followed."""
    entry = reads_as_tool(repository, launch)
    if entry is None:
        return None
    view = View(prepared(repository, launch, command))
    with view.proposing(INSTALLED):
        read_tool(view, entry)
    return view


def with_imports(view: View) -> View | None:
    """Give the program with what it only imports, where that trains; the modules are followed for nothing else."""
    if not unused_imports(view.program):
        return None
    program = follow(view.run.repository, view.launch, view.program.command)
    follow_imports(program)
    wider = View(program)
    return wider if trains_itself(wider) else None


def trains_itself(view: View) -> bool:
    """Tell a program that trains from one whose training is what it starts."""
    ask(view, Subject.IS_TRAINING)
    found = view.values.get("is_training")
    started = {spawned.spot for spawned in view.run.about(ProcessSigns).commands}
    return found is not None and bool(found.value) and not started.intersection(found.spots)


def uses_a_model(view: View) -> bool:
    """Tell a job that evaluates or samples by functions that were passed by, as beside training they are."""
    return view.run.about(TrainingSigns).uses_model is not None


def rank(view: View) -> tuple[bool, bool, bool, int]:
    """Weigh how much a program is the job: one that trains, one in a file, one that was found, one that tells more."""
    return bool(view.get("is_training")), not is_inline(view.launch), view.program.found, len(view.values)


CLOSED_BY = {'"""': '"""', "'''": "'''", "/*": "*/", "<!--": "-->"}

REQUESTS = ("#SBATCH", "#PBS", "#BSUB", "#$", "#COBALT", "#FLUX")
"""Comments that a scheduler reads."""
LONGEST_HEADER = 400


def ask_fields(view: View) -> None:
    """Ask for each subject in an order in which later ones can build on earlier ones."""
    if not view.knows("is_training"):
        ask(view, Subject.IS_TRAINING)
    ask(view, Subject.FRAMEWORK)
    use = use_of_model(view)
    for subject in Subject:
        draws = subject is Subject.MODEL and view.get("is_training") is False and sampler(view) is not None
        if use in subject.asked_of and not draws:  # a law of chance is no network
            ask(view, subject)


def use_of_model(view: View) -> ModelUse:
    """Tell what the job does with a model, by what was found so far."""
    trains = view.get("is_training")
    if trains is not False:
        return ModelUse.TRAINS if trains else ModelUse.PERHAPS_TRAINS
    return ModelUse.USES if view.get("framework") is not None else ModelUse.NEITHER


def workload_of(repository: Repository, view: View, command: str) -> Workload:
    """Keep the fields whose quotes stand where they are said to; those of training only where the job trains."""
    fields: dict[str, Any] = {}
    extra: dict[str, str] = {}
    evidence: dict[str, tuple[Evidence, ...]] = {}
    for name, found in view.values.items():
        outside = name not in Workload.model_fields and not name.startswith("extra.")
        if found.value is None or outside or (name in TRAINING_ONLY and view.get("is_training") is False):
            continue
        if name in LEAST and not isinstance(found.value, str) and not LEAST[name] <= found.value < MOST_COUNTED:
            continue
        proofs = tuple(proof for spot in found.spots if (proof := quote(repository, spot, command, found)) is not None)
        if not proofs:
            continue
        evidence[name] = proofs
        if name.startswith("extra."):
            extra[name.removeprefix("extra.")] = str(found.value)[:300]
        else:
            fields[name] = shaped(name, found.value)
    return Workload(**fields, extra=extra, evidence=evidence)


def shaped(name: str, value: Any) -> bool | int | float | str:  # Any: a field's value
    """Give a value the field's type: whole numbers for counts, text for names."""
    if name in LEAST:
        return int(value)
    if name in ("epochs", "learning_rate"):
        return float(value)
    return value if isinstance(value, bool) else str(value)


def quote(repository: Repository, spot: SourceLocation, command: str, found: ProposedValue) -> Evidence | None:
    """Quote the place that a value came from."""
    note = spot.note or found.note
    if spot.path == COMMAND:
        text = spot.quote if spot.quote and spot.quote in command else command.strip().split("\n")[0]
        return Evidence(path=COMMAND, line=1, quote=text[:LONGEST_QUOTE], note=note)
    try:
        lines = repository.shown(spot.path).split("\n")
    except NotReadable:
        return None
    line = first_telling(lines) if spot.line == 1 and not (spot.quote or is_prose(spot.path)) else spot.line
    if not 1 <= line <= len(lines) or not lines[line - 1].strip():
        return None
    return Evidence(path=spot.path, line=line, quote=lines[line - 1].strip()[:LONGEST_QUOTE], note=note)


def is_prose(path: str) -> bool:
    """Tell a text for people, whose first line is no comment: `# Title`."""
    return path.lower().endswith((".md", ".rst", ".txt")) or path.rpartition("/")[2] == "README"


def first_telling(lines: list[str]) -> int:
    """Number the first line that is no licence header, comment or docstring: what is of a whole file begins there."""
    inside = ""
    for number, line in enumerate(lines[:LONGEST_HEADER], 1):
        text = line.strip()
        if inside:
            inside = "" if inside in text else inside
            continue
        if opening := next((mark for mark in CLOSED_BY if text.lstrip("rRuU").startswith(mark)), ""):
            rest = text.lstrip("rRuU").removeprefix(opening)
            inside = "" if CLOSED_BY[opening] in rest else CLOSED_BY[opening]
        elif text and not (text.startswith(("#", "//", ";", "%%")) and not text.startswith(REQUESTS)):
            return number
    return 1
