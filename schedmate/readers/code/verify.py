"""Hold a workload's claims against the files that they quote, whoever made them."""

from typing import Any

from schedmate.readers.code.values.value import COMMAND
from schedmate.schemas import Evidence, Workload
from schedmate.tools.repository import NotReadable, Repository

FIELDS = tuple(name for name in Workload.model_fields if name not in ("extra", "evidence"))
TRAINING_ONLY = ("global_batch_size", "epochs", "total_steps", "learning_rate", "optimizer")

NOT_MISSED = ("num_", "batch_size", "precision")
"""What a job that only uses a model may well leave open."""
SHORTEST_QUOTE = 3


def open_fields(workload: Workload) -> tuple[str, ...]:
    """Name the fields that have no value; those of training are not missed where nothing trains."""
    missing = [name for name in FIELDS if getattr(workload, name) is None]
    if workload.is_training is False:
        missing = [name for name in missing if name not in TRAINING_ONLY and not name.startswith(NOT_MISSED)]
    return tuple(missing)


def drop_unfounded(workload: Workload, repository: Repository, command: str) -> tuple[Workload, tuple[str, ...]]:
    """Keep values whose quotes stand in the named file; give the rest as notes."""
    kept: dict[str, Any] = {}
    evidence: dict[str, tuple[Evidence, ...]] = {}
    notes: list[str] = []
    names = [name for name in FIELDS if getattr(workload, name) is not None]
    for name in [*names, *(f"extra.{key}" for key in workload.extra)]:
        proofs = tuple(
            found
            for proof in workload.evidence.get(name, ())
            if (found := founded(proof, repository, command)) is not None
        )
        if not proofs:
            notes.append(f"{name} was dropped: its quote is not where it is said to be")
            continue
        evidence[name] = proofs
        if not name.startswith("extra."):
            kept[name] = getattr(workload, name)
    extra = {key: value for key, value in workload.extra.items() if f"extra.{key}" in evidence}
    return Workload(**kept, extra=extra, evidence=evidence), tuple(notes)


def founded(proof: Evidence, repository: Repository, command: str) -> Evidence | None:
    """Find a quote in its file: on its line, else on the one line that has it; None where it does not stand there."""
    wanted = proof.quote.strip()
    if len(wanted) < SHORTEST_QUOTE:
        return None
    if proof.path == COMMAND:
        return proof if wanted in command else None
    try:
        lines = repository.shown(proof.path).split("\n")
    except NotReadable:
        return None
    if proof.line <= len(lines) and wanted in lines[proof.line - 1]:
        return proof
    found = [number for number, line in enumerate(lines, 1) if wanted in line]
    if not found:
        return None
    return proof.model_copy(update={"line": min(found, key=lambda number: abs(number - proof.line))})


def joined_workload(first: Workload, second: Workload) -> tuple[Workload, tuple[str, ...]]:
    """Fill the first one's open fields from the second; give the names of those that were filled."""
    missing = open_fields(first)
    if first.is_training is None and second.is_training is False:
        missing = tuple(name for name in missing if name not in TRAINING_ONLY)
    added = [name for name in missing if getattr(second, name) is not None]
    extra = {key: value for key, value in second.extra.items() if key not in first.extra}
    names = [*added, *(f"extra.{key}" for key in extra)]
    updates: dict[str, Any] = {name: getattr(second, name) for name in added}
    updates["extra"] = {**first.extra, **extra}
    updates["evidence"] = {**first.evidence, **{name: second.evidence[name] for name in names}}
    return first.model_copy(update=updates), tuple(names)
