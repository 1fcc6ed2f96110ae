"""The card of a job: one line a field with its place; what is unknown, and what would settle it."""

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from schedmate.cli.render import console
from schedmate.counts import how_many
from schedmate.schemas import Evidence, Extraction, Workload
from schedmate.tools.shortening import around

LABELS = {
    "is_training": "trains",
    "model_name": "model",
    "model_type": "model type",
    "param_size": "parameters",
    "task": "task",
    "task_fine": "finer task",
    "dataset_name": "data",
    "framework": "framework",
    "distributed": "distributed",
    "num_gpus": "GPUs",
    "num_nodes": "nodes",
    "hardware": "hardware",
    "batch_size": "batch / device",
    "global_batch_size": "batch / step",
    "epochs": "epochs",
    "total_steps": "steps",
    "learning_rate": "learning rate",
    "optimizer": "optimizer",
    "precision": "precision",
}
SETTLES = {
    "is_training": "the code that the command starts",
    "model_name": "the option or configuration that names it",
    "model_type": "the model's own code",
    "param_size": "what the program prints when it starts",
    "task": "the data or the model's name",
    "task_fine": "the data or the loss",
    "dataset_name": "the path or name that is given at run time",
    "framework": "the imports of the program",
    "distributed": "the launcher, or what it finds at run time",
    "num_gpus": "the request: the program takes every GPU it sees",
    "num_nodes": "the request (--nodes)",
    "hardware": "the request or the node",
    "batch_size": "the option that sets it",
    "global_batch_size": "the number of GPUs",
    "epochs": "the option that sets it",
    "total_steps": "the size of the data",
    "learning_rate": "the option that sets it",
    "optimizer": "the code that makes it",
    "precision": "the option that sets it",
}
TRAINING_ONLY = (
    "batch_size",
    "global_batch_size",
    "epochs",
    "total_steps",
    "learning_rate",
    "optimizer",
    "precision",
    "num_gpus",
    "num_nodes",
    "distributed",
    "hardware",
)


def print_card(extraction: Extraction) -> None:
    """Print what the job is."""
    out = console()
    where = f", {extraction.workdir}" if extraction.workdir != "." else ""
    out.print(Text(extraction.command or extraction.repo, style="bold"))
    out.print(Text(f"in {extraction.repo}{where}", style="dim"))
    out.print()
    for note in extraction.notes:
        if is_missing(note):
            out.print(Text(f"note: {note}; only the command was read", style="yellow"))
            out.print()
    reasons = dict(reason for note in extraction.notes if (reason := open_reason(note)))
    rows = list(rows_of(extraction.workload, reasons))
    columns = zip(*(row[:3] for row in rows), strict=True)
    widths = [min(most, max(map(len, cells))) for most, cells in zip((28, 36, 44), columns, strict=True)]
    room = max(20, out.width - sum(widths) - 6) if out.is_terminal else 200
    for label, value, found_at, told, known in rows:
        line = Text(f"{label:{widths[0]}}  ", style="bold")
        line.append(f"{value:{widths[1]}}  ", style="none" if known else "yellow")
        line.append(f"{found_at:{widths[2]}}  ", style="cyan" if known else "dim")
        line.append(around(told, told_as(value, told), room), style="dim")
        line.rstrip()
        out.print(line)
    print_end(out, extraction)


Row = tuple[str, str, str, str, bool]


def open_reason(note: str) -> tuple[str, str] | None:
    """Take a note that says why a field is open for that field's row."""
    name, mark, why = note.partition(" is open: ")
    return (name, why) if mark and name in LABELS else None


def is_missing(note: str) -> bool:
    """Tell the note that goes before all else: without its program little can be known of a job."""
    return " was not found in the repository" in note or " was not found here, but in " in note


def told_as(value: str, told: str) -> str:
    """Give how a quote writes a value: as it is shown, else its number without separators."""
    plain = value.replace(",", "")
    return value if value in told else plain if plain in told else ""


def rows_of(workload: Workload, reasons: dict[str, str]) -> Iterator[Row]:
    """Give label, value, place and quote of each field; what is unknown says what would settle it."""
    for name, label in LABELS.items():
        value, proof = getattr(workload, name), workload.evidence.get(name, ())
        if value is not None:
            yield label, shown(value), place(proof), quote(proof), True
        elif not is_moot(workload, name):
            yield label, "unknown", "", reasons.get(name) or f"settled by {SETTLES[name]}", False
    for key, text in workload.extra.items():
        proof = workload.evidence.get(f"extra.{key}", ())
        yield key.replace("_", " "), text, place(proof), quote(proof), True


def is_moot(workload: Workload, name: str) -> bool:
    """Tell a field that nobody misses: of training where nothing trains, epochs where steps are known."""
    if workload.is_training is False and (name in TRAINING_ONLY or workload.framework is None):
        return True
    return name in ("epochs", "total_steps") and bool(workload.epochs or workload.total_steps)


def shown(value: Any) -> str:
    """Write a value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def place(proof: tuple[Evidence, ...]) -> str:
    """Name the first place; the command has no lines."""
    if not proof:
        return ""
    first = proof[0]
    return first.path if first.path == "command" else f"{first.path}:{first.line}"


def quote(proof: tuple[Evidence, ...]) -> str:
    """Quote the first place, or say why it tells."""
    return (proof[0].note or proof[0].quote) if proof else ""


def print_end(out: Any, extraction: Extraction) -> None:
    """Say what was read, by whom, and what the reader should know."""
    out.print()
    files = len(extraction.files_read)
    calls = f", {how_many(extraction.model_calls, 'model call')}" if extraction.model_calls else ""
    read = f"read {how_many(files, 'file')}, {how_many(extraction.tokens_read, 'token')}"
    out.print(Text(f"{read}{calls}, {extraction.elapsed_s:.2f} s, answered by {extraction.engine}", style="dim"))
    for note in extraction.notes:
        if open_reason(note) or is_missing(note):
            continue
        out.print(Text(f"note: {note}", style="yellow"))
    if len(extraction.launch_scripts) > 1:
        out.print(Text("other likely commands:", style="dim"))
        for command in extraction.launch_scripts[1:]:
            out.print(Text(f"  {command}", style="dim"))
